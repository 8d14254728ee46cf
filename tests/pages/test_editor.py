"""A lesson is made: views are added, put in order and given words, and come out as a file."""

import pytest

from app.content.lessons import FILE, Predict, shipped
from app.content.lessons.reading import read
from app.content.lessons.writing import write
from app.ui.lesson.own import PAGES
from app.views.editor import pictures
from tests.app.content.test_lesson_pictures import drawn
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page
from tests.pages.test_own_lessons import LESSON, open_on

ADD = "Add to my lesson"
MADE = "own-my-lesson"
HEADS = {"model": "minilm-l6", "text": "The cat sat because it was tired.", "heads": "3.1"}


def lesson(page: Page, name: str = MADE):
    """As the file says it."""
    return read(page.file(f"{name}.md").decode(), name)


def field(page: Page, label: str):
    every = (*page.text_input, *page.text_area, *page.number_input, *page.selectbox)
    (found,) = (one for one in every if one.label.startswith(label))
    return found


def write_in(page: Page, label: str, said: object) -> Page:
    field(page, label).set_value(said).run()
    return page


def editing(text: str = LESSON) -> Page:
    return open_on(Page("editor"), text)


@pytest.fixture
def made() -> Page:
    """The editor after two views were added."""
    page = Page("attention", **HEADS).press(ADD)
    assert "My lesson · 1 step" in page.text
    page.go("blocks", part="root").press(ADD)
    assert "My lesson · 2 steps" in page.text
    return page.go("editor")


def test_views_are_added_with_a_title_a_text_and_their_link(made: Page):
    first, second = lesson(made).steps
    assert first.title == "One sentence: “The cat sat because it was tired.”"
    assert first.text.startswith("Each head decides")
    assert (first.page, second.page) == ("attention", "blocks")
    assert first.state.items() >= HEADS.items()
    assert second.state.items() <= {"part": "root", "view": "attention"}.items()


@pytest.mark.parametrize("shown", [one for one in SHOWN if one.title], ids=str)
def test_every_view_can_be_added_and_opened_again(shown: Shown):
    page = Page(shown.path, **shown.link).press(ADD)
    assert "My lesson · 1 step" in page.text
    (step,) = lesson(page.go("editor")).steps
    assert step.page == shown.path
    assert step.state.keys() <= {*shown.link, *shown.params}
    assert step.text


def test_a_hostile_text_is_added_as_words():
    page = Page("attention", **HEADS | {"text": "A <b>cat</b> ![x](http://e/x.png) `sat`."}).press(
        ADD
    )
    (step,) = lesson(page.go("editor")).steps
    assert "<" not in step.title
    assert step.state["text"] == "A <b>cat</b> ![x](http://e/x.png) `sat`."


def test_a_step_that_is_played_is_added_without_its_lesson():
    page = Page("attention", lesson="attention.1").press("I don’t know").press(ADD)
    (step,) = lesson(page.go("editor")).steps
    assert not {"lesson", "lesson_file"} & step.state.keys()


def test_words_are_changed_and_come_out_in_the_file(made: Page):
    write_in(made, "Title of the step", "Root")
    write_in(made, "What is said beside the page", "With *and* without.")
    write_in(made, "Notes", "Wait.")
    write_in(made, "Minutes", 7)
    write_in(made, "The page beside it", "https://here.org/gf/gpt?view=next")
    write_in(made, "What it is about", "Two steps.")
    found = lesson(made)
    step = found.steps[1]
    assert (step.title, step.text, step.notes, step.minutes) == (
        "Root", "With *and* without.", "Wait.", 7,
    )  # fmt: skip
    assert (step.page, step.state) == ("gpt", {"view": "next"})
    assert found.about == "Two steps."
    assert found.steps[0].page == "attention"


def test_what_a_model_is_asked_is_chosen_and_filled_in(made: Page):
    (first,) = (one.label for one in made.button if one.label.startswith("1\\."))
    made.press(first)
    write_in(made, "To predict", "attended token")
    assert "needs “head”" in made.notices
    write_in(made, "Head", "3.1")
    write_in(made, "Word", "it")
    write_in(made, "The question", "Where does it look?")
    write_in(made, "What is said once", "At {{answer}}.")
    assert made.notices == ""
    step = lesson(made).steps[0]
    assert step.predict == Predict(
        "attended token", "Where does it look?", {"head": "3.1", "word": "it"}
    )
    assert step.reveal == "At {{answer}}."
    write_in(made, "Head", "")
    assert lesson(made).steps[0].predict == Predict(
        "attended token", "Where does it look?", {"word": "it"}
    )
    write_in(made, "To predict", "nothing")
    assert lesson(made).steps[0].predict is None


def test_steps_are_put_in_order_taken_out_and_put_back(made: Page):
    made.press("Earlier")
    assert [step.page for step in lesson(made).steps] == ["blocks", "attention"]
    made.press("Later").press("Remove")
    assert [step.page for step in lesson(made).steps] == ["attention"]
    (back,) = (one.label for one in made.button if one.label.startswith("Put back"))
    made.press(back)
    assert [step.page for step in lesson(made).steps] == ["attention", "blocks"]
    made.press("New step")
    assert [step.title for step in lesson(made).steps][2] == "A first step"


def test_the_last_step_stays():
    page = Page("blocks", part="root").press(ADD).go("editor")
    (remove,) = (one for one in page.button if one.label == "Remove")
    assert remove.disabled


