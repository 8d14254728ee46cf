"""The charts' own rules: ticks that can be read, arrays for many points, words on hover."""

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.tools import return_figure_from_figure_or_data

from app.style.log_ticks import MOST_TICKS, log_ticks
from app.ui import charts, projector
from app.ui.charts import Curve, Figure, curves, marks
from app.ui.charts.curves import LONGEST_LIST
from app.ui.charts.shown import _drawn, spoken
from tests.pages.curves import numbers


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


@pytest.fixture(params=["light", "dark"])
def _theme(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    context = SimpleNamespace(theme=SimpleNamespace(type=request.param))
    for module in (curves, marks):
        monkeypatch.setattr(module, "st", SimpleNamespace(context=context))
    monkeypatch.setattr(projector, "is_on", lambda: False)


def sent(figure: Figure) -> dict[str, Any]:
    """What Streamlit sends."""
    read = return_figure_from_figure_or_data(_drawn(figure), validate_figure=True)
    return json.loads(pio.to_json(read, validate=False))


@pytest.mark.usefixtures("_theme")
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("y_range", [None, "from zero", (np.float64(0.1), 2)])
def test_what_is_sent_is_what_plotly_would_have_made(log: bool, y_range):
    steps, many = np.array([1, 10, 100]), np.arange(1, 700, dtype=np.float32)
    lines = [
        Curve("a <b>", steps, np.array([0.5, np.nan, 2]), hollow=(True, False, False)),
        Curve("its twin", steps.tolist(), [0.1, 0.2, 0.3], twin=True, hover=("x", "y", "z")),
        Curve("long", many, many, markers=False, dashed=True, hue="decoder"),
        Curve("dots", (1, 2), np.float64([1, 2]), lines=False, colour=3),
    ]
    made = charts.chart(lines, x_title="x", y_title="y", log_x=log, log_y=log, y_range=y_range)
    charts.second_axis(made, lines[0], title="another")
    charts.mark_x(made, 10, "here")
    charts.mark_y(made, 1.5, "there", left=True)
    made.x_axis(dtick=1)
    assert made.layout["xaxis"]["title"] == {"text": "x"}
    checked = go.Figure({"data": made.data, "layout": made.layout})
    assert json.loads(checked.to_json()) == sent(made)
    np.testing.assert_array_equal(numbers(sent(made)["data"][0]["y"]), [0.5, np.nan, 2])


@pytest.mark.usefixtures("_theme")
def test_bars_are_what_plotly_would_have_made():
    made = charts.bars(["a <b>", "c"], np.array([1.0, 2.0]), x_title="x", notes=["1", "2"])
    checked = go.Figure({"data": made.data, "layout": made.layout})
    assert json.loads(checked.to_json()) == sent(made)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, bool])
def test_numbers_arrive_exactly(dtype):
    values = (np.arange(6).reshape(2, 3) % 3).astype(dtype)
    read = go.Contour(z=charts.numbers(values)).to_plotly_json()["z"]
    found = numbers(read).reshape(2, 3) if isinstance(read, dict) else np.array(read)
    np.testing.assert_array_equal(found, values)


def test_a_chart_can_be_heard():
    names = [{"name": "linear"}, {"name": "cosine"}, {}]
    axes = {"xaxis": {"title": {"text": "step"}}, "yaxis": {"title": {"text": "learning rate"}}}
    assert spoken(Figure(names, axes)) == "learning rate against step: linear, cosine"
    assert spoken(Figure([{"x": [1]}], {})) == ""


def test_a_chart_waits_for_pandas_that_another_reader_is_importing():
    """Plotly takes what stands in sys.modules: half a module, while another thread imports it."""
    asked = (
        "import sys\nfrom app.ui.charts.shown import Figure, _drawn\n"
        "_drawn(Figure([], {}))\nprint('pandas' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True"
