"""What stands beside figures: the link to copy, a chart's files, the offline page."""

import csv
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from playwright.sync_api import Page, expect

from app.components.frame import pack
from app.components.head_view import Choice
from app.components.standalone import standalone_page
from app.style.number_format import three
from core.trace import AttentionKind
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import CLICKS
from tests.figures.strange_texts import HOSTILE

PLOT = """() => {
    document.body.dataset.testid = "stVerticalBlock";
    const plot = document.body.appendChild(document.createElement("div"));
    plot.className = "js-plotly-plot";
    plot._context = {};
    plot._fullData = [
        { name: "loss <b>&lt;", x: [1, 2], y: [0.5, 0.25], text: ["first", ""] },
        { name: "hidden", x: [1], y: [9], visible: false },
    ];
    plot._fullLayout = { xaxis: { title: { text: "step" } }, yaxis: { title: { text: "nats" } } };
    const camera = plot.appendChild(document.createElement("a"));
    camera.className = "modebar-btn";
    camera.dataset.title = "Download plot as a png";
    camera.addEventListener("click", () => { document.title = JSON.stringify(
        plot._context.toImageButtonOptions) });
}"""


WORDS = """() => {
    const plot = document.querySelector(".js-plotly-plot");
    const places = [["gives way", 0], ["gives way", 10], ["", 12], ["gives way", 200]];
    plot._fullLayout.annotations = places.map(([name]) => ({ name }));
    for (const [i, [_, left]] of places.entries()) {
        const node = plot.appendChild(document.createElement("div"));
        node.className = "annotation";
        node.dataset.index = i;
        node.textContent = "a word";
        node.style.cssText = `position: absolute; left: ${left}px; top: 300px`;
    }
}"""
COUNT_ENTRIES = """() => {
    window.entries = 0;
    const push = history.pushState.bind(history);
    history.pushState = (...given) => { window.entries += 1; push(...given); };
}"""


def link(
    params: dict[str, str],
    too_long: str = "",
    step: int = 0,
    heard: int = 0,
    stay: int = 1,
    **more: object,
) -> bytes:
    header = {"params": list(params.items()), "too_long": too_long, "clicks": CLICKS}
    return pack(header | {"step": step, "stay": stay, "heard": heard} | more, {})


def test_a_link_replaces_the_url_and_keeps_how_the_page_is_framed(mount: Mount):
    figure = mount("permalink")
    page = figure.page
    page.evaluate("history.replaceState(null, '', '?layer=0&old=1&embed_options=light_theme')")
    page.evaluate(COUNT_ENTRIES)
    figure.show(link({"layer": "1", "text": "a b & ü"}))
    query = parse_qs(urlsplit(page.url).query)
    assert query == {"layer": ["1"], "text": ["a b & ü"], "embed_options": ["light_theme"]}
    figure.show(link({"layer": "2"}))
    assert parse_qs(urlsplit(page.url).query)["layer"] == ["2"]
    assert page.evaluate("window.entries") == 0


def test_a_step_is_an_entry_of_its_own_and_back_is_told(mount: Mount):
    figure = mount("permalink", link({"text": "a"}))
    page = figure.page
    page.evaluate(COUNT_ENTRIES)
    figure.show(link({"text": "b"}, step=1))
    figure.show(link({"text": "b", "layer": "2"}, step=1))
    assert page.evaluate("window.entries") == 1
    page.evaluate("history.back()")
    figure.clicked({"step": 0, "search": "?text=a", "count": 1})
    figure.show(link({"text": "a"}, heard=1))
    page.evaluate("history.forward()")
    figure.clicked({"step": 1, "search": "?text=b&layer=2", "count": 2})


def test_a_frame_from_before_back_does_not_take_forward_away(mount: Mount):
    """An answer on its way when the reader goes back belongs to the entry that was left."""
    figure = mount("permalink", link({"text": "a"}))
    page = figure.page
    figure.show(link({"text": "b"}, step=1))
    page.evaluate(COUNT_ENTRIES)
    page.evaluate("history.back()")
    figure.clicked({"step": 0, "search": "?text=a", "count": 1})
    figure.show(link({"text": "b", "layer": "2"}, step=1))
    assert page.evaluate("window.entries") == 0
    assert parse_qs(urlsplit(page.url).query) == {"text": ["a"]}
    page.evaluate("history.forward()")  # to what stands there still, before the first is heard
    figure.clicked({"step": 1, "search": "?text=b", "count": 2})
    figure.show(link({"text": "a"}, heard=1))
    assert parse_qs(urlsplit(page.url).query) == {"text": ["b"]}
    figure.show(link({"text": "b", "layer": "3"}, step=1, heard=2))
    assert parse_qs(urlsplit(page.url).query) == {"text": ["b"], "layer": ["3"]}


def test_a_back_that_a_stay_took_with_it_holds_no_later_frame_up(mount: Mount):
    figure = mount("permalink", link({"text": "a"}))
    page = figure.page
    figure.show(link({"text": "b"}, step=1))
    page.evaluate("history.back()")
    figure.clicked({"step": 0, "search": "?text=a", "count": 1})
    figure.show(link({"text": "c"}, stay=2))
    assert parse_qs(urlsplit(page.url).query) == {"text": ["c"]}


def test_a_link_is_copied_and_says_what_it_leaves_out(mount: Mount):
    figure = mount("permalink", link({"layer": "1"}, "The text stays out."))
    expect(figure.root).to_contain_text("The text stays out.")
    figure.root.get_by_role("button", name="Copy link").click()
    expect(figure.root.get_by_role("button", name="Link copied")).to_be_visible()
    assert figure.page.evaluate("navigator.clipboard.readText()") == figure.page.url


