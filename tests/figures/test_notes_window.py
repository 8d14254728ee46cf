"""A lesson's notes in another window: it hears the step that is played, and turns it."""

from typing import Any

from playwright.sync_api import Page, expect

from app.components.frame import pack
from app.components.lesson_keys import Notes
from tests.figures.conftest import Mount

NOTES = Notes("Attention", "One head", "Ask *them*.", "Two heads", 4, 9, 6, 2)
SAID = {
    "lesson": "Attention", "title": "One head", "notes": "Ask *them*.", "then": "Two heads",
    "step": 4, "steps": 9, "before": 6, "minutes": 2,
}  # fmt: skip
OTHER = """() => {
    window.other = new BroadcastChannel("glassformer.notes");
    window.others = [];
    window.other.onmessage = ({ data }) => window.others.push(data);
}"""


def frame(**header: Any) -> bytes:
    return pack(header, {})


def test_the_window_hears_a_step_and_turns_it(mount: Mount, page: Page):
    window = mount("notes_window")
    page.evaluate(OTHER)
    window.give(frame(shown=None, clicks=7))
    page.wait_for_function("window.others.some((one) => one.asks)")
    page.evaluate("(notes) => window.other.postMessage({ notes })", SAID)
    window.clicked(SAID)
    expect(page.get_by_role("status")).to_have_text("Step 4 of 9, planned for minute 6 to 8")
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("window.others.some((one) => one.turn === 'next')")


def test_what_the_page_shows_already_is_not_told_again(mount: Mount, page: Page):
    window = mount("notes_window")
    page.evaluate(OTHER)
    window.give(frame(shown=NOTES, clicks=7))
    page.evaluate("(notes) => window.other.postMessage({ notes })", SAID)
    expect(page.get_by_role("status")).to_contain_text("Step 4")
    assert window.n_reports == 0


def test_the_lesson_answers_and_is_turned(mount: Mount, page: Page):
    lesson = mount("lesson_keys")
    page.evaluate(OTHER)
    page.evaluate(
        """() => {
        document.body.insertAdjacentHTML("beforeend",
            '<div class="st-key-lesson-next"><button>Next</button></div>');
        document.querySelector(".st-key-lesson-next button").onclick = () => (window.turned = true);
        }"""
    )
    lesson.give(frame(standing=None, notes=NOTES))
    page.wait_for_function("window.others.length === 1")
    page.evaluate("window.other.postMessage({ asks: true })")
    page.wait_for_function("window.others.length === 2")
    assert page.evaluate("window.others[1].notes") == SAID
    page.evaluate("window.other.postMessage({ turn: 'next' })")
    page.wait_for_function("window.turned")


def test_a_student_s_lesson_says_nothing(mount: Mount, page: Page):
    lesson = mount("lesson_keys")
    page.evaluate(OTHER)
    lesson.give(frame(standing=None, notes=None))
    page.evaluate("window.other.postMessage({ asks: true })")
    page.evaluate("new BroadcastChannel('glassformer.notes').postMessage('later')")
    page.wait_for_function("window.others.length > 0")
    assert page.evaluate("window.others") == ["later"]
