"""Who teaches plays a lesson in one window, and has its notes in another."""

from playwright.sync_api import Browser, expect

from app.content.lessons import shipped
from tests.journeys.server import running_server

STEPS = shipped()["attention"].steps
FIRST, SECOND = STEPS[:2]


def test_the_notes_follow_and_turn_the_step(chromium: Browser):
    with running_server() as address, chromium.new_context() as windows:
        lesson = windows.new_page()
        lesson.goto(f"{address}/attention?lesson=attention.1&projector=1")
        expect(lesson.get_by_role("heading", name=FIRST.title)).to_be_visible()
        with windows.expect_page() as opened:
            lesson.get_by_role("link", name="Notes in a window").click()
        notes = opened.value
        expect(notes.get_by_role("heading", name=FIRST.title)).to_be_visible()
        notes.get_by_role("button", name="Next").click()  # the prediction is given up
        expect(lesson.locator(".st-key-lesson-reveal")).to_be_visible()
        notes.get_by_role("button", name="Next").click()
        expect(lesson.get_by_role("heading", name=SECOND.title)).to_be_visible()
        expect(notes.get_by_role("heading", name=SECOND.title)).to_be_visible()
        expect(notes.get_by_role("status")).to_contain_text(f"Step 2 of {len(STEPS)}")
