"""A clicker's keys turn a lesson's step wherever the focus is, arrows where it is nowhere."""

import pytest
from playwright.sync_api import Page, expect

from tests.figures.conftest import Mount

PANEL = """() => {
    document.body.insertAdjacentHTML("beforeend", `
        <div class="st-key-lesson">
          <div class="st-key-lesson-back"><button>Back</button></div>
          <div class="st-key-lesson-next"><button>Next</button></div>
        </div><button id="other">a figure</button><textarea></textarea><p id="pressed"></p>`);
    const pressed = document.getElementById("pressed");
    for (const button of document.querySelectorAll(".st-key-lesson button"))
        button.addEventListener("click", () => (pressed.textContent += button.textContent + " "));
}"""


@pytest.fixture
def pressed(mount: Mount, page: Page):
    """What a panel's buttons say once they were pressed."""
    mount("lesson_keys").give(b"")
    page.evaluate(PANEL)
    return page.locator("#pressed")


def test_a_clicker_and_the_arrows_turn_the_step(pressed, page: Page):
    for key in ("PageDown", "PageUp", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(pressed).to_have_text("Next Back Next Back")


def test_a_figures_arrows_stay_its_own_and_a_clicker_turns_all_the_same(pressed, page: Page):
    page.locator("#other").press("ArrowRight")
    page.locator("#other").press("PageDown")
    expect(pressed).to_have_text("Next")


def test_whoever_writes_turns_nothing(pressed, page: Page):
    for key in ("ArrowLeft", "PageDown", "Control+ArrowRight"):
        page.locator("textarea").press(key)
    page.keyboard.press("Tab")
    expect(pressed).to_have_text("")


def test_a_button_that_is_off_is_not_pressed(pressed, page: Page):
    page.evaluate("document.querySelector('.st-key-lesson-back button').disabled = true")
    page.keyboard.press("PageUp")
    expect(pressed).to_have_text("")


def test_the_keys_go_with_the_lesson(pressed, page: Page):
    page.evaluate("figure.leave()")
    page.keyboard.press("PageDown")
    expect(pressed).to_have_text("")
