"""What a reader sees and does, in a real browser, against the exact numbers."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from app.components.head_view import Choice, Display, HeadView, head_view_frame
from app.components.selection import Seed
from app.components.standalone import standalone_page
from core.explain.attention.head_overview import head_overview
from core.trace import AttentionKind


def _demo() -> ModuleType:
    path = Path(__file__).with_name("demo.py")
    spec = importlib.util.spec_from_file_location("component_demo", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


demo = _demo()


def three_digits(value: float) -> str:
    """Three significant digits as draw.js prints them (for 1e-4 ≤ value < 999)."""
    return np.format_float_positional(value, precision=3, unique=False, fractional=False, trim="k")


def figure(page: Page, address: str) -> Locator:
    page.goto(address)
    painted = page.locator("[data-painted]")
    painted.wait_for()
    return painted


def geometry(root: Locator):
    return json.loads(root.get_attribute("data-geometry") or "null")


def to_thumbnail(
    page: Page,
    root: Locator,
    layer: float,
    head: float,
    *,
    click: bool = False,
    shift: bool = False,
):
    left, top, wide, high, gap = geometry(root)
    box = root.locator(".stack").bounding_box()
    assert box
    x = box["x"] + left + head * (wide + gap) + wide / 2
    y = box["y"] + top + layer * (high + gap) + high / 2
    page.mouse.move(x, y)
    if click:
        if shift:
            page.keyboard.down("Shift")
        page.mouse.click(x, y)
        if shift:
            page.keyboard.up("Shift")


# ---- all heads ----------------------------------------------------------------------------


def test_grid_paints_exactly_the_codes_of_the_overview(page, server):
    root = figure(page, f"{server}/?show=grid&size=20")
    overview = head_overview(
        demo.weights(3, 4, 20), query_tokens=demo.tokens(20), key_tokens=demo.tokens(20)
    )
    total = sum(int(codes.sum()) for codes in overview.codes)
    assert root.get_attribute("data-painted") == f"12 heads of 20 x 20 codes, sum {total}"


def test_grid_s_pixels_are_the_ramp_not_blank(page, server):
    root = figure(page, f"{server}/?show=grid")
    colours = root.locator("canvas").first.evaluate(
        """canvas => new Set(new Uint32Array(canvas.getContext('2d')
            .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    )
    assert colours > 100


def test_hovering_a_thumbnail_names_its_strongest_pair_exactly(page, server):
    root = figure(page, f"{server}/?show=grid")
    words = demo.tokens(8)
    special = np.array([word.startswith("[") for word in words])
    overview = head_overview(
        demo.weights(3, 4, 8),
        query_tokens=words,
        key_tokens=words,
        special_queries=special,
        special_keys=special,
    )
    for layer, head in ((0, 0), (2, 3), (1, 1)):
        to_thumbnail(page, root, layer, head)
        pair = overview.strongest[layer][head]
        assert pair is not None
        expect(root.locator(".status")).to_contain_text(f"layer {layer} · head {head}")
        expect(root.locator(".status")).to_contain_text(three_digits(pair.weight))
        assert float(root.locator(".status").get_attribute("data-value") or 0) == pair.weight


def test_click_shift_click_and_label_clicks_reach_python(page, server):
    root = figure(page, f"{server}/?show=grid")
    code = page.locator("[data-testid=stCode]")
    expect(code).to_have_text("((1, 2),)")
    to_thumbnail(page, root, 2, 0, click=True)
    expect(code).to_have_text("((2, 0),)")
    to_thumbnail(page, root, 0, 1, click=True, shift=True)
    expect(code).to_have_text("((2, 0), (0, 1))")
    to_thumbnail(page, root, 2, 0, click=True, shift=True)
    expect(code).to_have_text("((0, 1),)")
    left, _, wide, _, gap = geometry(root)
    to_thumbnail(
        page, root, 1, -(left / 2 + wide / 2) / (wide + gap), click=True
    )  # the label "1" at the left
    expect(code).to_have_text("((1, 0), (1, 1), (1, 2), (1, 3))")
    assert json.loads(root.get_attribute("data-selected") or "") == [[1, 0], [1, 1], [1, 2], [1, 3]]


def test_arrow_keys_walk_enter_selects_escape_keeps_one(page, server):
    root = figure(page, f"{server}/?show=grid")
    code = page.locator("[data-testid=stCode]")
    root.locator(".stack").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(root.locator(".status")).to_contain_text("layer 0 · head 3")
    page.keyboard.press("Enter")
    expect(code).to_have_text("((0, 3),)")
    page.keyboard.press("ArrowRight")  # the edge holds
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Enter")
    expect(code).to_have_text("((0, 3), (1, 3))")
    page.keyboard.press("Escape")
    expect(code).to_have_text("((1, 3),)")


def test_page_may_change_the_selection_after_the_reader_did(page, server):
    root = figure(page, f"{server}/?show=grid")
    code = page.locator("[data-testid=stCode]")
    to_thumbnail(page, root, 2, 0, click=True)
    expect(code).to_have_text("((2, 0),)")
    page.get_by_role("button", name="elsewhere").click()
    expect(code).to_have_text("((0, 0), (2, 3))")
    expect(root).to_have_attribute("data-selected", "[[0,0],[2,3]]")
    to_thumbnail(page, root, 1, 1, click=True)
    expect(code).to_have_text("((1, 1),)")


def test_a_selection_does_not_send_the_figure_again(page, server):
    received: list[int] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))),
    )
    root = figure(page, f"{server}/?show=grid&size=120")
    page.wait_for_timeout(500)
    assert max(received) > 20_000
    received.clear()
    to_thumbnail(page, root, 2, 0, click=True)
    expect(page.locator("[data-testid=stCode]")).to_have_text("((2, 0),)")
    assert sum(received) < 20_000


