"""BertViz's three views in a real browser: complete, offline, harmless, in both themes."""

from html import escape

import numpy as np
import pytest
from playwright.sync_api import Frame, Page

from app.components import bertviz
from app.style import theme
from tests.figures.bertviz_samples import N, make, maps_of_sentence, two_stacks
from tests.figures.strange_texts import HOSTILE


def lines(frame: Page | Frame, within: str = "svg") -> int:
    return frame.locator(f"{within} line").count()


def numbers(frame: Page | Frame, selector: str, attribute: str) -> np.ndarray:
    found = frame.locator(selector).evaluate_all(
        "(nodes, name) => nodes.map((node) => Number(node.getAttribute(name)))", attribute
    )
    return np.array(found)


def rgb(hexadecimal: str) -> str:
    parts = [str(int(hexadecimal[i : i + 2], 16)) for i in (1, 3, 5)]
    return f"rgb({', '.join(parts)})"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_each_view_is_drawn_whole_and_readable(view: str, dark: bool, page: Page):
    made = make(view, [maps_of_sentence()], dark=dark)
    page.set_viewport_size({"width": 1100, "height": made.height})
    page.set_content(made.html)
    expected = {"head": 12 * N * N, "model": 2 * 12 * N * N, "neuron": N * N}[view]
    assert lines(page, "#collapsed" if view == "neuron" else "svg") == expected
    assert page.evaluate("document.documentElement.scrollHeight") <= made.height
    colours = theme.page_colours(dark=dark)
    shown = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shown == rgb(colours["backgroundColor"])
    fills = page.locator("svg text:visible").evaluate_all(
        "(nodes) => [...new Set(nodes.map((node) => getComputedStyle(node).fill))]"
    )
    own = {"neuron": {"rgb(32, 32, 32)", "rgb(204, 204, 204)"}}.get(view, set())
    assert set(fills) <= {rgb(colours["textColor"])} | own


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_a_hostile_token_is_only_a_token(view: str, page: Page):
    page.set_content(make(view, [maps_of_sentence()]).html)
    if view == "model":
        page.mouse.click(100, 100)
    assert page.locator("img").count() == 0
    assert page.title() == f"BertViz {view} view"
    shown = page.locator("svg text").filter(has_text="</script>")
    assert shown.first.text_content() == HOSTILE[: bertviz.LONGEST_TOKEN[view] - 1] + "…"


def test_lines_carry_the_given_weights(page: Page):
    maps = maps_of_sentence()
    page.set_content(bertviz.head_view_page([maps], dark=False, layer=1, heads=[7]).html)
    opacities = numbers(page, "#attention line", "stroke-opacity").reshape(12, N, N)
    np.testing.assert_allclose(opacities[7], maps.weights[1][7], atol=6e-5)
    assert np.all(opacities[[0, 6, 8]] == 0)
    page.locator("#layer").select_option("0")
    opacities = numbers(page, "#attention line", "stroke-opacity").reshape(12, N, N)
    np.testing.assert_allclose(opacities[7], maps.weights[0][7], atol=6e-5)


def test_heads_ten_apart_have_colours_of_their_own(page: Page):
    page.set_content(make("head", [maps_of_sentence(n_layers=1, n_heads=24)]).html)
    strokes = page.locator("#attention .headAttention").evaluate_all(
        "(heads) => heads.map((head) => head.querySelector('line').getAttribute('stroke'))"
    )
    assert len(set(strokes)) == 24


def test_a_switched_off_head_fades_towards_the_page(page: Page):
    page.set_content(make("head", [maps_of_sentence()], dark=True).html)
    squares = page.locator("svg > g:last-child rect")
    before = squares.nth(0).get_attribute("fill")
    squares.nth(0).click()
    assert numbers(page, "#attention line", "stroke-opacity")[: N * N].max() == 0
    faded = squares.nth(0).get_attribute("fill")
    assert faded is not None
    assert faded != before
    assert faded.startswith("rgb")


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_stacks_of_two_and_three_layers(view: str, page: Page):
    """BertViz takes the encoder's number of layers for all kinds and cuts the decoder."""
    made = make(view, two_stacks())
    page.set_viewport_size({"width": 1100, "height": made.height})
    page.set_content(made.html)
    for kind, n_layers, n_lines in [("0", 2, 25), ("1", 3, 9), ("2", 3, 15), ("0", 2, 25)]:
        page.locator("#kind").select_option(kind)
        if view == "model":
            assert lines(page) == n_layers * 4 * n_lines
            continue
        assert page.locator("#layer option").count() == n_layers
        page.locator("#layer").select_option(str(n_layers - 1))
        if view == "head":
            assert lines(page) == 4 * n_lines
        else:
            assert lines(page, "#collapsed") == n_lines
        assert page.evaluate("document.documentElement.scrollHeight") <= made.height


def test_neuron_view_shows_the_models_own_scores(page: Page):
    maps = two_stacks()
    page.set_content(bertviz.neuron_view_page(maps, dark=False, layer=1, head=2).html)
    page.locator("#kind").select_option("2")
    assert "divided by 4," in (page.locator("#note").text_content() or "")
    page.locator("#layer").select_option("2")
    page.locator("#att_head").select_option("3")
    tokens = page.locator("#collapsed #leftText > g")
    tokens.nth(1).locator(".token").hover()
    tokens.nth(1).locator("rect").nth(1).click()
    page.locator("#expanded #leftText .token").nth(1).hover()
    cross = maps[2]
    scores = cross.queries[2][3, 1] @ cross.keys[2][3].T * np.float32(0.25)
    np.testing.assert_allclose(numbers(page, ".dotproduct", "data-value"), scores, atol=1e-3)
    opacities = page.locator("#expanded #rightText .highlight").evaluate_all(
        "(nodes) => nodes.map((node) => Number(node.style.opacity))"
    )
    np.testing.assert_allclose(opacities, cross.weights[2][3, 1], atol=6e-5)
    element = page.locator("#expanded #queries .vector").nth(0).locator(".element")
    drawn = element.evaluate_all("(nodes) => nodes.map((n) => Number(n.dataset.value))")
    np.testing.assert_allclose(drawn, cross.queries[2][3, 0], atol=6e-5)


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_two_sentences_can_be_looked_at_apart(view: str, page: Page):
    """The five parts are cut in the browser: the numbers travel once."""
    page.set_content(make(view, [maps_of_sentence()], pair=3).html)
    assert page.locator("#filter option").all_text_contents() == [
        "All", "A → A", "A → B", "B → A", "B → B",
    ]  # fmt: skip
    factor = {"head": 12, "model": 24, "neuron": 1}[view]
    within = "#collapsed" if view == "neuron" else "svg"
    for part, n_lines in [("aa", 9), ("ab", 6), ("ba", 6), ("bb", 4), ("all", 25)]:
        page.locator("#filter").select_option(part)
        assert lines(page, within) == factor * n_lines


def test_views_side_by_side_do_not_disturb_each_other(page: Page):
    """As in the app: each in its own frame, of the same origin."""
    first = make("head", [maps_of_sentence()]).html
    second = make("head", two_stacks(), dark=True).html
    frames = [f'<iframe srcdoc="{escape(html)}"></iframe>' for html in (first, second)]
    page.set_content("".join(frames))
    page.frame_locator("iframe").nth(1).locator("#kind").select_option("1")
    one, two = page.frames[1:]
    assert lines(one) == 12 * N * N
    assert lines(two) == 4 * 3 * 3
    assert one.evaluate("window.bertviz_params.include_heads.length") == 12
