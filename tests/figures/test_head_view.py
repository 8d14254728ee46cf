"""One head or several as lines and heatmap: every number exact, every click reported."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.head_view import Choice, Display
from app.style.number_format import three
from app.style.theme import page_colours
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import Figure

WEIGHTS = samples.weights()[1]


def cell_of(figure: Figure, query: float, key: float) -> tuple[float, float]:
    heatmap = figure.data()["heatmap"]
    side = heatmap["cell"]
    return heatmap["x"] + (key + 0.5) * side, heatmap["y"] + (query + 0.5) * side


def token_of(figure: Figure, row: int, side: str = "start") -> tuple[float, float]:
    lines = figure.data()["lines"]
    beside = -12 if side == "start" else 12
    return lines[side] + beside, lines["top"] + (row + 0.5) * lines["row"]


def test_hovering_a_cell_says_the_exact_weight_rank_and_times_uniform(mount: Mount):
    figure = mount("head_view", samples.view())
    weights = WEIGHTS[0]
    for query, key in ((0, 0), (4, 2), (7, 5)):
        figure.hover(*cell_of(figure, query, key))
        weight = weights[query, key]
        rank = 1 + int((weights[query] > weight).sum())
        expect(figure.tip).to_contain_text(f"{three(weight)} · rank {rank} of 8 · ")
        expect(figure.tip).to_contain_text(f"{three(float(weight) * 8)} × uniform")
        assert np.float32(figure.tip.get_attribute("data-value")) == weight  # all bits of it


def test_the_drawing_knows_the_maps_sum(mount: Mount):
    figure = mount("head_view", samples.view())
    assert float(figure.root.get_attribute("data-total") or 0) == pytest.approx(8, abs=1e-5)


def test_what_hidden_tokens_took_is_said(mount: Mount):
    figure = mount("head_view", samples.view())
    figure.hover(*cell_of(figure, 2, 1))
    expect(figure.tip).to_contain_text("hidden tokens took 0.412 of this row")
    figure.hover(*cell_of(figure, 3, 1))
    expect(figure.tip).not_to_contain_text("hidden tokens")


def test_hovering_a_token_lists_its_strongest_keys_in_order(mount: Mount):
    figure = mount("head_view", samples.view(24))
    row = samples.weights(24)[1][0][9]
    figure.hover(*token_of(figure, 9))
    expect(figure.tip.locator(".head")).to_have_text("word9 looks at")
    listed = figure.tip.inner_text().split("\n")[1:6]
    words = samples.tokens(24)
    best = np.argsort(-row)[:5]
    assert [line.split()[-1] for line in listed] == [three(row[key]) for key in best]
    plain = [key for key in best if words[key].startswith("word")]
    assert all(any(line.startswith(words[key]) for line in listed) for key in plain)


def test_a_cell_is_clicked_walked_pinned_and_let_go(mount: Mount):
    figure = mount("head_view", samples.view())
    figure.click(*cell_of(figure, 4, 2))
    figure.chose({"cell": [4, 2], "pinned": None, "front": 0})
    expect(figure.root.locator(".readout")).to_contain_text(three(WEIGHTS[0][4, 2]))
    figure.press("ArrowDown", "ArrowRight")
    figure.chose({"cell": [5, 3], "pinned": None, "front": 0})
    figure.press("Enter")
    figure.chose({"cell": [5, 3], "pinned": 5, "front": 0})
    expect(figure.root).to_have_attribute("data-painted", re.compile(" 8 lines"))  # its row's
    figure.press("Escape", "Escape")
    figure.chose({"cell": None, "pinned": None, "front": 0})


@pytest.mark.parametrize(("direction", "side"), [("from", "start"), ("to", "end")])
def test_clicking_a_token_pins_its_row_or_its_column(mount: Mount, direction, side):
    figure = mount("head_view", samples.view(display=Display(direction=direction)))
    figure.click(*token_of(figure, 2, side))
    figure.chose({"cell": None, "pinned": 2, "front": 0})
    expect(figure.root).to_have_attribute("data-painted", re.compile(" 8 lines"))
    rows = figure.root.locator("tbody tr")
    expect(rows).to_have_count(8)
    line = WEIGHTS[0][2] if direction == "from" else WEIGHTS[0][:, 2]
    printed = [cell[2] for cell in figure.table()[1:]]
    assert printed == [three(weight) for weight in np.sort(line)[::-1]]


def test_hovering_a_line_names_its_pair(mount: Mount):
    figure = mount("head_view", samples.view(display=Display(top_k=1)))
    weights = WEIGHTS[0]
    lines = figure.data()["lines"]
    query, key = np.unravel_index(weights.argmax(), weights.shape)
    figure.hover(lines["start"] + 4, lines["top"] + (query + 0.5) * lines["row"])
    expect(figure.tip).to_contain_text(three(weights[query, key]))
    assert np.float32(figure.tip.get_attribute("data-value")) == weights[query, key]


def test_lines_that_are_not_drawn_are_counted_and_weighed(mount: Mount):
    figure = mount("head_view", samples.view(96, 4))
    drawn = re.search(r"(\d+) lines", figure.root.get_attribute("data-painted") or "")
    assert drawn
    assert 0 < int(drawn[1]) <= 20_000
    said = re.search(
        r"([\d,]+) of ([\d,]+) lines drawn; the others carry [\d.]+ %",
        figure.download("SVG").read_text("utf-8"),
    )
    assert said, "the figure does not say what it leaves out"
    assert [int(n.replace(",", "")) for n in said.groups()] == [int(drawn[1]), 4 * 96 * 96]


def test_several_heads_have_chips_and_the_front_one_changes(mount: Mount):
    figure = mount("head_view", samples.view(n_maps=3))
    before = figure.root.get_attribute("data-painted") or ""
    figure.root.get_by_role("button", name="layer 1 · head 2").click()
    figure.chose({"cell": None, "pinned": None, "front": 2})
    expect(figure.root).not_to_have_attribute("data-painted", before)
    figure.hover(*cell_of(figure, 4, 2))
    for head in range(3):
        expect(figure.tip).to_contain_text(three(WEIGHTS[head, 4, 2]))


def test_the_table_holds_each_querys_strongest_key(mount: Mount):
    figure = mount("head_view", samples.view(12))
    figure.root.get_by_role("button", name="Table").click()
    expect(figure.root.locator("table")).to_be_visible()
    weights = samples.weights(12)[1][0]
    rows = figure.table()[1:]
    assert len(rows) == 12
    for query, (_, key, weight, context) in enumerate(rows):
        best = int(weights[query].argmax())
        assert key.endswith(f"({best})")
        assert weight == three(weights[query, best])
        assert context == f"rank 1 of 12 · {three(float(weights[query, best]) * 12)} × uniform"


def test_a_hostile_token_is_shown_as_it_is(mount: Mount):
    figure = mount("head_view", samples.view())
    figure.hover(*cell_of(figure, 3, 3))
    expect(figure.tip.locator(".head")).to_contain_text("</script><img")


def test_a_phone_stacks_the_panes(mount: Mount):
    figure = mount("head_view", samples.view(24), width=390)
    place = figure.data()
    assert place["heatmap"]["y"] > place["lines"]["top"] + 24 * place["lines"]["row"]
    assert place["heatmap"]["x"] + 24 * place["heatmap"]["cell"] <= 390


def test_the_page_may_seed_another_cell(mount: Mount):
    figure = mount("head_view", samples.view(n_maps=2))
    figure.click(*cell_of(figure, 1, 1))
    figure.show(samples.view(n_maps=2, selected=Choice((6, 2), None, 1), serial=2))
    assert figure.data("selection") == {"cell": [6, 2], "pinned": None, "front": 1}
    expect(figure.root.locator(".readout")).to_contain_text(three(WEIGHTS[1][6, 2]))


PATH = re.compile(r'<path d="([^"]+)" fill="none" stroke="([^"]+)" stroke-width="([^"]+)"([^>]*)/>')


def lines_of(figure: Figure) -> list[tuple[str, str, str, str]]:
    """Where each line runs, its colour, its width and its opacity, in the order drawn."""
    return PATH.findall(figure.download("SVG").read_text("utf-8"))


@pytest.mark.parametrize("n_maps", [1, 3])
def test_a_selected_pair_is_outlined_and_its_line_says_its_weight_alone(mount: Mount, n_maps: int):
    """The weakest of all is selected: it stays the faintest and the thinnest line."""
    plain = lines_of(mount("head_view", samples.view(n_maps=n_maps)))
    weakest = tuple(map(int, np.unravel_index(WEIGHTS[0].argmin(), WEIGHTS[0].shape)))
    chosen = samples.view(n_maps=n_maps, selected=Choice(cell=weakest))
    figure = mount("head_view", chosen)
    selected = lines_of(figure)
    assert selected[: len(plain)] == plain
    halo, gap, *own = selected[len(plain) :]
    assert len(own) == n_maps
    assert set(own) <= set(plain)
    assert {line[0] for line in (halo, gap, *own)} == {halo[0]}
    assert (as_hex(halo[1]), as_hex(gap[1])) == (
        page_colours(dark=False)["primaryColor"],
        page_colours(dark=False)["backgroundColor"],
    )
    assert float(halo[2]) > float(gap[2]) > max(float(line[2]) for line in own)


def as_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour))


def test_width_and_opacity_grow_with_the_weight(mount: Mount):
    lines = lines_of(mount("head_view", samples.view(selected=Choice(cell=(4, 2), pinned=4))))
    drawn = [line for line in lines if "rgb(" in line[1]][: WEIGHTS.shape[2]]
    widths = [float(line[2]) for line in drawn]
    assert widths == sorted(widths)
    assert len(set(widths)) > 3