# ---- one head -----------------------------------------------------------------------------


def to_cell(page: Page, root: Locator, query: float, key: float) -> None:
    heatmap = geometry(root)["heatmap"]
    box = root.locator(".stack").bounding_box()
    assert box
    page.mouse.move(
        box["x"] + heatmap["x"] + (key + 0.5) * heatmap["cell"],
        box["y"] + heatmap["y"] + (query + 0.5) * heatmap["cell"],
    )


def test_hovering_a_cell_says_the_exact_weight_rank_and_times_uniform(page, server):
    root = figure(page, f"{server}/?show=view")
    weights = demo.weights(3, 4, 8)[1][0]
    tip = root.locator(".tip")
    for query, key in ((0, 0), (4, 2), (7, 5)):
        to_cell(page, root, query, key)
        weight = weights[query, key]
        rank = 1 + int((weights[query] > weight).sum())
        expect(tip).to_contain_text(f"{three_digits(weight)} · rank {rank} of 8 · ")
        expect(tip).to_contain_text(f"{three_digits(weight * 8)} × uniform")
        assert np.float32(tip.get_attribute("data-value")) == weight  # all bits of it


def test_what_hidden_tokens_took_is_said(page, server):
    root = figure(page, f"{server}/?show=view")
    to_cell(page, root, 2, 1)
    expect(root.locator(".tip")).to_contain_text("hidden tokens took 0.412 of this row")
    to_cell(page, root, 3, 1)
    expect(root.locator(".tip")).not_to_contain_text("hidden tokens")


def test_hovering_a_token_lists_its_strongest_keys_in_order(page, server):
    root = figure(page, f"{server}/?show=view&size=24")
    row = demo.weights(3, 4, 24)[1][0][9]
    lines = geometry(root)["lines"]
    box = root.locator(".stack").bounding_box()
    page.mouse.move(box["x"] + lines["start"] - 12, box["y"] + lines["top"] + 9.5 * lines["row"])
    tip = root.locator(".tip")
    expect(tip.locator(".head")).to_have_text("word9 looks at")
    listed = tip.inner_text().split("\n")[1:6]
    words = demo.tokens(24)
    best = np.argsort(-row)[:5]
    assert [line.split()[-1] for line in listed] == [three_digits(row[key]) for key in best]
    plain = [key for key in best if words[key].startswith("word")]
    assert all(any(line.startswith(words[key]) for line in listed) for key in plain)


