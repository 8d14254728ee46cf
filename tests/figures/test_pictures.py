"""Pictures: patches to select, to paint and to compare; boxes to click and to drag."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.box_picture import box_frame
from app.components.picture_map import picture_frame
from app.components.selection import Seed
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.harness import CLICKS, Figure
from tests.figures.samples import BOXES, PATCHES, SAMPLES, picture
from tests.figures.strange_texts import HOSTILE


def patch_of(figure: Figure, patch: int) -> tuple[float, float]:
    top, wide, high = figure.data("patches")[0]
    return (patch % 3 + 0.5) * wide, top + (patch // 3 + 0.5) * high


def test_a_hover_says_the_patchs_exact_value(mount: Mount):
    figure = mount("picture_map", SAMPLES["picture_map"]())
    for patch in (1, 2, 4):
        figure.hover(*patch_of(figure, patch), within=".sheet")
        row, column = divmod(patch, 3)
        expect(figure.root.locator(".readout")).to_have_text(
            f"{three(PATCHES[row, column])} · row {row}, column {column}"
        )
    figure.hover(*patch_of(figure, 5), within=".sheet")
    expect(figure.tip).to_contain_text("no value")
    assert f"sum {np.nansum(PATCHES):.3f}" in (figure.root.get_attribute("data-painted") or "")


def test_the_reader_sets_the_colours_opacity_and_the_numbers_stay(mount: Mount):
    figure = mount("picture_map", SAMPLES["picture_map"]())
    assert 'opacity="0.65"' in figure.download("SVG").read_text("utf-8")
    figure.page.add_style_tag(content=":root { --gf-overlay: 0.2; }")
    figure.show(picture_frame((replace(picture(), values=PATCHES),)))
    assert 'opacity="0.2"' in figure.download("SVG").read_text("utf-8")
    figure.hover(*patch_of(figure, 1), within=".sheet")
    expect(figure.root.locator(".readout")).to_contain_text(three(PATCHES[0, 1]))


@pytest.mark.parametrize(
    ("contrast", "title", "ends"),
    [
        ("linear", "linear scale", ("0", three(np.nanmax(PATCHES)))),
        ("stretched", "linear scale from the smallest", (three(np.nanmin(PATCHES)), None)),
        ("sqrt", "√ scale", ("0", three(np.nanmax(PATCHES)))),
        ("log", f"log scale from {three(1e-4)}", (three(1e-4), three(np.nanmax(PATCHES)))),
        ("even", "log scale of times uniform, 0.125", ("¼ ×", "4 ×")),
    ],
)
def test_the_reader_sets_the_scale_its_legend_names_it_and_the_numbers_stay(
    mount: Mount, contrast: str, title: str, ends: tuple[str | None, str | None]
):
    shown = replace(picture(), values=PATCHES, uniform=0.125)
    figure = mount("picture_map", picture_frame((shown,)))
    before = figure.download("SVG").read_text("utf-8")
    figure.page.add_style_tag(content=f":root {{ --gf-contrast: {contrast}; }}")
    figure.show(picture_frame((replace(shown, label="again"),)))
    after = figure.download("SVG").read_text("utf-8")
    assert f">{title}</text>" in after
    for end in filter(None, ends):
        assert f">{end}</text>" in after
    drawn = [one.partition("</desc>")[2] for one in (before, after)]
    assert (drawn[0] == drawn[1]) == (contrast == "linear")
    figure.hover(*patch_of(figure, 1), within=".sheet")
    expect(figure.root.locator(".readout")).to_contain_text(three(PATCHES[0, 1]))


def test_several_maps_name_their_scale(mount: Mount):
    one = replace(picture(), values=PATCHES)
    figure = mount("picture_map", picture_frame((one, replace(one, values=PATCHES / 2))))
    readout = figure.root.locator(".readout")
    expect(readout).to_have_text("linear scale, each map to its own largest")
    figure.show(picture_frame((one, replace(one, label="again"))))
    top = three(np.nanmax(PATCHES))
    expect(readout).to_have_text(f"linear scale, 0 to {top}")


def test_a_patch_is_clicked_walked_and_seeded(mount: Mount):
    figure = mount("picture_map", picture_frame((picture(),), mode="select"))
    figure.click(*patch_of(figure, 1), within=".sheet")
    figure.chose(1)
    figure.press("ArrowDown")
    figure.chose(4)
    figure.press("Escape")
    figure.chose(-1)
    figure.show(picture_frame((picture(),), mode="select", seed=Seed(3, 2)))
    expect(figure.root).to_have_attribute("data-selected", "3")


def test_a_drag_marks_what_is_outlined(mount: Mount):
    """The picture stays to be seen: a mark hides nothing."""
    figure = mount(
        "picture_map", picture_frame((replace(picture(), paint="outlined"),), mode="paint")
    )
    figure.click(*patch_of(figure, 5), within=".sheet")
    figure.chose([5])
    expect(figure.root.locator(".readout")).to_contain_text("marked")
    assert "hidden" not in (figure.root.get_attribute("data-painted") or "")


def test_a_drag_paints_what_is_hidden(mount: Mount):
    figure = mount("picture_map", picture_frame((picture(),), mode="paint", seed=Seed((5,))))
    figure.hover(*patch_of(figure, 0), within=".sheet")
    figure.page.mouse.down()
    figure.hover(*patch_of(figure, 1), within=".sheet")
    figure.hover(*patch_of(figure, 4), within=".sheet")
    figure.page.mouse.up()
    figure.chose([0, 1, 4, 5])
    assert "hidden 4" in (figure.root.get_attribute("data-painted") or "")
    figure.click(*patch_of(figure, 5), within=".sheet")  # starts on a hidden one: shows it
    figure.chose([0, 1, 4])
    figure.press("ArrowRight", "ArrowRight", "Space")
    figure.chose([0, 4])


def test_small_multiples_are_buttons(mount: Mount):
    figures = (picture(title="one"), picture(title=HOSTILE), picture(title="three"))
    frame = picture_frame(figures, mode="pick", label="Maps", lit=1, clicks=CLICKS)
    figure = mount("picture_map", frame)
    buttons = figure.root.locator("button.sheet")
    expect(buttons).to_have_count(3)
    expect(buttons.nth(1)).to_have_class("sheet pick lit")
    buttons.nth(2).click()
    figure.clicked(2)
    assert len(figure.data("patches")) == 3


FIXED = replace(BOXES, boxes=tuple(replace(box, movable=False) for box in BOXES.boxes))


def box_centre(figure: Figure, index: int) -> tuple[float, float]:
    top, wide, high = figure.data()
    x, y, _, _ = figure.data("boxes")[index]
    return x * wide, top + y * high


def drag(figure: Figure, start: tuple[float, float], by: tuple[float, float]) -> None:
    figure.hover(*start)
    figure.page.mouse.down()
    figure.hover(start[0] + by[0], start[1] + by[1])
    figure.page.mouse.up()


def test_a_click_takes_the_smallest_box_there(mount: Mount):
    figure = mount("box_picture", box_frame(FIXED))
    figure.click(*box_centre(figure, 1))
    figure.chose(1)
    figure.hover(*box_centre(figure, 1))
    expect(figure.tip).to_contain_text("centre 0.250, 0.500; 0.200 × 0.400")
    figure.click(*box_centre(figure, 0))
    figure.chose(0)
    figure.press("ArrowRight")
    figure.chose(1)
    figure.press("Escape")
    figure.chose(-1)
    figure.show(box_frame(FIXED, seed=Seed(2, 2)))
    expect(figure.root).to_have_attribute("data-selected", "2")
    expect(figure.root.locator(".readout")).to_have_text(
        "faint · centre 0.800, 0.300; 0.200 × 0.200"
    )


def test_a_box_is_dragged_by_its_middle_and_by_a_corner(mount: Mount):
    figure = mount("box_picture", box_frame(BOXES))
    _, wide, high = figure.data()
    drag(figure, box_centre(figure, 1), (0.1 * wide, 0.05 * high))
    x, y, w, h = figure.data("boxes")[1]
    assert (x, y, w, h) == pytest.approx((0.35, 0.55, 0.2, 0.4), abs=0.006)
    figure.chose(figure.data("boxes"))
    right, bottom = box_centre(figure, 1)
    corner = (right + 0.1 * wide, bottom + 0.2 * high)
    drag(figure, corner, (0.1 * wide, 0.1 * high))
    x, y, w, h = figure.data("boxes")[1]
    assert (x, y, w, h) == pytest.approx((0.4, 0.6, 0.3, 0.5), abs=0.012)
    assert figure.data("boxes")[0] == [0.5, 0.5, 0.9, 0.9]  # the others stay


def test_keys_move_and_resize_a_movable_box(mount: Mount):
    figure = mount("box_picture", box_frame(BOXES))
    figure.click(*box_centre(figure, 1))
    figure.press("ArrowRight", "ArrowDown")
    figure.chose([[0.5, 0.5, 0.9, 0.9], [0.26, 0.51, 0.2, 0.4], [0.8, 0.3, 0.2, 0.2]])
    figure.press("Shift+ArrowRight")
    assert figure.data("boxes")[1] == [0.265, 0.51, 0.21, 0.4]
    figure.press("Space")
    expect(figure.root).to_have_attribute("data-selected", "2")


def test_a_box_stays_inside_the_picture(mount: Mount):
    figure = mount("box_picture", box_frame(BOXES))
    _, wide, _ = figure.data()
    drag(figure, box_centre(figure, 1), (-wide, 0))
    assert figure.data("boxes")[1] == [0.1, 0.5, 0.2, 0.4]


def test_a_box_stays_chosen_when_the_node_is_made_anew(mount: Mount):
    """On a slow server a line of progress comes and goes above the picture."""
    frame = box_frame(FIXED, seed=Seed(1, visit="a visit"))
    figure = mount("box_picture", frame)
    figure.root.locator(".stack").focus()
    figure.press("ArrowRight")
    figure.chose(2)
    figure.page.evaluate("figure.leave()")
    figure.show(frame)
    expect(figure.root).to_have_attribute("data-selected", "2")
    figure.page.evaluate("figure.leave()")
    figure.show(box_frame(FIXED, seed=Seed(1, serial=2, visit="a visit")))  # asked for since
    expect(figure.root).to_have_attribute("data-selected", "1")
