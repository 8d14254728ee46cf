"""A matrix: exact values, masks, colours that say the sign, files with every number."""

import csv
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.heat_map import HeatMap, heat_map_frame
from app.style import theme
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.harness import Figure, drawn_rects
from tests.figures.samples import head_names, heat, matrix
from tests.figures.strange_texts import CAPTION, HOSTILE

VALUES = matrix(6, 8)
SVG = "{http://www.w3.org/2000/svg}"


def place_of(figure: Figure, row: int, column: int) -> tuple[float, float]:
    left, top, wide, high = figure.data()
    return left + (column + 0.5) * wide, top + (row + 0.5) * high


def test_hover_reads_the_exact_value_and_the_columns_note(mount: Mount):
    figure = mount("heat_map", heat(VALUES))
    figure.hover(*place_of(figure, 2, 5))
    readout = figure.root.locator(".readout")
    expect(readout).to_contain_text(
        f"{three(VALUES[2, 5])} · position t2 · dimension 5 · token id 102"
    )
    expect(readout).to_contain_text("note of column 5")
    expect(figure.tip).to_contain_text("position t2")
    assert float(readout.get_attribute("data-value") or "nan") == VALUES[2, 5]


@pytest.mark.parametrize("width", [900, 300])
def test_heads_have_their_names_beside_their_numbers(mount: Mount, width: int):
    values = matrix(3, 4)
    names, size = head_names(), (46, 26)
    figure = HeatMap(
        values, ("0", "1", "2"), tuple("0123"), "", numbers=True, names=names, cell=size
    )
    drawn = mount("heat_map", heat_map_frame(figure), width=width)
    expect(drawn.root.locator(".names")).to_have_text("Pprevious 2Nnext 1no clear role 9")
    drawn.hover(*place_of(drawn, 0, 1))
    expect(drawn.tip).to_contain_text("note of 0 1")
    assert drawn.table()[1][2] == f"{three(values[0, 1])}, note of 0 1"
    svg = drawn.download("SVG").read_text("utf-8")
    root = ET.fromstring(svg)
    letters = [node.text for node in root.iter(f"{SVG}text")]
    assert letters.count("P") == 2
    assert letters.count("N") == 1
    assert "P: previous" in svg
    assert "F: first" not in svg, "no head has that name"


@pytest.mark.parametrize("width", [900, 150])
def test_words_stand_for_cells(mount: Mount, width: int):
    """Where all fit; on hover the value comes first, then what is known of the cell."""
    words = tuple(tuple(f"{row}{column}0000" for column in range(4)) for row in range(3))
    notes = tuple(tuple(f"neuron {word}" for word in row) for row in words)
    values, rows = matrix(3, 4), ("0", "1", "2")
    figure = HeatMap(values, rows, tuple("0123"), "", words=words, cell_notes=notes)
    drawn = mount("heat_map", heat_map_frame(figure), width=width)
    drawn.hover(*place_of(drawn, 2, 1))
    expect(drawn.tip).to_contain_text("neuron 210000")
    assert drawn.table()[3][2] == f"{three(values[2, 1])}, neuron 210000"
    drawn.root.page.mouse.move(0, 0)
    texts = re.findall(r">([^<>]+)</text>", drawn.download("SVG").read_text("utf-8"))
    assert ("210000" in texts) == (width == 900)
    hint = drawn.root.locator(".readout").inner_text()
    assert ("hover reads the cells" in hint) == (width == 150)


def test_words_are_of_as_many_cells():
    with pytest.raises(ValueError, match="3 rows of 4"):
        HeatMap(matrix(3, 4), ("0", "1", "2"), tuple("0123"), "", words=(("a",) * 4,) * 2)


def test_names_are_of_as_many_heads():
    with pytest.raises(ValueError, match="3 layers of 5 heads"):
        HeatMap(matrix(3, 5), tuple("012"), tuple("01234"), "Effects", names=head_names())


def test_a_map_without_names_has_no_legend_of_them(mount: Mount):
    expect(mount("heat_map", heat(VALUES)).root.locator(".names")).to_be_hidden()