def test_cell_click_keyboard_and_escape_round_trip(page, server):
    root = figure(page, f"{server}/?show=view")
    code = page.locator("[data-testid=stCode]")
    to_cell(page, root, 4, 2)
    page.mouse.down()
    page.mouse.up()
    expect(code).to_have_text("Choice(cell=(4, 2), pinned=None, front=0)")
    weight = demo.weights(3, 4, 8)[1][0][4, 2]
    expect(root.locator(".readout")).to_contain_text(three_digits(weight))
    root.locator(".stack").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(code).to_have_text("Choice(cell=(5, 3), pinned=None, front=0)")
    page.keyboard.press("Enter")
    expect(code).to_have_text("Choice(cell=(5, 3), pinned=5, front=0)")
    assert "8 lines" in (root.get_attribute("data-painted") or "")  # only the pinned row's
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(code).to_have_text("Choice(cell=None, pinned=None, front=0)")


def test_clicking_a_token_pins_its_row_or_its_column(page, server):
    for direction, side in (("from", "start"), ("to", "end")):
        root = figure(page, f"{server}/?show=view&direction={direction}")
        lines = geometry(root)["lines"]
        box = root.locator(".stack").bounding_box()
        x = box["x"] + lines[side] + (-12 if side == "start" else 12)
        page.mouse.click(x, box["y"] + lines["top"] + 2.5 * lines["row"])
        expect(page.locator("[data-testid=stCode]")).to_have_text(
            "Choice(cell=None, pinned=2, front=0)"
        )
        assert "8 lines" in (root.get_attribute("data-painted") or "")


def test_hovering_a_line_names_its_pair(page, server):
    root = figure(page, f"{server}/?show=view&top_k=1&size=8")
    weights = demo.weights(3, 4, 8)[1][0]
    lines = geometry(root)["lines"]
    query, key = np.unravel_index(weights.argmax(), weights.shape)
    box = root.locator(".stack").bounding_box()
    page.mouse.move(
        box["x"] + lines["start"] + 4, box["y"] + lines["top"] + (query + 0.5) * lines["row"]
    )
    tip = root.locator(".tip")
    expect(tip).to_contain_text(three_digits(weights[query, key]))
    assert np.float32(tip.get_attribute("data-value")) == weights[query, key]


def test_lines_that_are_not_drawn_are_counted_and_weighed(page, server):
    root = figure(page, f"{server}/?show=view&maps=4&size=96")
    drawn = int(re.search(r"(\d+) lines", root.get_attribute("data-painted") or "").group(1))
    assert 0 < drawn <= 20_000
    with page.expect_download() as download:
        root.get_by_role("button", name="SVG").click()
    text = Path(download.value.path()).read_text()
    said = re.search(r"([\d,]+) of ([\d,]+) lines drawn; the others carry ([\d.]+) %", text)
    assert said, "the figure does not say what it leaves out"
    count, total = (int(group.replace(",", "")) for group in said.groups()[:2])
    assert (count, total) == (drawn, 4 * 96 * 96)


def test_several_heads_have_chips_and_the_front_one_changes(page, server):
    root = figure(page, f"{server}/?show=view&maps=3")
    before = root.get_attribute("data-painted")
    root.get_by_role("button", name="layer 1 · head 2").click()
    expect(page.locator("[data-testid=stCode]")).to_have_text(
        "Choice(cell=None, pinned=None, front=2)"
    )
    assert root.get_attribute("data-painted") != before
    to_cell(page, root, 4, 2)
    weights = demo.weights(3, 4, 8)[1]
    for head in range(3):
        expect(root.locator(".tip")).to_contain_text(three_digits(weights[head, 4, 2]))