def test_a_charts_numbers_are_saved_as_a_table(mount: Mount):
    figure = mount("chart_files", pack({"name": "curve", "caption": "run 1"}, {}))
    figure.page.evaluate(PLOT)
    saved = figure.download("CSV")
    assert saved.name == "curve.csv"
    lines = list(csv.reader(saved.read_text("utf-8").splitlines()))
    assert lines[0][0].startswith("# run 1 · file:")
    assert lines[1:] == [
        ["curve", "step", "nats", "note"],
        ["loss  <", "1", "0.5", "first"],
        ["loss  <", "2", "0.25", ""],
    ]


def test_words_that_must_give_way_hide_behind_earlier_ones_and_are_counted(mount: Mount):
    header = {"name": "plane", "caption": ""}
    figure = mount("chart_files", pack(header, {}))
    figure.page.evaluate(PLOT)
    figure.show(pack(header | {"crowded": True}, {}))
    figure.page.evaluate(WORDS)
    expect(figure.root).to_contain_text("1 label has no room here")
    shown = [word.is_visible() for word in figure.page.locator(".annotation").all()]
    assert shown == [True, False, True, True]
    figure.page.evaluate("document.querySelector('.annotation').remove()")
    expect(figure.root).not_to_contain_text("no room")
    assert all(word.is_visible() for word in figure.page.locator(".annotation").all())


def test_the_menu_opens_closes_and_is_walked_by_keys(mount: Mount):
    figure = mount("chart_files", pack({"name": "curve", "caption": ""}, {}))
    save = figure.root.get_by_role("button", name="Save", exact=True)
    expect(figure.root.get_by_role("button", name="PNG")).to_be_hidden()
    save.focus()
    figure.page.keyboard.press("Enter")
    expect(save).to_have_attribute("aria-expanded", "true")
    expect(figure.root.get_by_role("button", name="PNG")).to_be_focused()
    figure.page.keyboard.press("ArrowUp")
    expect(figure.root.get_by_role("button", name="CSV")).to_be_focused()
    figure.page.keyboard.press("Escape")
    expect(save).to_be_focused()
    expect(figure.root.get_by_role("button", name="PNG")).to_be_hidden()
    save.click()
    figure.page.mouse.click(5, 5)
    expect(save).to_have_attribute("aria-expanded", "false")


def test_a_charts_picture_is_taken_by_its_own_camera(mount: Mount):
    figure = mount("chart_files", pack({"name": "curve", "caption": ""}, {}))
    figure.page.evaluate(PLOT)
    figure.root.get_by_role("button", name="Save", exact=True).click()
    figure.root.get_by_role("button", name="SVG").click()
    expect(figure.page).to_have_title('{"format":"svg","filename":"curve","scale":1}')
    figure.root.get_by_role("button", name="Save", exact=True).click()
    figure.root.get_by_role("button", name="PNG").click()
    expect(figure.page).to_have_title('{"format":"png","filename":"curve","scale":2}')


def test_an_offline_page_draws_the_same_figure_without_a_request(page: Page, tmp_path: Path):
    frame = samples.view(kind=AttentionKind.CROSS, selected=Choice(cell=(4, 2)))
    file = tmp_path / "figure.html"
    file.write_text(standalone_page(HOSTILE, "head_view", frame, f"caption {HOSTILE}"), "utf-8")
    page.goto(file.as_uri())
    expect(page.locator("[data-painted]")).to_be_visible()
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    expect(page.locator("h1")).to_have_text(HOSTILE)
    expect(page.locator("footer")).to_contain_text(f"caption {HOSTILE} · ")
    weight = samples.weights()[1][0][4, 2]
    expect(page.locator(".readout")).to_contain_text(three(weight))
    assert np.float32(page.locator(".readout").get_attribute("data-value")) == weight
    assert page.title() == HOSTILE
    assert page.locator("img").count() == 0


def test_a_frame_is_asked_for_with_size_and_colours_and_copied(mount: Mount, page: Page):
    figure = mount("permalink")
    page.evaluate("""() => { window.fetch = async (asked) => {
        document.body.dataset.asked = asked;
        return { json: async () => ({ html: "<iframe>" }) };
    } }""")
    page.evaluate("document.body.style.paddingTop = '20rem'")  # it stands at a page's end
    figure.show(link({"layer": "1"}, oembed="/oembed"))
    figure.root.get_by_role("button", name="Copy iframe").click()
    figure.root.get_by_label("Width").fill("960")
    figure.root.get_by_label("Colours").select_option("Dark")
    figure.root.get_by_label("With its controls").check()
    figure.root.get_by_role("button", name="Copy", exact=True).click()
    expect(figure.root.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "<iframe>"
    asked = parse_qs(urlsplit(page.locator("body").get_attribute("data-asked") or "").query)
    assert (asked["maxwidth"], asked["maxheight"]) == (["960"], ["450"])
    shown = parse_qs(urlsplit(asked["url"][0]).query)
    assert shown == {"layer": ["1"], "embed_options": ["dark_theme"], "controls": ["1"]}


def test_a_framed_page_has_the_way_to_the_app_alone(mount: Mount, page: Page):
    figure = mount("permalink")
    page.evaluate("history.replaceState(null, '', '?embed=true&embed_options=dark_theme')")
    figure.show(link({"layer": "1", "controls": "1"}, oembed="/oembed", framed=True))
    home = figure.root.get_by_role("link", name="Open in Glassformer")
    assert parse_qs(urlsplit(home.get_attribute("href") or "").query) == {"layer": ["1"]}
    expect(home).to_have_attribute("target", "_blank")
    expect(figure.root.get_by_role("button", name="Copy link")).to_be_hidden()
