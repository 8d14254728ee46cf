"""The truth view without a browser: links, random's mean curve, the benchmark's table in words."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.views.vision.truth import benchmark, hiding, params, weights
from core.data.explanation_benchmark import (
    CURVES,
    FILLS,
    PLACES,
    QUANTITIES,
    MethodRow,
    TruthTable,
    curve_id,
    write_table,
)
from core.explain.attribution.bootstrap import Interval


def page() -> None:
    from app.views import vision

    vision.PAGE.render()


def row(method: str, gap: float, over: tuple[float, float, float]) -> MethodRow:
    figures = {
        curve_id(c.id, f, q): Interval(gap, gap - 1, gap + 1)
        for c in CURVES
        for f in FILLS
        for q in QUANTITIES
    }
    figures |= {
        name: Interval(*over) for name in figures if name.startswith("over-random.mean.kept")
    }
    figures |= {c.id: Interval(50.0, 40.0, 60.0) for c in PLACES}
    return MethodRow(method, method.capitalize(), figures)


TABLE = TruthTable(
    model="vit-mini",
    weights="of nobody",
    date="2026-11-21",
    command="python -m tests.benchmarks.truth --data DIR",
    seconds=481.0,
    seed=0,
    counts={"photographs": 42, "pets": 17, "halves": 20},
    methods=(
        row("random", 0.5, (0.0, 0.0, 0.0)),
        row("gradcam", -3.0, (-3.5, -6.0, -1.0)),
        row("relevance", 31.0, (30.5, 25.0, 36.0)),
        row("rollout", 29.5, (29.0, 24.0, 34.0)),
    ),
)


def opened_with(monkeypatch, path: Path) -> AppTest:
    monkeypatch.setattr(benchmark, "PLACE", path)
    app = AppTest.from_function(page, default_timeout=120)
    app.query_params["view"] = "truth"
    app.query_params["part"] = "table"
    return app.run()


def test_methods_in_a_link_are_known_ones_in_their_own_order():
    assert params.CHOSEN.parse("relevance,gradcam,nonsense,random") == ("relevance", "gradcam")
    assert params.CHOSEN.parse("random") is None


def test_only_shares_that_were_measured_can_be_linked():
    assert [params.HIDDEN.parse(given) for given in ("0", "100", "35", "110", "x")] == [
        *(0, 100, None, None, None)
    ]


def test_the_live_area_is_chefers():
    assert hiding._chefer(np.ones(11)) == pytest.approx(90)


@pytest.mark.parametrize(
    ("method", "value", "words"),
    [
        ("rollout", 1.0, "the same order"),
        ("rollout", 0.9996, "the same order"),
        ("rollout", 0.8, "survived"),
        ("rollout", 0.15, "survived"),  # 196 patches: chance ends at 1.96 ÷ √195 = 0.14
        ("relevance", 0.13, "chance would not explain"),
        ("relevance", -0.13, "chance would not explain"),
        ("relevance", -0.9, "turned about"),
        ("uniform", float("nan"), "one number"),
        ("random", 1.0, "never knew the model"),
    ],
)
def test_what_a_correlation_says(method, value, words):
    assert words in weights._verdict(method, value, 196)


def test_the_benchmark_shows_losers_ties_and_where_it_comes_from(monkeypatch, tmp_path: Path):
    write_table(TABLE, tmp_path / "truth.json")
    app = opened_with(monkeypatch, tmp_path / "truth.json")
    assert not app.exception
    table = next(m.value for m in app.markdown if m.value.startswith("| method"))
    lines = table.split("\n")
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == [
        *("Relevance", "Rollout", "Random", "Gradcam")
    ]
    assert "**31.0** (30\u00a0…\u00a032)" in lines[2]
    assert "**29.5**" in lines[3]  # within two points of the best: a tie
    assert "**0.5**" not in lines[4]
    assert "−3.0 (−4\u00a0…\u00a0−2)" in lines[5]
    told = " ".join([*(c.value for c in app.caption), *(m.value for m in app.markdown)])
    for words in ("2026-11-21", "42 photographs (17 pets", "20 asked halves", "below 2 points"):
        assert words in told
    assert "**No better than random here** (mean colour, prediction kept): Gradcam." in told
    assert any("other weights" in warning.value for warning in app.warning)
    assert app.code[0].value == "python -m tests.benchmarks.truth --data DIR"


def test_without_a_table_the_page_names_the_command(monkeypatch, tmp_path: Path):
    app = opened_with(monkeypatch, tmp_path / "truth.json")
    assert not app.exception
    (said,) = [info.value.replace("\\", "") for info in app.info]
    assert "no truth.json yet" in said
    assert "python -m tests.benchmarks.truth --data DIR" in said
