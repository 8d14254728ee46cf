"""A browser's end of a room, on a server that the test plays."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from app.components.ballot import Ballot
from app.components.frame import pack
from tests.figures.conftest import Mount
from tests.figures.harness import Figure

SERVER = """() => {
    window.streams = [];
    window.EventSource = class {
        static CLOSED = 2;
        constructor(url) { this.url = url; this.readyState = 1; window.streams.push(this); }
        close() { this.readyState = 2; }
    };
    window.asked = [];
    window.answer = [200, {}];
    window.fetch = async (url, options) => {
        window.asked.push([url, options]);
        const [status, body] = window.answer;
        return new Response(status === 204 ? null : JSON.stringify(body), { status });
    };
    localStorage.clear();
}"""
TELL = """(news) => window.streams.at(-1).onmessage({ data: JSON.stringify(
    { version: 1, away: false, ended: false, spread: 0, ...news }) })"""
EAR = {
    "at": "/rooms",
    "code": "KX4PQ",
    "key": "mine",
    "teaches": False,
    "follows": True,
    "known": 1,
    "settled": False,
    "clicks": 7,
}
BALLOT = {
    "label": "Which?",
    "options": ("cat", "<b>dog"),
    "at": "/rooms",
    "key": "k",
    "poll": "a.1",
}


def frame(**changed: object) -> bytes:
    return pack(EAR | changed, {})


@pytest.fixture
def stream(mount: Mount, page: Page) -> Figure:
    figure = mount("room_stream")
    page.evaluate(SERVER)
    return figure


def test_a_student_s_browser_asks_for_a_run_when_the_page_is_behind(stream: Figure, page: Page):
    stream.show(frame())
    assert page.evaluate("window.streams.map((one) => one.url)") == ["/rooms/events?key=mine"]
    page.evaluate(TELL, {"version": 1})
    page.evaluate(TELL, {"version": 2})
    stream.clicked({"version": 2})
    stream.show(frame(known=2, settled=True))
    page.evaluate(TELL, {"version": 2})
    assert page.evaluate("window.streams.length") == 1
    page.evaluate(TELL, {"version": 3})
    stream.clicked({"version": 3})


def test_who_looks_alone_is_not_taken_along_and_catches_up(stream: Figure, page: Page):
    stream.show(frame(follows=False))
    page.evaluate(TELL, {"version": 5})
    expect(stream.said).not_to_have_attribute("data-click", "{}")
    assert page.evaluate("document.getElementById('said').dataset.reports") is None
    stream.show(frame(follows=True))
    stream.clicked({"version": 5})


def test_what_is_amiss_is_said(stream: Figure, page: Page):
    stream.show(frame())
    page.evaluate(TELL, {"away": True})
    expect(stream.root.get_by_role("status")).to_have_text(
        "The teacher is away; what was shown last stays."
    )
    page.evaluate("window.streams[0].onerror()")
    expect(stream.root.get_by_role("status")).to_have_text(
        "The connection is lost; it comes back by itself."
    )
    page.evaluate(TELL, {})
    expect(stream.root.get_by_role("status")).to_have_text("")
    page.evaluate(TELL, {"ended": True})
    stream.clicked({"version": -1})
    assert page.evaluate("window.streams[0].readyState") == 2
    assert page.evaluate("localStorage.length") == 0


def test_a_browser_tells_the_key_that_it_had_before(stream: Figure, page: Page):
    page.evaluate("localStorage.setItem('glassformer.room.KX4PQ', 'before')")
    stream.show(frame())
    stream.clicked({"key": "before"})
    assert page.evaluate("window.streams.length") == 0
    stream.show(frame(settled=True))  # it was forged
    assert page.evaluate("window.streams.length") == 1
    assert page.evaluate("localStorage.getItem('glassformer.room.KX4PQ')") == "mine"


def test_the_teacher_s_says_that_it_is_there(stream: Figure, page: Page):
    page.evaluate("window.answer = [200, { here: 2, votes: [] }]")
    stream.show(frame(teaches=True, settled=True))
    expect(stream.root.get_by_role("status")).to_have_text("2 students here")
    url, options = page.evaluate("window.asked[0]")
    assert url == "/rooms/desk"
    assert options["headers"] == {"X-Glassformer-Key": "mine"}
    assert page.evaluate("window.streams.length") == 0


def test_a_vote_is_sent_and_marked_and_may_change(mount: Mount, page: Page):
    figure = mount("ballot")
    page.evaluate(SERVER)
    page.evaluate("window.answer = [204]")
    figure.show(pack({**BALLOT, "counts": False, "mine": None}, {}))
    cat, dog = (figure.root.get_by_role("button", name=name) for name in ("cat", "<b>dog"))
    cat.click()
    expect(cat).to_have_attribute("aria-pressed", "true")
    dog.focus()
    page.keyboard.press("Enter")
    expect(dog).to_have_attribute("aria-pressed", "true")
    expect(cat).to_have_attribute("aria-pressed", "false")
    sent = page.evaluate("window.asked.map(([url, { body }]) => [url, JSON.parse(body)])")
    vote = {"key": "k", "poll": "a.1"}
    assert sent == [["/rooms/vote", {**vote, "option": 0}], ["/rooms/vote", {**vote, "option": 1}]]
    page.evaluate("window.answer = [409, { told: 'Votes count no more.' }]")
    cat.click()
    expect(figure.root.get_by_role("status")).to_have_text("Votes count no more.")
    expect(dog).to_have_attribute("aria-pressed", "true")
    page.evaluate("() => { window.fetch = async () => { throw new TypeError('Failed'); }; }")
    cat.click()
    expect(figure.root.get_by_role("status")).to_have_text(
        "Your vote did not arrive. Choose again."
    )


def test_the_bars_are_the_votes(mount: Mount, page: Page):
    figure = mount("ballot")
    page.evaluate(SERVER)
    page.evaluate("window.answer = [200, { here: 5, votes: [1, 3] }]")
    figure.show(pack({**BALLOT, "counts": True, "mine": None}, {}))
    expect(figure.root.get_by_role("status")).to_have_text("4 votes, 5 students here.")
    expect(figure.root.locator(".count")).to_have_text(["1", "3"])
    shares = "(all) => all.map((one) => one.style.width)"
    assert figure.root.locator(".share").evaluate_all(shares) == ["25%", "75%"]
    assert figure.root.get_by_role("button").count() == 0
    assert Ballot(**BALLOT, counts=True).mine is None  # type: ignore[arg-type]


HEADS = {
    **BALLOT,
    "options": tuple(f"{layer}.{head}" for layer in range(3) for head in range(4)),
    "grid": {"rows": 3, "columns": 4, "titles": ("layer", "head")},
}


def test_a_head_is_voted_for_by_keys_alone(mount: Mount, page: Page):
    figure = mount("ballot")
    page.evaluate(SERVER)
    page.evaluate("window.answer = [204]")
    figure.show(pack({**HEADS, "counts": False, "mine": None}, {}))
    expect(figure.root.locator("button.cell[tabindex='0']")).to_have_count(1)
    figure.root.get_by_role("button", name="0.0").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    voted = figure.root.get_by_role("button", name="0.2")
    expect(voted).to_be_focused()
    expect(voted).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("JSON.parse(window.asked[0][1].body).option") == 2
    expect(figure.root.locator("button.cell[tabindex='0']")).to_have_count(1)


def test_votes_shade_the_grid_and_stand_in_it(mount: Mount, page: Page):
    figure = mount("ballot")
    page.evaluate(SERVER)
    votes = [0, 3, 1, *([0] * 9)]
    page.evaluate(f"window.answer = [200, {{ here: 5, votes: {votes} }}]")
    picture = np.full((30, 40, 3), 120, dtype=np.uint8)
    figure.show(pack({**HEADS, "counts": True, "mine": None}, {"picture": picture}))
    told = "4 votes, 5 students here. Most, 3: 0.1."
    expect(figure.root.get_by_role("status")).to_have_text(told)
    cells = figure.root.locator(".cell")
    expect(cells.nth(1)).to_have_attribute("aria-label", "0.1: 3")
    expect(cells.nth(1).locator(".count")).to_have_text("3")
    shades = "(all) => all.slice(0, 4).map((one) => Number(one.style.opacity).toFixed(2))"
    assert figure.root.locator(".share").evaluate_all(shades) == ["0.00", "1.00", "0.33", "0.00"]
    assert figure.root.get_by_role("button").count() == 0
    wide, high = figure.root.locator("canvas").evaluate("(one) => [one.width, one.height]")
    assert (wide, high) == (40, 30)
