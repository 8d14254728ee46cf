"""Heads by kind: exact scores, meanings on hover, a head to select."""

from playwright.sync_api import expect

from app.components.head_labels import labels_frame
from app.components.selection import Seed
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import LABELS, SAMPLES
from tests.figures.strange_texts import HOSTILE


def place_of(figure: Figure, layer: int, head: int) -> tuple[float, float]:
    left, top, wide, high = figure.data()
    return left + (head + 0.5) * wide, top + (layer + 0.5) * high


def test_every_score_stands_in_the_table(mount: Mount):
    figure = mount("head_labels", SAMPLES["head_labels"]())
    expect(figure.root).to_have_attribute("data-painted", "local mixed / mixed mixed local")
    first, second = figure.table()
    assert first == ["layer 0", f"local {three(0.5)}", f"mixed {three(0.25)}"]
    scores = [three(score) for score in LABELS.scores[1]]
    assert second[1:] == [f"mixed {scores[0]}", f"mixed {scores[1]}", f"local {scores[2]}"]
    expect(figure.root.locator(".legend > span")).to_have_text(["local 2", "mixed 3"])


def test_a_head_is_hovered_clicked_walked_and_seeded(mount: Mount):
    figure = mount("head_labels", SAMPLES["head_labels"]())
    figure.hover(*place_of(figure, 1, 1))
    expect(figure.tip.locator("div")).to_have_text(
        [f"layer 1, head 1: mixed {three(LABELS.scores[1][1])}", HOSTILE, HOSTILE]
    )
    figure.click(*place_of(figure, 1, 2))
    figure.chose([1, 2])
    figure.press("ArrowUp")
    figure.chose([0, 1])  # the layer above has two
    figure.show(labels_frame(LABELS, seed=Seed((1, 0), 2)))
    assert figure.data("selected") == [1, 0]
