"""What every component owes: it draws, fits, speaks, obeys the theme, and trusts no text."""

from __future__ import annotations

import struct
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from app.components.mount import HERE
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import SAMPLES
from tests.figures.strange_texts import CAPTION, HOSTILE, STRANGE, with_text

OTHERS = {  # no figures: files of their own
    *(
        "chart_files",
        "permalink",
        "hands",
        "lesson_keys",
        "lesson_resume",
        "room_stream",
        "ballot",
        "notes_window",
        "print_button",
    ),
    "embed_stage",
    "tour_offer",
}
OF_LOW = ("bpe_encoding", "bpe_fork", "bpe_stepper", "token_spans")  # no token is hostile there
WIDER = """root => {
    const scrolls = (node) => node !== root
        && (getComputedStyle(node).overflowX !== "visible" || scrolls(node.parentElement));
    const edge = root.getBoundingClientRect().right + 5; // a scroller has room for its focus ring
    return [...root.querySelectorAll("*")]
        .filter((node) => node.getBoundingClientRect().right > edge)
        .filter((node) => !node.closest(".unseen, .tip") && !scrolls(node.parentElement))
        .map((node) => `${node.tagName}.${node.className}`);
}"""
NAMELESS = """root => [...root.querySelectorAll("[role=img], [role=group], button, input, select")]
    .filter((node) => !node.getAttribute("aria-label") && !node.textContent && !node.labels?.length)
    .map((node) => node.outerHTML)"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
MARGIN = 16  # px around an exported figure
SVG = "{http://www.w3.org/2000/svg}"


def test_every_component_has_a_sample():
    assert {path.parent.name for path in HERE.glob("*/view.js")} - OTHERS == set(SAMPLES)


@pytest.mark.parametrize("component", sorted(SAMPLES))
def test_every_figure(mount: Mount, component: str):
    figure = mount(component)
    figure.show(SAMPLES[component]())
    assert figure.root.get_attribute("data-painted")
    assert figure.root.evaluate(NAMELESS) == []
    exports_are_whole(figure)
    fits_a_phone(figure)
    follows_the_theme(figure)
    is_drawn_once_and_leaves_nothing_behind(figure)


def exports_are_whole(figure: Figure) -> None:
    """A drawing and a picture of twice its pixels, both with what the figure is of."""
    drawing = ET.parse(figure.download("SVG")).getroot()
    wide, high = (float(drawing.get(side, 0)) for side in ("width", "height"))
    assert 100 < wide < 1280 + 2 * MARGIN
    words = " ".join("".join(node.itertext()) for node in drawing.iter(f"{SVG}text"))
    assert CAPTION in words
    first, second, *_ = drawing  # before anything that is drawn
    assert first.tag == f"{SVG}title"
    assert CAPTION in "".join(first.itertext())
    assert second.tag == f"{SVG}desc"
    assert len("".join(second.itertext())) > 10
    assert not list(drawing.iter(f"{SVG}script"))
    assert all(image.get("href", "").startswith("data:") for image in drawing.iter(f"{SVG}image"))
    png = figure.download("PNG").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (round(2 * wide), round(2 * high))


def fits_a_phone(figure: Figure) -> None:
    figure.page.set_viewport_size({"width": 390, "height": 844})
    root = figure.root.element_handle()
    figure.page.wait_for_function(f"root => ({WIDER})(root).length === 0", arg=root)
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= 390


def follows_the_theme(figure: Figure) -> None:
    expect(figure.root).to_have_css("color-scheme", "light")
    figure.page.emulate_media(color_scheme="dark")
    expect(figure.root).to_have_css("color-scheme", "dark")


def is_drawn_once_and_leaves_nothing_behind(figure: Figure) -> None:
    figure.root.evaluate("root => { root.dataset.milliseconds = 'kept' }")
    figure.page.evaluate(f"() => {{ figure.again(); return {TWO_FRAMES} }}")
    expect(figure.root).to_have_attribute("data-milliseconds", "kept")
    figure.page.evaluate("figure.leave()")
    expect(figure.root).to_have_count(0)


@pytest.mark.parametrize("component", sorted(SAMPLES))
def test_no_text_breaks_a_figure(mount: Mount, component: str):
    """On a phone, where a long one hurts most."""
    figure = mount(component, width=390)
    sample = SAMPLES[component]()
    token = "low" if component in OF_LOW else HOSTILE
    for text in STRANGE.values():
        figure.show(with_text(sample, text, token))
        assert figure.root.get_attribute("data-painted")
        assert figure.root.locator("img, script").count() == 0
        assert figure.page.title() == "figure"
        assert figure.root.evaluate(WIDER) == []
        ET.parse(figure.download("SVG"))
