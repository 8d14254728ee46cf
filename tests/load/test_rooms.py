"""A room in two browsers, and one that two web processes share."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from app.services.settings import ROOMS_SETTING
from tests.journeys.browser_page import App, new_reader
from tests.journeys.server import running_server
from tests.load.room import held

pytestmark = pytest.mark.slow
PHONE = {"width": 390, "height": 844}
SENTENCE = "The owl saw the mouse before it ran."
TOMORROW = "const now = Date.now; Date.now = () => now() + 864e5;"  # a student's clock is wrong
QUESTION = {"lesson": "attention.1"}


@contextmanager
def two(chromium: Browser, address: str, there: str = "") -> Iterator[tuple[App, App]]:
    """A teacher's browser and a student's, perhaps at another address."""
    with ExitStack() as stack:
        teacher, desk = new_reader(chromium, address)
        student, phone = new_reader(chromium, there or address, viewport=PHONE)
        for context in (desk, phone):
            stack.callback(context.close)
        phone.add_init_script(TOMORROW)
        yield teacher, student
        assert [*teacher.errors, *student.errors] == []
        assert [*teacher.strangers, *student.strangers] == []


def opened(teacher: App) -> str:
    """The code of a new room."""
    page = teacher.page
    page.get_by_role("button", name="Display").click()
    teacher.act(lambda: page.get_by_role("button", name="Open a room").click())
    page.keyboard.press("Escape")
    code = re.search(r"Room (\w{5})", page.locator(".st-key-room").inner_text())
    assert code is not None
    return code[1]


def come(student: App, code: str) -> Page:
    student.page.goto(f"{student.address}/?room={code}")
    expect(student.page.get_by_text(f"Follow room {code}")).to_be_visible()
    return student.settled()


def desk(teacher: App, code: str) -> Locator:
    """What only the room's teacher has; a reload draws a student's line until the key is known."""
    return teacher.page.get_by_test_id("stPopoverButton").filter(has_text=f"Room {code}")


def link_of(app: App) -> str:
    return app.page.evaluate("location.pathname + location.search")


def expect_link(app: App, has: str) -> None:
    """Wait until its address has this."""
    app.page.wait_for_function("has => window.location.href.includes(has)", arg=has)


def test_a_student_s_browser_follows_the_teacher_s(chromium: Browser):
    with running_server() as address, two(chromium, address) as (teacher, student):
        teacher.open("attention", text=SENTENCE)
        code = opened(teacher)
        come(student, code)
        expect_link(student, "/attention?")
        expect_link(student, "owl")
        expect(teacher.page.get_by_text("1 student here")).to_be_visible()
        teacher.act(lambda: teacher.page.get_by_role("radio", name="All heads").click())
        expect_link(student, "view=heads")
        teacher.open("bert", room=code)  # a reload on the way: still the teacher
        expect(desk(teacher, code)).to_be_visible()
        expect_link(student, "/bert")
        # let go, come back
        switch = student.page.get_by_text(f"Follow room {code}")
        student.act(switch.click)
        teacher.open("gpt", room=code)
        expect(teacher.page.get_by_text("1 student here")).to_be_visible()
        assert link_of(student).startswith("/bert")
        switch.click()
        expect_link(student, "/gpt")
        student.settled()  # what the browser still fetches would be lost as well
        # the student's connection is lost, and comes back to what holds
        phone: BrowserContext = student.page.context
        phone.set_offline(True)
        teacher.open("about", room=code)
        teacher.open("attention", text=SENTENCE, room=code)
        phone.set_offline(False)
        expect_link(student, "/attention")
        # a poll
        teacher.open("attention", room=code, **QUESTION)
        answer = student.page.get_by_role("button", name="animal", exact=True)
        answer.click()
        expect(answer).to_have_attribute("aria-pressed", "true")
        expect(teacher.page.get_by_text("1 vote, 1 student here.")).to_be_visible()
        teacher.act(lambda: teacher.page.get_by_role("button", name="Reveal").click())
        expect(student.page.get_by_text("as you said")).to_be_visible()
        expect(teacher.page.get_by_text("The room (1 vote): animal (1).")).to_be_visible()
        # the end
        desk(teacher, code).click()
        expect(teacher.page.get_by_alt_text(f"QR code of {address}/?room={code}")).to_be_visible()
        teacher.act(lambda: teacher.page.get_by_role("button", name="Close the room").click())
        expect(student.page.get_by_text(f"Room {code} has ended")).to_be_visible()
        student.errors[:] = [e for e in student.errors if "ERR_INTERNET_DISCONNECTED" not in e]


def test_a_room_is_one_on_two_web_processes(chromium: Browser, tmp_path: Path):
    shared = {ROOMS_SETTING: str(tmp_path / "rooms.db")}
    with (
        running_server(**shared) as one,
        running_server(**shared) as other,
        two(chromium, one, other) as (teacher, student),
    ):
        teacher.open("attention", text=SENTENCE)
        code = opened(teacher)
        come(student, code)
        expect_link(student, "owl")
        expect(teacher.page.get_by_text("1 student here")).to_be_visible()
        teacher.open("attention", room=code, **QUESTION)
        student.page.get_by_role("button", name="animal", exact=True).click()
        expect(teacher.page.get_by_text("1 vote, 1 student here.")).to_be_visible()


def test_a_small_room_is_measured():
    table = "\n".join(held(5, "command"))
    assert "| errors; views that never came | 0; 0 |" in table
