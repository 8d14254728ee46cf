"""The charts' own rules: ticks that can be read, arrays for many points, words on hover."""

import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.style.log_ticks import MOST_TICKS, log_ticks
from app.ui import charts
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


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("y_range", [None, "from zero", (np.float64(0.1), 2)])
def test_what_plotly_did_not_check_is_what_it_would_have_made(
    monkeypatch: pytest.MonkeyPatch, dark: bool, log: bool, y_range
):
    context = SimpleNamespace(theme=SimpleNamespace(type="dark" if dark else "light"))
    monkeypatch.setattr(charts, "st", SimpleNamespace(context=context))
    monkeypatch.setattr(charts.projector, "is_on", lambda: False)
    steps, many = np.array([1, 10, 100]), np.arange(1, 700, dtype=np.float32)
    curves = [
        Curve("a <b>", steps, np.array([0.5, np.nan, 2]), hollow=(True, False, False)),
        Curve("its twin", steps.tolist(), [0.1, 0.2, 0.3], twin=True, hover=("x", "y", "z")),
        Curve("long", many, many, markers=False, dashed=True, hue="decoder"),
        Curve("dots", (1, 2), np.float64([1, 2]), lines=False, colour=3),
    ]
    made = charts.chart(curves, x_title="x", y_title="y", log_x=log, log_y=log, y_range=y_range)
    charts.mark_x(made, 10, "here")
    charts.mark_y(made, 1.5, "there", left=True)
    checked = go.Figure(made.to_dict())
    assert json.loads(checked.to_json()) == json.loads(pio.to_json(made, validate=False))
    with pytest.raises(ValueError, match="Invalid"):
        go.Figure(go.Figure([{"type": "scatter", "mode": 7}], **charts.AS_IT_IS).to_dict())


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
