"""The benchmark's file: what is written is read again, and what is broken is said."""

import os
from pathlib import Path

import pytest

from core.data.explanation_benchmark import (
    CURVES,
    FILLS,
    PLACE,
    PLACES,
    QUANTITIES,
    MethodRow,
    TruthTable,
    curve_id,
    fingerprint,
    read_table,
    write_table,
)
from core.errors import InputError
from core.explain.attribution.bootstrap import Interval

TABLE = TruthTable(
    model="vit-mini",
    weights="0123456789abcdef",
    date="2026-11-21",
    command="python -m tests.benchmarks.truth",
    seconds=12.5,
    seed=0,
    counts={"photographs": 60, "pets": 20, "halves": 30},
    methods=(MethodRow("random", "Random", {"pointing": Interval(20.25, 10.0, 30.5)}),),
)


def test_what_is_written_is_read(tmp_path: Path):
    write_table(TABLE, tmp_path / "truth.json")
    assert read_table(tmp_path / "truth.json") == TABLE


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"methods": [{"id": 1}]}', '{"methods": []}'])
def test_a_broken_table_is_said_with_the_command(tmp_path: Path, text: str):
    path = tmp_path / "truth.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"not whole.*tests\.benchmarks\.truth"):
        read_table(path)


def test_a_missing_table_is_said_with_the_command(tmp_path: Path):
    with pytest.raises(InputError, match=r"no truth\.json yet.*tests\.benchmarks\.truth"):
        read_table(tmp_path / "truth.json")


def test_a_table_speaks_of_its_own_weights_alone(tmp_path: Path):
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    mark = fingerprint(tmp_path)
    assert len(mark) == 16
    assert not TABLE.speaks_of("vit-mini", mark)
    assert TABLE.speaks_of("vit-mini", "0123456789abcdef")


def test_weights_that_were_replaced_have_another_mark(tmp_path: Path):
    file = tmp_path / "model.safetensors"
    marks = set[str]()
    for seconds, content in enumerate((b"weights", b"other weights")):
        file.write_bytes(content)
        os.utime(file, (seconds, seconds))  # as if one came long after the other
        marks |= {fingerprint(tmp_path), fingerprint(tmp_path)}
    assert len(marks) == 2


def test_the_shipped_table_is_whole_and_has_every_figure():
    if not PLACE.exists():
        pytest.skip("not measured yet")
    table = read_table(PLACE)
    assert {"random", "uniform", "rollout", "gradient-rollout-reversed"} <= {
        row.id for row in table.methods
    }
    curves = {curve_id(c.id, f, q) for c in CURVES for f in FILLS for q in QUANTITIES}
    for row in table.methods:
        assert set(row.figures) == curves | {column.id for column in PLACES}
        assert all(one.low <= one.mean <= one.high for one in row.figures.values())
