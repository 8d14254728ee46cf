"""The data-hunger experiment as a value, and the paper's figures beside it."""

from pathlib import Path

import numpy as np
import pytest

from core.data import data_hunger
from core.data.data_hunger import BIT_L, VIT_PAPER, DataHunger, Kind, Point
from core.errors import InputError

POINTS = (
    Point(Kind.VIT, 1.0, 100, (0.5, 0.7), 0.6, 0.4, 0.8),
    Point(Kind.VIT, 0.1, 10, (0.1, 0.3), 0.2, 0.0, 0.4),
    Point(Kind.CNN, 0.1, 10, (0.3, 0.3), 0.3, 0.3, 0.3),
)
MEASURED = DataHunger(
    POINTS,
    parameters={"vit": 12, "cnn": 11},
    side=64,
    classes=3,
    held_out=20,
    pretrained_on=30,
    steps=4,
    batch=2,
    pretraining_steps=5,
    device="a test",
    seconds=6,
    date="2026-11-25",
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    place = tmp_path / "data_hunger.json"
    data_hunger.write(MEASURED, place)
    again = data_hunger.read(place)
    assert again.of(Kind.VIT)[0].share == 0.1
    assert again.of(Kind.VIT)[1].accuracies == [0.5, 0.7]
    assert again.at(Kind.CNN, 0.1).mean == 0.3
    assert (again.parameters, again.seconds) == (MEASURED.parameters, 6)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"points": [{"kind": "rnn"}]}'])
def test_another_file_is_told_with_the_command(tmp_path: Path, text: str) -> None:
    place = tmp_path / "data_hunger.json"
    with pytest.raises(InputError, match="missing"):
        data_hunger.read(place)
    place.write_text(text)
    with pytest.raises(InputError, match=r"core\.training\.data_hunger --data DIR"):
        data_hunger.read(place)


def test_what_is_shipped_is_whole() -> None:
    """Every kind with every share, and means and intervals that follow from the trainings."""
    measured = data_hunger.read()
    shares = [point.share for point in measured.of(Kind.CNN)]
    assert shares == [0.1, 0.3, 1.0]
    for kind in Kind:
        points = measured.of(kind)
        assert [point.share for point in points] == shares
        for point in points:
            accuracies = np.array(point.accuracies)
            # Student's t of two degrees of freedom, for 95 %
            half = 4.302653 * accuracies.std(ddof=1) / np.sqrt(3)
            assert len(accuracies) == 3
            assert point.mean == pytest.approx(accuracies.mean())
            assert (point.low, point.high) == pytest.approx((point.mean - half, point.mean + half))
        counts = [point.photos for point in points]
        assert counts == sorted(counts)
    sizes = measured.parameters.values()
    assert max(sizes) / min(sizes) < 1.05


def test_what_is_shipped_says_what_the_prose_says_of_it() -> None:
    measured = data_hunger.read()
    gains: dict[Kind, float] = {}
    for few in measured.of(Kind.VIT):
        cnn, vit, after = (
            measured.at(kind, few.share).mean for kind in (Kind.CNN, Kind.VIT, Kind.VIT_AFTER_MAE)
        )
        assert vit < after < cnn
    for kind in Kind:
        first, *_, last = measured.of(kind)
        gains[kind] = last.mean - first.mean
    assert min(gains, key=lambda kind: gains[kind]) is Kind.VIT
    assert all(1.2e6 < n < 1.3e6 for n in measured.parameters.values())


def test_the_papers_figures_say_what_the_prose_says_of_them() -> None:
    small = {name: values[0] for name, values in VIT_PAPER.items() if values[0] is not None}
    large = {name: values[2] for name, values in VIT_PAPER.items()}
    assert small["ViT-L/16"] < small["ViT-B/16"]
    assert small["ViT-L/32"] < small["ViT-B/32"]
    assert max(large, key=lambda name: large[name] or 0.0) == "ViT-H/14"
    assert (large["ViT-L/16"] or 0.0) > (large["ViT-B/16"] or 0.0)
    assert (large["ViT-H/14"] or 0.0) > BIT_L