def test_the_table_holds_every_value(mount: Mount):
    rows = mount("heat_map", heat(VALUES)).table()
    assert rows[1][0] == HOSTILE
    assert [row[1:] for row in rows[1:]] == [[three(value) for value in row] for row in VALUES]


def test_colours_have_two_hues_and_zero_is_the_page(mount: Mount):
    figure = mount("heat_map", heat(VALUES))
    rects = drawn_rects(figure.download("SVG"))
    left, top, wide, high = figure.data()
    paper = theme.page_colours(dark=False)["backgroundColor"]
    page = np.array([int(paper[i : i + 2], 16) for i in (1, 3, 5)])

    def colour(flat: np.intp) -> np.ndarray:
        row, column = np.unravel_index(flat, VALUES.shape)
        x, y = left + column * wide, top + row * high
        here = [one.fill for one in rects if abs(one.x - x) < 0.1 and abs(one.y - y) < 0.1]
        return np.array(here[0]) if here else page  # zero itself is left out

    high_end, low_end = colour(VALUES.argmax()), colour(VALUES.argmin())
    assert high_end[0] > high_end[2] + 40  # positive is reddish
    assert low_end[2] > low_end[0] + 40  # negative is bluish-green
    assert np.abs(colour(np.abs(VALUES).argmin()) - page).max() < 20


def test_a_click_selects_arrows_walk_escape_clears_and_the_page_can_seed(mount: Mount):
    figure = mount("heat_map", heat(VALUES))
    figure.click(*place_of(figure, 3, 4))
    figure.chose([3, 4])
    figure.press("ArrowRight")
    figure.chose([3, 5])
    figure.press("Escape")
    figure.chose([-1, -1])
    figure.show(heat(VALUES, selected=(1, 2), serial=2))
    assert figure.data("selected") == [1, 2]
    expect(figure.root.locator(".readout")).to_contain_text(three(VALUES[1, 2]))


def test_masked_cells_say_so_and_a_missing_number_is_no_zero(mount: Mount):
    values = matrix(4, 4)
    values[0, 0] = np.nan
    hidden = np.triu(np.ones((4, 4), dtype=bool), 1)
    figure = mount("heat_map", heat(values, hidden=hidden, numbers=True))
    figure.hover(*place_of(figure, 0, 3))
    expect(figure.root.locator(".readout")).to_contain_text("masked")
    figure.hover(*place_of(figure, 0, 0))
    expect(figure.root.locator(".readout")).to_contain_text("undefined")
    painted = figure.root.get_attribute("data-painted") or ""
    expected = np.nansum(np.where(hidden, 0, values))
    assert float(painted.split("sum ")[1]) == pytest.approx(expected, abs=2e-3)
    assert figure.table()[1][1:] == ["undefined", "masked", "masked", "masked"]


def test_an_svg_prints_every_number(mount: Mount):
    drawing = mount("heat_map", heat(VALUES, numbers=True)).download("SVG").read_text("utf-8")
    printed = re.findall(r">(−?\d+(?:\.\d+)?)</text>", drawing)
    assert {three(value) for value in VALUES.flat} <= set(printed)


def test_a_csv_holds_every_value_bit_for_bit(mount: Mount):
    values = matrix(4, 3)
    hidden = np.triu(np.ones((4, 3), dtype=bool), 1)
    figure = mount("heat_map", heat(values, hidden=hidden))
    lines = list(csv.reader(figure.download("CSV").read_text("utf-8").splitlines()))
    assert lines[0] == [f"# {CAPTION}"]
    assert lines[1] == ["position \\ dimension", "0", "1", "2"]
    assert lines[2][0] == HOSTILE
    for row, line in enumerate(lines[2:]):
        shown = [np.float32(cell) if cell else None for cell in line[1:]]
        assert shown == [values[row, c] if c <= row else None for c in range(3)]


