"""The charts' own rules: ticks that can be read, arrays for many points, words on hover."""

import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.style.log_ticks import MOST_TICKS, log_ticks
from app.ui.charts import LONGEST_LIST, Curve, _spoken


def test_ticks_say_their_numbers_in_full():
    ticks = log_ticks([100, 5000])
    assert ticks["tickvals"][:4] == [100, 200, 500, 1000]
    assert ticks["ticktext"][:4] == ["100", "200", "500", "1 k"]
    assert log_ticks([1e-7, 1e-6])["ticktext"][:3] == ["10⁻⁷", "2 · 10⁻⁷", "5 · 10⁻⁷"]
    assert log_ticks([1e12, 1e13])["ticktext"][0] == "10¹²"


@given(st.floats(1e-12, 1e15), st.floats(1, 1e15))
def test_ticks_are_few_and_span_the_values(low: float, factor: float):
    high = low * factor
    ticks = log_ticks([low, high])
    assert ticks["tickvals"] == sorted(ticks["tickvals"])
    assert len(ticks["tickvals"]) <= max(MOST_TICKS + 1, 15)
    assert ticks["tickvals"][0] <= low * (1 + 1e-9)
    assert len(ticks["ticktext"]) == len(ticks["tickvals"])


def test_zero_and_less_have_no_place_on_a_logarithmic_axis():
    assert log_ticks([0, -5, 10])["tickvals"] == [10, 20, 50]
    assert log_ticks([])["ticktext"]


def test_many_points_come_as_an_array():
    many = np.zeros(LONGEST_LIST + 1)
    Curve("an array", many, many)
    with pytest.raises(ValueError, match="10,001 points as list"):
        Curve("a list", many.tolist(), many)


def test_a_chart_can_be_heard():
    figure = go.Figure([go.Scatter(name="linear"), go.Scatter(name="cosine"), go.Scatter()])
    figure.update_xaxes(title="step")
    figure.update_yaxes(title="learning rate")
    assert _spoken(figure) == "learning rate against step: linear, cosine"
    assert _spoken(go.Figure(go.Bar(x=[1]))) == ""


def test_a_chart_waits_for_pandas_that_another_reader_is_importing():
    """Plotly takes what stands in sys.modules: half a module, while another thread imports it."""
    asked = (
        "import sys\nfrom app.ui.late_plotly import go\ngo.Scatter\nprint('pandas' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True"
