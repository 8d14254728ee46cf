"""Tokens, candidates and moved answers as rows: what is clicked is reported, once."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from app.components.candidates import Candidate, candidates_frame
from app.components.mount import HERE
from app.components.moved_answers import moved_frame
from app.components.token_row import Chip, token_row_frame
from app.style.number_format import three
from app.style.visible_space import visible
from tests.figures.conftest import Mount
from tests.figures.harness import CLICKS
from tests.figures.samples import CANDIDATES, CHIPS, MOVED, SAMPLES, SEEN
from tests.figures.strange_texts import CAPTION

SHARES = """(nodes, part) => nodes.map((node) => {
    const track = node.querySelector(".track").getBoundingClientRect();
    const bar = node.querySelector(part).getBoundingClientRect();
    return [(bar.left - track.left) / track.width, bar.width / track.width];
})"""


def test_tokens_are_buttons_that_report_one_click_once(mount: Mount):
    figure = mount("token_row", SAMPLES["token_row"]())
    figure.root.get_by_role("button", name="Ġdog").click()
    figure.clicked(4)
    figure.root.get_by_role("button", name="[MASK]").click()
    figure.clicked(3)
    assert figure.n_reports == 2
    figure.press("ArrowLeft", "Enter")
    figure.clicked(2)


def test_tokens_show_white_space_notes_and_tips(mount: Mount):
    figure = mount("token_row", SAMPLES["token_row"]())
    chips = figure.root.locator(".chips button")
    expect(chips.locator(".word")).to_have_text(["[CLS]", "the", SEEN, "[MASK]", "Ġdog", "␣⏎"])
    expect(chips.nth(1).locator(".note")).to_have_text("0.9")
    expect(chips.nth(2)).to_have_attribute("aria-label", f"{SEEN}, hostile, second line")
    chips.nth(2).hover()
    expect(figure.tip.locator("div")).to_have_text(["hostile", "second line"])


def test_a_token_says_its_id(mount: Mount):
    chips = (Chip("the", token_id=1996), Chip("cat", tip=("P = 0.5",), token_id=4937))
    figure = mount("token_row", token_row_frame(chips, label="Tokens", clickable=True))
    buttons = figure.root.locator(".chips button")
    buttons.nth(0).hover()
    expect(figure.tip.locator("div")).to_have_text(["the", "token id 1996"])
    buttons.nth(1).hover()
    expect(figure.tip.locator("div")).to_have_text(["P = 0.5", "token id 4937"])
    expect(buttons.nth(1)).to_have_attribute("aria-label", "cat, P = 0.5, token id 4937")


def test_saving_tokens_costs_no_line(mount: Mount):
    figure = mount("token_row", token_row_frame((Chip("the"),), label="One", caption=CAPTION))
    expect(figure.root.get_by_role("button", name="Save")).to_be_visible()
    heights = [
        box["height"]
        for part in (".line", ".chip")
        if (box := figure.root.locator(part).bounding_box()) is not None
    ]
    assert heights[0] < 1.5 * heights[1]


def test_marks_in_tokens_are_explained_below_the_figure(mount: Mount):
    figure = mount("token_row", SAMPLES["token_row"]())
    line = figure.root.locator(".marks")
    expect(line).to_have_text("␣ a space · Ġ a space, at byte level · ⏎ a line break")
    figure.show(token_row_frame((Chip("▁der"), Chip("##en")), label="Marks"))
    expect(figure.root.locator(".word")).to_have_text(["␣der", "##en"])
    expect(line).to_have_text("␣ a space · ## goes on with a word")
    figure.show(token_row_frame((Chip("the"),), label="None"))
    expect(line).to_have_text("")


def test_python_shows_white_space_as_the_browser_does(page: Page):
    tokens = ["▁der", " a\tb", "\r\n", "Ġdog", "the", "▁", " "]
    script = (HERE / "marks.js").read_text("utf-8")
    shown = page.evaluate(f"tokens => {{ {script}\nreturn tokens.map(visible) }}", tokens)
    assert shown == [visible(token) for token in tokens]


def test_tokens_that_cannot_be_clicked_are_no_buttons(mount: Mount):
    figure = mount("token_row", token_row_frame(CHIPS, label="Tokens"))
    expect(figure.root.locator(".chips .chip")).to_have_count(len(CHIPS))
    expect(figure.root.locator(".chips button")).to_have_count(0)


def test_the_focus_stays_where_it_was_when_the_row_is_drawn_anew(mount: Mount):
    figure = mount("token_row", SAMPLES["token_row"]())
    figure.root.get_by_role("button", name="[MASK]").click()
    figure.show(token_row_frame(CHIPS, label="Other", clickable=True))
    expect(figure.root.locator(".chips button").nth(3)).to_be_focused()


def test_candidates_have_bars_as_long_as_their_probability(mount: Mount):
    figure = mount("candidates", SAMPLES["candidates"]())
    rows = figure.root.locator(".rows .row")
    lengths = [share for _, share in rows.evaluate_all(SHARES, ".fill")]
    assert lengths[:2] == pytest.approx([0.61803, 0.2], abs=0.01)
    printed = [f"{three(one.probability)}{one.note}" for one in CANDIDATES]
    expect(rows.locator(".value")).to_have_text(printed)
    assert [float(row.get_attribute("data-probability") or 0) for row in rows.all()] == [
        one.probability for one in CANDIDATES
    ]


def test_a_candidate_says_its_id(mount: Mount):
    rows = (Candidate("cat", 0.5, tip=("logit 2",), token_id=4937), Candidate("dog", 0.25))
    figure = mount("candidates", candidates_frame(rows, label="Candidates"))
    figure.root.locator(".row").nth(0).hover()
    expect(figure.tip.locator("div")).to_have_text(["logit 2", "token id 4937"])
    figure.root.locator(".row").nth(1).hover()
    expect(figure.tip).to_be_hidden()


def test_candidates_are_clicked_and_walked(mount: Mount):
    figure = mount("candidates", SAMPLES["candidates"]())
    figure.root.locator(".row").nth(1).click()
    figure.clicked(1)
    figure.press("ArrowUp", "Enter")
    figure.clicked(0)
    figure.show(candidates_frame(CANDIDATES, label="Candidates"))
    expect(figure.root.locator(".rows button")).to_have_count(0)


def test_an_answer_shows_what_it_kept_lost_and_gained(mount: Mount):
    figure = mount("moved_answers", SAMPLES["moved_answers"]())
    rows = figure.root.locator(".row")
    for part, expected in (
        (".kept", [(0, 0.25), (0, 0.1), (0, 0.125)]),
        (".moved-part", [(0.25, 0.35), (0.1, 0.4), (0.125, 0)]),
    ):
        drawn = rows.evaluate_all(SHARES, part)
        assert np.array(drawn) == pytest.approx(np.array(expected), abs=0.01)
    expect(rows.locator(".value")).to_have_text(
        [f"{three(row.before)} → {three(row.after)}" for row in MOVED]
    )
    expect(rows.locator(".change")).to_have_text(["−0.350", "+0.400", "±0"])
    expect(rows.locator(".rank")).to_have_text(["1 → 2", "3 → 1", "2 → 3"])


def test_rows_keep_their_nodes_when_the_answers_move(mount: Mount):
    figure = mount("moved_answers", SAMPLES["moved_answers"]())
    figure.root.locator(".row").first.evaluate("node => { node.dataset.kept = 'yes' }")
    turned = moved_frame(MOVED[::-1], label="Answers", clickable=True, clicks=CLICKS)
    figure.show(turned)
    expect(figure.root.locator(".row").last).to_have_attribute("data-kept", "yes")
    figure.root.locator(".row").last.click()
    figure.clicked(2)


def test_a_caption_is_what_makes_rows_worth_saving(mount: Mount):
    figure = mount("candidates", candidates_frame(CANDIDATES, label="Candidates"))
    expect(figure.root.get_by_role("button", name="Save")).to_be_hidden()
    figure.show(candidates_frame(CANDIDATES, label="Candidates", caption=CAPTION))
    expect(figure.root.get_by_role("button", name="Save")).to_be_visible()


@pytest.mark.parametrize(
    ("component", "make", "rows"),
    [
        ("token_row", token_row_frame, CHIPS),
        ("candidates", candidates_frame, CANDIDATES),
        ("moved_answers", moved_frame, MOVED),
    ],
)
def test_a_click_says_which_things_it_was_meant_for(mount: Mount, component: str, make, rows):
    figure = mount(component, SAMPLES[component]())
    figure.show(make(rows[:2], label="Others", clickable=True, clicks=CLICKS + 1))
    figure.root.locator(".chips button, .row").nth(1).click()
    figure.clicked(1, serial=CLICKS + 1)