def test_a_large_matrix_fits_a_phone_and_thins_its_labels(mount: Mount):
    figure = mount("heat_map", heat(matrix(300, 512)), width=390)
    _, _, wide, high = figure.data()
    assert 0 < wide < 2
    assert high * 300 <= 521
    box = figure.root.bounding_box()
    assert box
    assert box["width"] <= 390


def test_a_cell_that_is_picked_does_not_stay_selected(mount: Mount):
    figure = mount("heat_map", heat(VALUES, picks=True))
    figure.click(*place_of(figure, 3, 4))
    figure.clicked([3, 4])
    assert figure.data("selected") == [-1, -1]
    figure.press("ArrowRight", "ArrowDown", "Enter")
    figure.clicked([1, 0])
    assert figure.n_reports == 2


@pytest.mark.parametrize("width", [1280, 700, 400])
@pytest.mark.parametrize("shape", [(6, 8), (13, 13)])
def test_no_cell_of_a_map_with_numbers_is_blank(mount: Mount, width: int, shape: tuple[int, int]):
    """A blank cell reads as zero: what does not fit is smaller, has a digit less, or is “…”."""
    values = matrix(*shape)
    values[0, :3] = (3.21e-5, 123456, 0)
    figure = mount("heat_map", heat(values, numbers=True), width=width)
    left, top, wide, high = figure.data()
    assert left + shape[1] * wide <= width - 32
    drawing = ET.parse(figure.download("SVG")).getroot()
    places = [
        tuple(map(float, re.findall(r"[\d.]+", node.get("transform", ""))[:2]))
        for node in drawing.iter(f"{SVG}text")
        if node.get("text-anchor") == "middle" and "".join(node.itertext()).strip()
    ]
    printed = {(round((y - top) / high - 0.5), round((x - left) / wide - 0.5)) for x, y in places}
    cells = {(row, column) for row in range(shape[0]) for column in range(shape[1])}
    if wide < 20:
        assert "hover reads the numbers" in figure.root.locator(".readout").inner_text()
    else:
        assert cells <= printed


def test_a_number_without_room_is_three_dots(mount: Mount):
    values = np.full((2, 10), 0.5, dtype=np.float32)
    values[0, 0] = 123456
    shown = HeatMap(values, ("a", "b"), tuple("abcdefghij"), label="halves", numbers=True)
    figure = mount("heat_map", heat_map_frame(shown), width=290)
    texts = re.findall(r">([^<>]+)</text>", figure.download("SVG").read_text("utf-8"))
    assert texts.count("…") == 1
    assert texts.count(".5") == 19


def test_thirteen_tokens_in_a_third_of_a_page_are_numbers_one_can_read(mount: Mount):
    """Each with the decimals that it has room for; they were all but “…” once."""
    rows = np.random.default_rng(0).normal(size=(13, 13)) * 3
    weights = np.exp(rows) / np.exp(rows).sum(-1, keepdims=True)
    words = (*("the", "animal", "did", "n't", "cross", "the", "street"), *("because", "it", "was"))
    words += ("too", "tired", ".")
    for values in (weights.astype(np.float32), (4 * rows).astype(np.float32)):
        shown = HeatMap(values, words, words, label="a third", numbers=True, height=330)
        figure = mount("heat_map", heat_map_frame(shown), width=400)
        drawing = ET.parse(figure.download("SVG")).getroot()
        nodes = [
            node
            for node in drawing.iter(f"{SVG}text")
            if node.get("text-anchor") == "middle" and node.text not in (*words, "linear scale")
        ]
        texts = [str(node.text) for node in nodes]
        assert len(texts) == 169
        assert "…" not in texts
        assert all(float(node.get("font-size", "0")) >= 11 for node in nodes)
        for text, value in zip(texts, values.flat, strict=True):
            places = len(text.partition(".")[2])
            told = float(text.replace("−", "-"))
            assert abs(told - value) <= 0.5001 * 10**-places, (text, value)
            assert places or abs(value) >= 1, (text, value)
        assert "rounded: hover" in figure.root.locator(".readout").inner_text()