@pytest.mark.parametrize(
    ("label", "typed", "told"),
    [
        (
            "What is said beside",
            "A <script>alert(1)</script>",
            "HTML does not go, such as <script>",
        ),
        ("What is said beside", "![x](http://elsewhere/x.png)", "a picture stands on a line"),
        ("What is said beside", "![x][cat]", "“First” shows a picture “cat”; the lesson has none"),
        ("What is said beside", "", "this step has no text"),
        ("Title of the step", " ", "“title:” is missing"),
        ("The page beside it", "nowhere?a=b", "there is no page “nowhere”"),
        ("The page beside it", "gpt?a", "“gpt?a” is no link"),
        ("What it is about", "", "“about:” is missing"),
    ],
)
def test_what_no_lesson_can_hold_is_told_and_kept_in_its_field(label: str, typed: str, told: str):
    page = editing()
    before = lesson(page, "own-mine")
    write_in(page, label, typed)
    assert f"Not taken over: {told}" in page.notices
    assert lesson(page, "own-mine") == before
    page.press("2\\. Second").press("1\\. First")
    assert field(page, label).value == typed
    assert f"Not taken over: {told}" in page.go("gpt").go("editor").notices
    write_in(page, label, "gpt")
    assert page.notices == ""


def test_two_changes_at_once_are_both_kept():
    page = editing()
    field(page, "Title of the step").set_value("New")
    field(page, "Notes").set_value("Newer")
    step = lesson(page.run(), "own-mine").steps[0]
    assert (step.title, step.notes) == ("New", "Newer")


def test_a_lesson_is_begun_as_a_copy_and_changed_in_each_language():
    page = Page("editor").press("Begin with a copy of “Attention in 20 minutes”")
    name = "own-attention-in-20-minutes"
    copy = lesson(page, name)
    assert copy.steps == shipped()["attention"].steps
    (language,) = page.get("button_group")
    language.set_value("de").run()
    (play,) = (one.proto for one in page.get("page_link") if one.proto.label == "Play from here")
    assert f"lesson={name}.de.1" in play.query_string
    write_in(page, "Title of the step", "Neu")
    found = lesson(page, name)
    assert found.steps[0].title == copy.steps[0].title
    assert found.said_in("de").steps[0].title == "Neu"


def test_a_file_that_is_opened_again_leaves_what_was_changed_here_alone():
    page = editing()
    write_in(page, "Title of the step", "Changed")
    open_on(page, LESSON)
    assert lesson(page, "own-mine-2").steps[0].title == "First"
    page.press("Mine")
    assert lesson(page, "own-mine").steps[0].title == "Changed"


def test_a_changed_lesson_is_played_as_it_is_now(made: Page):
    write_in(made, "Title of the step", "Root")
    page = made.go("blocks", lesson=f"{MADE}.2")
    assert "### Root" in page.text
    assert read(write(lesson(page.go("editor"))), MADE, PAGES).steps[1].title == "Root"


def give_picture(page: Page, content: bytes, name: str = "My cat.png") -> Page:
    write_in(page, "What the new picture shows", "A [striped] cat")
    (upload,) = (one for one in page.file_uploader if (one.key or "").startswith("editor.picture:"))
    upload.set_value((name, content, "image/png")).run()
    return page


def test_a_picture_is_added_played_and_taken_out():
    page = editing()
    assert not [one for one in page.file_uploader if "editor.picture" in (one.key or "")]
    give_picture(page, drawn("png"))
    made = lesson(page, "own-mine")
    assert made.steps[0].text == "Look at *it*.\n\n![A (striped) cat][my-cat]"
    assert "too large for a link" in page.text
    page.go("attention", lesson="own-mine.1")
    assert "Look at *it*." in page.text
    assert "![" not in page.text
    assert FILE not in page.link
    other = open_on(Page("editor"), write(made))
    assert "**my-cat** · in step 1" in other.text
    other.press("Remove my-cat")
    bare = lesson(other, "own-mine")
    assert (bare.pictures, bare.steps[0].text) == ({}, "Look at *it*.")


@pytest.mark.parametrize(
    ("limit", "value", "told"),
    [
        ("LESSON_PICTURES", 1, "has 1 pictures; more do not go"),
        ("MOST", 200.0, "MB go. Remove one, or make this one smaller"),
    ],
)
def test_more_pictures_than_go_are_told(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: float, told: str
):
    page = editing()
    give_picture(page, drawn("png"))
    monkeypatch.setattr(pictures, limit, value)
    assert told in give_picture(page, drawn("png", (40, 30))).notices
    assert len(lesson(page, "own-mine").pictures) == 1


def test_a_vision_step_opens_with_the_lessons_picture():
    page = editing()
    give_picture(page, drawn("jpeg"))
    write_in(page, "The page beside it", "vision?view=patches")
    write_in(page, "The picture that the page opens with", "my-cat")
    assert lesson(page, "own-mine").steps[0].picture == "my-cat"
    page.go("vision", lesson="own-mine.1", view="patches")
    assert "It is the lesson’s." in page.text
    page.press("Back to the sample")
    assert "It is the lesson’s." not in page.text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\x89PNG" + bytes(50_000_000), "“My cat.png” has 50.01 MB"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is an SVG drawing"),
        (b"<html><script>", "is text, not a picture"),
        (drawn("png")[:45], "is damaged or not complete"),
    ],
)
def test_a_file_that_is_no_picture_is_told_and_nothing_is_lost(content: bytes, told: str):
    page = editing()
    before = lesson(page, "own-mine")
    assert told in give_picture(page, content).notices
    assert lesson(page, "own-mine") == before
    assert field(page, "What the new picture shows").value == "A [striped] cat"
