"""Enter runs a sentence, Shift+Enter breaks its line, an IME's Enter neither; wheels turn rows."""

import pytest
from playwright.sync_api import Page, expect

from tests.figures.conftest import Mount

# Runs on Ctrl+Enter, as Streamlit's does.
FIELD = """([place]) => {
    const box = document.body.appendChild(document.createElement("div"));
    box.className = place;
    const field = box.appendChild(document.createElement("textarea"));
    field.dataset.ran = "0";
    field.addEventListener("keydown", (event) => {
        const ran = Number(field.dataset.ran);
        if (event.key === "Enter" && event.ctrlKey) field.dataset.ran = String(ran + 1);
    });
}"""
COMPOSING = """field => field.dispatchEvent(new KeyboardEvent(
    "keydown", { key: "Enter", bubbles: true, cancelable: true, isComposing: true }))"""


@pytest.fixture
def field_in(mount: Mount, page: Page):
    """A text area in a container of that class, on a page with the component."""

    def made(place: str):
        figure = mount("hands")
        figure.give(b"")
        page.evaluate(FIELD, [place])
        return page.locator("textarea")

    return made


def test_enter_runs_and_leaves_the_text_alone(field_in):
    field = field_in("block st-key-sentence-bert-text")
    field.press_sequentially("one")
    field.press("Enter")
    expect(field).to_have_attribute("data-ran", "1")
    expect(field).to_have_value("one")
    field.press("Control+Enter")
    expect(field).to_have_attribute("data-ran", "2")
    field.press("Control+z")
    expect(field).not_to_have_value("one")  # the browser's own undo


def test_shift_enter_breaks_the_line(field_in):
    field = field_in("st-key-sentence-limited-tokenizers-text")
    field.press_sequentially("one")
    field.press("Shift+Enter")
    field.press_sequentially("two")
    expect(field).to_have_value("one\ntwo")
    expect(field).to_have_attribute("data-ran", "0")


def test_the_enter_that_ends_a_composition_is_the_imes(field_in):
    field = field_in("st-key-sentence-bert-text")
    field.evaluate(COMPOSING)
    expect(field).to_have_attribute("data-ran", "0")


def test_a_field_of_lines_keeps_enter(field_in):
    field = field_in("st-key-input-line")
    field.press_sequentially("one")
    field.press("Enter")
    expect(field).to_have_value("one\n")
    expect(field).to_have_attribute("data-ran", "0")


def test_nothing_is_heard_once_the_page_has_gone(field_in, page: Page):
    field = field_in("st-key-sentence-bert-text")
    page.evaluate("figure.leave()")
    field.press("Enter")
    expect(field).to_have_value("\n")
    expect(field).to_have_attribute("data-ran", "0")


ROW = """([place, inner]) => {
    document.body.style.height = "3000px";
    const row = document.body.appendChild(document.createElement("div"));
    row.className = place;
    row.style.cssText = "width: 200px; height: 40px; overflow-x: auto; scrollbar-width: none";
    const long = row.appendChild(document.createElement("div"));
    long.style.cssText = `width: ${inner}px; height: 30px`;
}"""


@pytest.fixture
def row_of(mount: Mount, page: Page):
    """A row 200 px wide with something longer in it, under the pointer."""

    def made(place: str, inner: int = 300):
        mount("hands").give(b"")
        page.evaluate(ROW, [place, inner])
        row = page.locator(f"[class='{place}']")
        row.hover()
        return row

    return made


def test_the_wheel_turns_a_row_that_goes_on_and_then_the_page(row_of, page: Page):
    row_of("block st-key-controls")
    for turned, place in ((60, 60), (-20, 40), (80, 100)):
        page.mouse.wheel(0, turned)
        expect_places(page, [place, 0])
    page.mouse.wheel(0, 60)
    expect_places(page, [100, 60])


@pytest.mark.parametrize(
    ("place", "inner"), [("block st-key-controls", 150), ("st-key-other", 300)]
)
def test_the_wheel_scrolls_the_page_where_no_row_goes_on(
    row_of, page: Page, place: str, inner: int
):
    row_of(place, inner)
    page.mouse.wheel(0, 60)
    expect_places(page, [0, 60])


def expect_places(page: Page, wanted: list[int]) -> None:
    """A browser scrolls in its own time."""
    page.wait_for_function(
        """wanted => {
            const row = document.querySelector("[class*=st-key]");
            return row.scrollLeft === wanted[0] && scrollY === wanted[1];
        }""",
        arg=wanted,
    )