def test_table_holds_each_query_s_strongest_key(page, server):
    root = figure(page, f"{server}/?show=view&size=12")
    root.get_by_role("button", name="Table").click()
    weights = demo.weights(3, 4, 12)[1][0]
    rows = root.locator("tbody tr")
    expect(rows).to_have_count(12)
    for query in (0, 9):
        best = int(weights[query].argmax())
        expect(rows.nth(query)).to_contain_text(f"({best})")
        expect(rows.nth(query)).to_contain_text(three_digits(weights[query, best]))


@pytest.mark.parametrize("show", ["grid", "view", "cell"])
def test_hostile_tokens_stay_text(page, server, show):
    root = figure(page, f"{server}/?show={show}")
    if show == "view":
        root.get_by_role("button", name="Table").click()
        expect(root.locator("tbody")).to_contain_text("</script><img")
        to_cell(page, root, 3, 3)
        expect(root.locator(".tip .head")).to_contain_text("</script><img")
    assert root.locator("img").count() == 0
    assert "owned" not in page.title()


@pytest.mark.parametrize(
    ("show", "name"), [("grid", "all-heads"), ("view", "attention"), ("cell", "worked-cell")]
)
def test_png_and_svg_are_whole_pictures_with_their_caption(page, server, show, name):
    root = figure(page, f"{server}/?show={show}")
    with page.expect_download() as download:
        root.get_by_role("button", name="PNG").click()
    assert download.value.suggested_filename == f"{name}.png"
    png = Path(download.value.path()).read_bytes()
    width = int.from_bytes(png[16:20], "big")
    shown = root.locator("canvas").first.bounding_box()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert width == pytest.approx(2 * (shown["width"] + 32), abs=2)
    assert len(png) > 5000
    with page.expect_download() as download:
        root.get_by_role("button", name="SVG").click()
    svg = Path(download.value.path()).read_bytes()
    parsed = page.evaluate(
        """text => { const d = new DOMParser().parseFromString(text, 'image/svg+xml');
            return [d.querySelector('parsererror') === null, d.querySelectorAll('text').length,
                d.querySelectorAll('script,img').length] }""",
        svg.decode(),
    )
    assert parsed[0]
    assert parsed[1] > 5
    assert parsed[2] == 0
    assert "demo" in svg.decode()  # the caption


def test_theme_switch_repaints_on_the_new_background(page, server):
    page.emulate_media(color_scheme="light")
    root = figure(page, f"{server}/?show=view")
    weights = demo.weights(3, 4, 8)[1][0]
    query, key = np.unravel_index(weights.argmin(), weights.shape)  # all but the background
    heatmap = geometry(root)["heatmap"]
    place = [
        int(heatmap["x"] + heatmap["cell"] * (key + 0.5)),
        int(heatmap["y"] + heatmap["cell"] * (query + 0.5)),
    ]
    brightness = """(canvas, [x, y]) => canvas.getContext('2d')
        .getImageData(x, y, 1, 1).data.slice(0, 3).reduce((a, b) => a + b)"""
    canvas = root.locator("canvas").first
    assert canvas.evaluate(brightness, place) > 600
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(800)
    assert canvas.evaluate(brightness, place) < 200


def test_figure_in_a_closed_tab_is_drawn_when_it_opens(page, server):
    page.goto(f"{server}/?show=tabs")
    page.get_by_role("tab", name="second").click()
    expect(page.locator("[data-painted]")).to_be_visible()
    assert geometry(page.locator("[data-painted]"))[0]["w"] > 200


def test_projector_mode_enlarges_the_figure_in_place(page, server):
    root = figure(page, f"{server}/?show=projector")
    before = geometry(root)[0]["h"]
    page.get_by_test_id("stCheckbox").locator("label").click()
    page.wait_for_timeout(1500)
    assert geometry(root)[0]["h"] == pytest.approx(1.4 * before, rel=0.01)


