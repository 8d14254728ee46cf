"""A page in another's frame: the answer and its figure, no higher than the frame."""

from playwright.sync_api import Page, expect

from tests.figures.conftest import Mount

WIDE, HIGH = 800, 450
PAGE = """([answer, figures]) => {
    const page = document.body.appendChild(document.createElement("div"));
    document.body.style.margin = "0";
    page.dataset.testid = "stMainBlockContainer";
    const block = page.appendChild(document.createElement("div"));
    block.style.cssText = "display: flex; flex-direction: column";
    const put = (key, high, figure) => {
        const one = block.appendChild(document.createElement("div"));
        one.className = key;
        one.dataset.testid = "stElementContainer";
        const inner = one.appendChild(document.createElement("div"));
        if (figure) inner.dataset.testid = "stPlotlyChart";
        inner.style.height = `${high}px`;
    };
    put("lead", 40);
    if (answer) put("st-key-answer", answer);
    figures.forEach((high, i) => put(`figure-${i}`, high, true));
    put("prose", 2000);
}"""
STYLE = """[data-gf-kept="through"] > :not([data-gf-kept]) { position: absolute; inset: 0 0 auto;
    height: 0 !important; overflow: clip; visibility: hidden }"""


def staged(mount: Mount, page: Page, answer: int, figures: list[int]) -> Page:
    figure = mount("embed_stage")
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    page.add_style_tag(content=STYLE)
    page.evaluate(PAGE, [answer, figures])
    figure.give(b"")
    expect(page.locator("html")).to_have_attribute("data-gf-staged", "figure")
    return page


def test_the_answer_and_the_first_high_figure_are_all_that_is_seen(mount: Mount, page: Page):
    staged(mount, page, 30, [60, 200, 300])
    seen = page.locator("[data-gf-kept=whole]")
    expect(seen).to_have_count(2)
    expect(page.locator(".figure-1")).to_have_css("visibility", "visible")
    for hidden in (".lead", ".prose", ".figure-0", ".figure-2"):
        expect(page.locator(hidden)).to_have_css("visibility", "hidden")


def test_a_figure_that_is_higher_than_the_frame_is_made_smaller(mount: Mount, page: Page):
    staged(mount, page, 50, [600])
    expect(page.locator("[data-gf-scale]")).to_have_count(1)
    box = page.locator(".figure-0").bounding_box()
    page_box = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert box
    assert page_box
    assert HIGH - 5 <= box["y"] + box["height"] - page_box["y"] <= HIGH
    assert abs(box["x"] + box["width"] / 2 - WIDE / 2) < 1  # in the middle
    page.set_viewport_size({"width": WIDE, "height": 700})
    expect(page.locator("[data-gf-scale]")).to_have_count(0)


def test_a_figure_that_would_be_small_is_laid_out_as_on_a_desk(mount: Mount, page: Page):
    staged(mount, page, 50, [900])
    page.add_style_tag(content=".figure-0 { container-type: inline-size }")
    lower = "@container (width > 1000px) { .figure-0 > div { height: 500px !important } }"
    page.add_style_tag(content=lower)
    expect(page.locator("[data-gf-wide]")).to_have_count(1)
    room = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert room
    scale = room["width"] / 1100
    expect(page.locator("[data-gf-scale]")).to_have_attribute("data-gf-scale", f"{scale}")
    box = page.locator(".figure-0").bounding_box()
    assert box
    assert abs(box["width"] - room["width"]) < 1
    assert abs(box["height"] - 500 * scale) < 1
    page.set_viewport_size({"width": WIDE, "height": 1000})
    expect(page.locator("[data-gf-scale]")).to_have_count(0)
    expect(page.locator(".figure-0")).to_have_css("width", f"{room['width']:g}px")


def test_the_smallest_is_still_read_and_scrolls(mount: Mount, page: Page):
    staged(mount, page, 50, [5000])
    expect(page.locator("[data-gf-scale]")).to_have_attribute("data-gf-scale", "0.45")


def test_a_pointer_finds_its_cell_in_a_smaller_figure(mount: Mount, page: Page):
    from tests.figures.samples import SAMPLES

    figure = mount("heat_map", SAMPLES["heat_map"]())
    whole = figure.root.locator(".stack").first
    box = whole.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    said = figure.tip.text_content()
    assert said
    page.mouse.move(0, 0)
    figure.root.evaluate("root => { root.style.transform = 'scale(0.5)' }")
    box = whole.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(figure.tip).to_have_text(said)
