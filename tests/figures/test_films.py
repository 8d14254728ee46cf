"""Films: play, scrub and walk through layers, moments and steps; what is printed is exact."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.drift import drift_frame
from app.components.head_film import film_frame as head_film_frame
from app.components.picture_film import film_frame as picture_film_frame
from app.components.selection import Seed
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import DRIFT, FILM, HEAD_FILM, HEAD_FILM_VALUES, SAMPLES


def patch_of(figure: Figure, patch: int) -> tuple[float, float]:
    top, wide, high = figure.data("patches")
    return (patch % 3 + 0.5) * wide, top + (patch // 3 + 0.5) * high


def test_a_film_starts_where_the_page_says_and_walks(mount: Mount):
    figure = mount("picture_film", picture_film_frame(FILM, Seed((2, -1))))
    line = figure.root.locator(".says")
    expect(line).to_have_text("much")
    figure.press("ArrowLeft")  # from anywhere on the page
    figure.chose([1, -1])
    expect(line).to_have_text(FILM.lines[1])
    figure.press("Home")
    figure.chose([0, -1])
    total = float(FILM.values[0].sum())
    expect(figure.root).to_have_attribute("data-painted", f"frame 0 of 2, patches {total:.3f}")


def test_a_film_plays_to_its_end_and_scrubs(mount: Mount):
    figure = mount("picture_film", picture_film_frame(FILM, Seed((0, -1))))
    figure.root.get_by_role("button", name="Play").click()
    figure.chose([2, -1])
    expect(figure.root.get_by_role("button", name="Play")).to_be_visible()  # no longer “Pause”
    figure.root.get_by_role("slider").fill("1")
    figure.chose([1, -1])


def test_a_patch_says_its_value_rank_and_times_uniform(mount: Mount):
    figure = mount("picture_film", picture_film_frame(FILM, Seed((2, -1))))
    figure.click(*patch_of(figure, 4), within=".sheet")
    figure.chose([2, 5])  # after the prefix token
    value = FILM.values[2, 1, 1]
    expect(figure.root.locator(".readout")).to_contain_text(
        f"{three(value)} · rank 2 of 6 · {three(float(value) / 0.125)} × uniform"
    )
    figure.press("ArrowRight")
    figure.chose([2, 6])
    figure.root.get_by_role("button", name="[CLS] 0.125").click()
    figure.chose([2, 0])
    expect(figure.root.get_by_role("button", name="[CLS]")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert [row[0] for row in figure.table()] == list(FILM.frames)


def head_of(figure: Figure, layer: int, head: int) -> tuple[float, float]:
    left, top, wide, high = figure.data()["grid"]
    return left + (head + 0.4) * wide, top + (layer + 0.4) * high


def test_a_cell_of_tokens_tells_their_ids(mount: Mount):
    film = replace(HEAD_FILM, row_ids=(5, 6, 7, 8), column_ids=(5, 6, 7, 8))
    figure = mount("head_film", head_film_frame(film, Seed((1, (0, 0)))))
    left, top, wide, high = figure.data()["large"]
    figure.hover(left + 0.5 * wide, top + 1.5 * high)
    expect(figure.root.locator(".readout")).to_contain_text("step 5 · token ids 6, 5")


def test_heads_are_clicked_and_walked(mount: Mount):
    figure = mount("head_film", head_film_frame(HEAD_FILM, Seed((1, (0, 0)))))
    figure.click(*head_of(figure, 1, 0))
    figure.chose([1, [1, 0]])
    total = float(HEAD_FILM_VALUES[1, 2].sum())
    expect(figure.root).to_have_attribute(
        "data-painted", f"moment 1 of 2, layer 1 · head 0, sum {total:.3f}"
    )
    figure.press("ArrowUp", "ArrowRight")
    figure.chose([1, [0, 1]])


def test_a_cell_of_the_large_head_says_its_weight(mount: Mount):
    figure = mount("head_film", head_film_frame(HEAD_FILM, Seed((2, (0, 0)))))
    left, top, wide, high = figure.data()["large"]
    figure.hover(left + 2.5 * wide, top + 1.5 * high)
    expect(figure.root.locator(".readout")).to_contain_text(
        f"{three(HEAD_FILM_VALUES[2, 0, 1, 2])} · query b · key c"
    )


def test_the_table_has_every_moment_of_the_head(mount: Mount):
    figure = mount("head_film", head_film_frame(HEAD_FILM, Seed((0, (0, 1)))))
    rows = figure.table()
    assert [row[:2] for row in rows] == [
        list(pair) for pair in zip(HEAD_FILM.moments, HEAD_FILM.lines, strict=True)
    ]
    for moment, row in enumerate(rows):
        between_words = HEAD_FILM_VALUES[moment, 1] * (1 - np.eye(4))
        assert f": {three(between_words.max())}, " in row[2]


def test_points_move_and_the_words_follow(mount: Mount):
    figure = mount("drift", SAMPLES["drift"]())
    figure.press("ArrowRight")
    figure.chose(1)
    expect(figure.root).to_have_attribute("data-painted", "step 1 of 2, 3 groups")
    expect(figure.root.locator(".says")).to_have_text(
        f"3 groups · diameter {three(1.414)} · largest move of this step {three(0.707)}"
    )
    figure.press("End")
    figure.chose(2)
    expect(figure.root.locator(".says")).to_contain_text("1 group · diameter 0 ·")


def test_the_table_of_points_has_both_ends(mount: Mount):
    rows = mount("drift", drift_frame(DRIFT)).table()
    assert rows[1:] == [
        [f"point {i + 1}", f"{three(x)}, {three(y)}", "0, 0"]
        for i, (x, y) in enumerate(DRIFT.points[0])
    ]


def test_a_point_is_named_where_it_stands(mount: Mount):
    figure = mount("drift", drift_frame(DRIFT, seed=Seed(1)))
    size = figure.root.locator("canvas").evaluate("canvas => canvas.clientWidth")
    x, y = ((0.5 + sign * 0.5 / 2.4) * size for sign in (-1, -1))
    figure.hover(x, y, within="canvas")
    expect(figure.tip).to_have_text("point 2: −0.500, 0.500")


def test_motion_is_off_where_the_reader_wants_none(mount: Mount):
    figure = mount("drift")
    figure.page.emulate_media(reduced_motion="reduce")
    figure.show(drift_frame(DRIFT))
    figure.press("ArrowRight")
    assert (figure.root.get_attribute("data-painted") or "").startswith("step 1 of 2")
    np.testing.assert_equal(figure.root.locator("canvas").count(), 1)


@pytest.mark.parametrize("component", ["picture_film", "head_film", "drift"])
def test_keys_of_a_text_field_are_its_own(mount: Mount, component: str):
    figure = mount(component, SAMPLES[component]())
    painted = figure.root.get_attribute("data-painted") or ""
    figure.page.evaluate("document.body.append(document.createElement('textarea'))")
    figure.page.locator("textarea").focus()
    figure.press("ArrowLeft", "End", "Home", "ArrowRight")
    expect(figure.root).to_have_attribute("data-painted", painted)


def test_the_page_may_ask_for_another_place(mount: Mount):
    figure = mount("picture_film", picture_film_frame(FILM, Seed((2, -1))))
    figure.show(picture_film_frame(FILM, Seed((1, 3), 2)))
    expect(figure.root).to_have_attribute("data-selected", "3")
    assert (figure.root.get_attribute("data-painted") or "").startswith("frame 1 of 2")
    figure.press("ArrowRight")
    figure.chose([2, 3], serial=2)


def test_a_film_plays_on_where_the_page_asks_for_another_head(mount: Mount):
    figure = mount("head_film", head_film_frame(HEAD_FILM, Seed((1, (0, 0)))))
    figure.page.evaluate("window.setTimeout = () => 0")  # so that the page is not told yet
    figure.press("ArrowRight")
    figure.show(head_film_frame(HEAD_FILM, Seed((1, (1, 0)), 2)))
    painted = figure.root.get_attribute("data-painted") or ""
    assert painted.startswith("moment 2 of 2, layer 1 · head 0")
    figure.show(head_film_frame(HEAD_FILM, Seed((0, (1, 0)), 3)))
    painted = figure.root.get_attribute("data-painted") or ""
    assert painted.startswith("moment 0 of 2, layer 1 · head 0")


@pytest.mark.parametrize(("visit", "step"), [("a visit", 1), ("", 2)])
def test_a_node_made_anew_goes_on_where_the_reader_stood(mount: Mount, visit: str, step: int):
    frame = picture_film_frame(FILM, Seed((2, -1), visit=visit))
    figure = mount("picture_film", frame)
    figure.press("ArrowLeft")
    figure.page.evaluate("figure.leave()")
    figure.show(frame)
    assert (figure.root.get_attribute("data-painted") or "").startswith(f"frame {step} of 2")


def test_evidence_against_a_class_has_its_sign_and_no_share(mount: Mount):
    """A signed film, as of a class's evidence: the scale has two ends, nothing is × uniform."""
    sheet = replace(FILM.sheet, scale="diverging")
    film = replace(FILM, sheet=sheet, values=-FILM.values, uniform=None)
    figure = mount("picture_film", picture_film_frame(film, Seed((2, -1))))
    figure.click(*patch_of(figure, 4), within=".sheet")
    readout = figure.root.locator(".readout")
    expect(readout).to_contain_text(f"{three(-float(FILM.values[2, 1, 1]))} · rank")
    expect(readout).not_to_contain_text("uniform")
    assert f"−{three(film.limits[2])}" in figure.download("SVG").read_text("utf-8")