def test_phone_width_stacks_the_panes_without_overflow(chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    opened = context.new_page()
    root = figure(opened, f"{server}/?show=view&size=24")
    place = geometry(root)
    assert place["heatmap"]["y"] > place["lines"]["top"] + 24 * place["lines"]["row"]
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


# ---- one cell -----------------------------------------------------------------------------


def test_worked_cell_s_text_carries_every_step(page, server):
    root = figure(page, f"{server}/?show=cell")
    cell = demo.demo_cell()
    root.get_by_role("button", name="Text").click()
    text = root.locator("pre").inner_text()
    assert f"= {three_digits(cell.weight)}" in text
    assert f"÷ {three_digits(cell.normaliser)}" in text
    assert f"{three_digits(abs(cell.dot))} ÷ √16 + 0 (nothing masked)" in text
    for weight in cell.row_weights:
        assert f"weight {three_digits(weight)}" in text
    root.get_by_role("button", name="Copy").click()
    expect(root.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == root.locator("pre").text_content()


def test_hovering_a_dimension_multiplies_the_real_numbers(page, server):
    root = figure(page, f"{server}/?show=cell")
    cell = demo.demo_cell()
    strip = next(part for part in geometry(root) if part["name"] == "products")
    box = root.locator(".stack").bounding_box()
    page.mouse.move(box["x"] + strip["x"] + 5.5 * strip["w"] / 16, box["y"] + strip["y"] + 5)
    tip = root.locator(".tip")
    expect(tip).to_contain_text("dimension 5")
    expect(tip).to_contain_text(three_digits(abs(cell.products[5])))
    assert np.float32(tip.get_attribute("data-value")) == cell.products[5]


# ---- the link -----------------------------------------------------------------------------


def test_permalink_replaces_the_url_and_a_reload_restores_it(page, server):
    figure(page, f"{server}/?show=link&embed_options=light_theme")
    before = page.evaluate("history.length")
    page.get_by_test_id("stNumberInputStepUp").click()
    page.wait_for_url("**layer=1**")
    page.get_by_test_id("stNumberInputStepUp").click()
    page.wait_for_url("**layer=2**")
    assert "embed_options=light_theme" in page.url
    assert page.evaluate("history.length") == before
    page.reload()
    expect(page.locator("[data-testid=stCode]")).to_contain_text("'text': 'a b & ü'")
    expect(page.locator("[data-testid=stCode]")).to_contain_text("layer 2")


def test_copy_link_copies_and_confirms(page, server):
    root = figure(page, f"{server}/?show=link")
    expect(root).to_contain_text("The text stays out.")
    root.get_by_role("button", name="Copy link").click()
    expect(root.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


# ---- the offline page ---------------------------------------------------------------------


def test_standalone_page_draws_the_same_figure_without_a_request(page, tmp_path):
    maps = demo.weights(3, 4, 8)[1][:1]
    view = HeadView(
        kind=AttentionKind.CROSS, names=("layer 1 · head 0",), palette=(0,), maps=maps,
        query_tokens=demo.tokens(8), key_tokens=demo.tokens(8), visible_keys=np.full(8, 8),
    )  # fmt: skip
    frame = head_view_frame(view, Display(), seed=Seed(Choice(cell=(4, 2))))
    file = tmp_path / "figure.html"
    file.write_text(
        standalone_page(demo.HOSTILE, "head_view", frame, f"caption {demo.HOSTILE}"), "utf-8"
    )
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    root = figure(page, file.as_uri())
    assert requests == [file.as_uri()]
    expect(page.locator("h1")).to_have_text(demo.HOSTILE)
    to_cell(page, root, 4, 2)
    expect(root.locator(".tip")).to_contain_text(three_digits(maps[0, 4, 2]))
    assert page.title() == demo.HOSTILE
    assert page.locator("img").count() == 0
