"""A teacher's and students' pages in one room, each a session of its own."""

from base64 import b64encode

import pytest

from app.rooms import here, papers
from app.rooms.database import AWAY
from app.rooms.guesses import AGAIN, OPENED, REOPEN, WRONG, Bucket
from app.rooms.in_sqlite import InSqlite
from app.rooms.store import Store
from app.ui.room.attending import STATE, TOO_OFTEN, Attending
from tests.app.content.test_lesson_pictures import drawn
from tests.app.rooms.rooms import Unsteady
from tests.pages.page import Page
from tests.pages.test_lessons import ASKED
from tests.pages.test_own_lessons import LESSON, open_on

STREAM = "room-stream"
SENTENCE = "The owl saw the mouse before it ran."
QUESTION = {"lesson": "attention.1", "model": "minilm-l6", "heads": "3.1"}


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> Unsteady:
    base = Unsteady(InSqlite())
    store = Store(base)
    monkeypatch.setattr(here, "store", lambda: store)
    monkeypatch.setattr(here, "CODES", Bucket(WRONG, AGAIN))
    monkeypatch.setattr(here, "OPENINGS", Bucket(OPENED, REOPEN))
    return base


def teaching(path: str = "attention", **link: str) -> Page:
    return Page(path, **link).press("Open a room")


def here_now(page: Page) -> Attending:
    return page.session_state[STATE]


def code_of(page: Page) -> str:
    return here_now(page).code


def hear(student: Page) -> Page:
    """Its stream has told its browser of something new, which asks for a run."""
    student.fire(STREAM, {"version": 1})
    shown = here.store().room(code_of(student)).page
    return student if shown in (None, student.path) else student.go(shown)  # as the page has it


def joined(teacher: Page) -> Page:
    """By the link of the QR code: it opens the first page, which goes where the teacher is."""
    student = Page("", room=code_of(teacher))
    shown = here.store().room(code_of(teacher)).page
    return student.go(shown) if shown else student


def test_a_student_is_shown_what_the_teacher_shows():
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    assert student.link["text"] == SENTENCE
    assert student.link["room"] == teacher.link["room"] == code_of(teacher)
    teacher.choose("attention.grid.encoder", [[5, 11]])
    hear(student)
    assert student.link["heads"] == "5.11"
    assert student.link == teacher.link
    teacher.go("bert", view="layers")
    hear(student)
    assert student.path == "bert"
    assert student.link["view"] == "layers"


def test_a_student_s_run_asks_the_room_once(monkeypatch: pytest.MonkeyPatch):
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    teacher.choose("attention.grid.encoder", [[5, 11]])
    store, asked = here.store(), []
    monkeypatch.setattr(store, "room", lambda code: asked.append(code) or Store.room(store, code))
    student.fire(STREAM, {"version": 1})
    assert student.link["heads"] == "5.11"
    assert asked == [code_of(teacher)]


def test_a_long_text_goes_to_the_room_though_no_link_carries_it():
    teacher = teaching()
    long = "The owl saw the mouse. " * 100
    teacher.text_area(key="attention.text").set_value(long).run()
    assert "text" not in teacher.link
    student = joined(teacher)
    assert student.session_state["attention.text"] == teacher.session_state["attention.text"]


def test_a_student_lets_go_and_comes_back():
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    student.toggle(key="room.follow").set_value(False).run()
    teacher.choose("attention.grid.encoder", [[5, 11]])
    student.choose("attention.grid.encoder", [[0, 0]])
    hear(student)
    assert student.link["heads"] == "0.0"
    student.toggle(key="room.follow").set_value(True).run()
    assert student.link["heads"] == "5.11"
    student.toggle(key="room.follow").set_value(False).run()
    student.press("Leave")
    assert "room" not in student.link
    assert STREAM not in student.figures
    assert student.link["heads"] == "5.11"


def test_the_teacher_follows_nobody_and_no_link_of_theirs_holds_the_key():
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    student.choose("attention.grid.encoder", [[0, 0]])
    teacher.run()
    assert teacher.link.get("heads") != "0.0"
    key = here_now(teacher).key
    assert key not in " ".join(teacher.link.values())
    assert key not in teacher.text
    assert key not in str(student.figures)
    assert here_now(student).key != key


def test_a_closed_room_leaves_its_students_with_their_page():
    teacher = teaching(text=SENTENCE)
    student, code = joined(teacher), code_of(teacher)
    teacher.press("Close the room")
    assert "room" not in teacher.link
    student.fire(STREAM, {"version": -1})
    assert f"Room {code} has ended. The page is yours" in student.notices
    assert student.link["text"] == SENTENCE
    assert "room" not in student.link
    student.run()
    assert student.notices == ""


def test_who_comes_too_late_is_told():
    student = Page("attention", room="KX4PQ")
    assert "There is no room KX4PQ" in student.notices
    assert "attention.grid.encoder" in student.figures
    student.run()
    assert student.notices == ""


@pytest.mark.parametrize("given", ["nonsense", "<b>", "' OR 1=1", "K" * 300])
def test_what_is_no_code_is_told(given: str):
    assert "is no room’s code" in Page("about", room=given).notices


def test_a_code_can_be_typed():
    teacher = teaching(text=SENTENCE)
    student = Page("")
    student.text_input(key="room.code").set_value(code_of(teacher).lower()).run()
    student.go("attention")
    assert student.link["text"] == SENTENCE


def test_ten_thousand_guesses_end_soon_and_a_right_one_among_them_opens_nothing():
    teacher = teaching()
    guesser = Page("about")
    for number in range(WRONG):
        here.CODES.spend("")
        assert here.CODES.empty("") == (number + 1 == WRONG)
    guesser.go("", room=code_of(teacher))
    assert TOO_OFTEN in guesser.notices
    assert STATE not in guesser.session_state


def test_many_rooms_from_one_place_are_too_many():
    for _ in range(OPENED):
        here.OPENINGS.spend("")
    page = teaching()
    assert "Many rooms were opened from your network" in page.notices
    assert STATE not in page.session_state


def test_a_view_that_is_too_large_is_told_to_the_teacher(monkeypatch: pytest.MonkeyPatch):
    teacher = teaching()
    student = joined(teacher)
    monkeypatch.setattr("app.rooms.store.LARGEST_VIEW", 10)
    teacher.text_area(key="attention.text").set_value(SENTENCE).run()
    assert "Students keep the view before" in teacher.notices
    hear(student)
    assert "text" not in student.link


def test_a_browser_that_reloads_is_who_it_was():
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    mine = here_now(student).key
    again = joined(teacher)
    again.fire(STREAM, {"key": mine})
    assert here_now(again).key == mine
    back = Page("attention", room=code_of(teacher), text="Something else.")
    back.fire(STREAM, {"key": here_now(teacher).key})
    assert here_now(back).teaches
    assert "Close the room" in [button.label for button in back.button]


@pytest.mark.parametrize("key", ["", "nonsense", "KX4PQ-" + "0" * 32 + "-" + "0" * 32])
def test_a_forged_key_changes_nothing(key: str):
    student = joined(teaching())
    before = here_now(student).key
    student.fire(STREAM, {"key": key})
    assert here_now(student).key == before
    assert not here_now(student).teaches


@pytest.mark.parametrize("told", [None, 7, {"key": 7}, {"version": "x"}, []])
def test_nonsense_of_a_browser_is_not_heard(told: object):
    student = joined(teaching(text=SENTENCE))
    student.fire(STREAM, told)
    assert student.link["text"] == SENTENCE


def test_a_views_question_is_everybodys_vote_where_the_teacher_predicts():
    teacher = teaching("gpt", predict="1")
    student = joined(teacher)
    assert "gpt.prediction-counts" in teacher.figures
    ballot = student.figures["gpt.prediction-vote"].header
    assert "I don’t know" not in [button.label for button in student.button]
    here.store().polls.vote(here_now(student).key, ballot["poll"], 2)
    teacher.press("Reveal")
    assert f"The room (1 vote): {ballot['options'][2]} (1)." in teacher.text
    hear(student)
    assert "The room (1 vote)" in student.text
    assert student.answer == teacher.answer
    assert student.link == teacher.link
    teacher.toggle(key="gpt.predict").set_value(False).run()
    teacher.text_area(key="gpt.text").set_value("He was born in").run()
    assert hear(student).answer == teacher.answer


@pytest.mark.parametrize(
    ("ask", "shape", "pictured"),
    [("looking head", (6, 12), False), ("needed patch", (14, 14), True)],
)
def test_heads_and_patches_are_voted_on_where_they_stand(
    ask: str, shape: tuple[int, int], pictured: bool
):
    place = next(one for one in ASKED if one.shown.predict and one.shown.predict.ask == ask)
    page, lesson = place.shown.page, place.link["lesson"]
    teacher = teaching(page, **place.link)
    student = joined(teacher)
    ballot = student.figures[f"{page}.lesson-question-vote"]
    assert (ballot.header["grid"]["rows"], ballot.header["grid"]["columns"]) == shape
    assert ("picture" in ballot.arrays) is pictured
    assert ballot.arrays.keys() <= {"picture"}  # nothing of what the model says
    counts = teacher.figures[f"{page}.lesson-question-counts"].header
    assert counts["grid"] == ballot.header["grid"]
    here.store().polls.vote(here_now(student).key, lesson, 7)
    teacher.press("Reveal")
    assert f"The room (1 vote): {ballot.header['options'][7]} (1)." in teacher.text
    assert "You said" in hear(student).text


def test_everybody_votes_and_the_answer_comes_with_the_teacher():
    teacher = teaching(**QUESTION)
    polls, code = here.store().polls, code_of(teacher)
    key = "attention.lesson-question"
    counts = teacher.figures[f"{key}-counts"].header
    assert counts["counts"] is True
    one, other = joined(teacher), joined(teacher)
    ballot = one.figures[f"{key}-vote"].header
    assert (ballot["options"], ballot["poll"]) == (counts["options"], "attention.1")
    assert ballot["counts"] is False
    assert "Your teacher turns the steps" in one.text
    labels = [button.label for button in one.button]
    assert "Next" not in labels
    assert "I don’t know" not in labels
    right = ballot["options"].index("animal")
    polls.vote(here_now(one).key, "attention.1", right)
    polls.vote(here_now(other).key, "attention.1", 0)
    one.run()
    assert one.figures[f"{key}-vote"].header["mine"] == right
    teacher.press("Reveal")
    assert "The model: **animal**" in teacher.text
    assert "The room (2 votes): " in teacher.text
    assert "animal (1)" in teacher.text
    hear(one)
    assert "animal, as you said" in one.text.replace("*", "")
    hear(other)
    assert "You said" in other.text
    late = joined(teacher)
    assert "The model: **animal**" in late.text
    with pytest.raises(Exception, match="votes count no more"):
        polls.vote(here_now(late).key, "attention.1", 0)
    assert polls.poll(code, "attention.1").closed  # type: ignore[union-attr]


def test_who_has_rehearsed_asks_all_the_same():
    teacher = Page("attention", **QUESTION).press("I don’t know")
    assert "The model: **animal**" in teacher.text
    teacher.press("Open a room")
    assert "attention.lesson-question-counts" in teacher.figures


def test_who_lets_go_predicts_alone():
    student = joined(teaching(**QUESTION))
    student.toggle(key="room.follow").set_value(False).run()
    assert "attention.lesson-question" in student.figures
    assert "attention.lesson-question-vote" not in student.figures


def own_lesson(words: str = "Look at *it*.") -> str:
    data = b64encode(drawn("png")).decode()
    text = LESSON.replace("Look at *it*.", f"{words}\n\n![A cat][cat]")
    return f"{text}---\n[cat]: data:image/png;base64,{data}\n"


@pytest.mark.parametrize("text", [LESSON, own_lesson()], ids=["in the link", "lent"])
def test_students_get_the_teachers_own_lesson(text: str):
    teacher = open_on(Page(""), text).go("attention", lesson="own-mine.1", heads="3.1")
    teacher.press("Open a room")
    student = joined(teacher)
    assert "Look at *it*." in student.text
    assert student.link["lesson"] == "own-mine.1"
    assert len(student.get("imgs")) == len(teacher.get("imgs"))
    again = Page("attention", **student.link)
    assert "Look at *it*." in again.text
    teacher.press("Next").go("blocks", lesson="own-mine.2", part="root")
    assert "Then here." in hear(student).text


def test_a_lesson_that_the_teacher_changes_is_changed_for_students_and_theirs_is_not_lost():
    teacher = open_on(Page(""), own_lesson()).go("attention", lesson="own-mine.1")
    teacher.press("Open a room")
    student = joined(teacher)
    open_on(teacher.go(""), own_lesson("Newer."))
    teacher.go("attention", lesson="own-mine.1", heads="3.1")
    assert "Newer." in hear(student).text
    other = open_on(Page("editor"), LESSON)
    (title,) = (one for one in other.text_input if one.label == "Title of the step")
    title.set_value("Their own").run()
    other.go("", room=code_of(teacher)).go("attention")
    assert "Newer." in other.text
    assert "**Mine**" in [link.label for link in other.go("about").go("").get("page_link")]
    mine = [kept.lesson for kept in other.session_state["lesson.own"].values()]
    assert "Their own" in [lesson.steps[0].title for lesson in mine]


def test_rooms_hold_only_so_many_lessons(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(papers, "ROOMS_LESSONS", 10)
    teacher = open_on(Page(""), own_lesson()).go("attention", lesson="own-mine.1")
    teacher.press("Open a room")
    assert "students see your pages without this lesson’s words" in teacher.notices
    assert "is without its file" in joined(teacher).notices


def test_a_room_lends_its_lesson_to_nobody_else():
    store = here.store()
    (one, _), (other, _) = store.open(), store.open()
    store.papers.lend(one, "mark", lambda: "text")
    assert store.papers.lent(one, "mark") == "text"
    assert store.papers.lent(other, "mark") is None
    assert store.papers.lent(one, "older") is None
    store.close(one)
    assert store.papers.lent(one, "mark") is None


def test_rooms_that_are_away_are_told_and_every_page_works_on(base: Unsteady):
    teacher = teaching(text=SENTENCE)
    student = joined(teacher)
    base.is_away = True
    teacher.choose("attention.grid.encoder", [[5, 11]])
    assert AWAY in teacher.notices
    assert teacher.link["heads"] == "5.11"
    assert AWAY in student.run().notices
    assert student.link["text"] == SENTENCE
    assert code_of(student) == student.link["room"]
    reader = Page("attention", text=SENTENCE)
    assert AWAY not in reader.notices  # it is no matter of theirs
    base.is_away = False
    assert AWAY not in teacher.run().notices
    hear(student)
    assert AWAY not in student.notices
    assert student.link["heads"] == "5.11"


def test_who_comes_while_they_are_away_comes_in_when_they_are_back(base: Unsteady):
    teacher = teaching(text=SENTENCE)
    code = code_of(teacher)
    base.is_away = True
    student = Page("attention", room=code)
    assert AWAY in student.notices
    assert STATE not in student.session_state
    assert student.link["room"] == code
    typed = Page("")
    typed.text_input(key="room.code").set_value(code).run()
    assert AWAY in typed.notices
    opener = teaching()
    assert AWAY in opener.notices
    base.is_away = False
    for page in (student, typed):
        assert AWAY not in page.run().notices
        assert code_of(page) == code
    assert "room" not in opener.run().link
    assert not here.CODES.empty("")


def test_a_browser_keeps_its_key_while_nobody_can_tell_whether_it_is_right(base: Unsteady):
    teacher = teaching(text=SENTENCE)
    key = here_now(teacher).key
    back = Page("attention", room=code_of(teacher))
    base.is_away = True
    back.fire(STREAM, {"key": key})
    assert AWAY in back.notices
    assert STREAM not in back.figures  # which would be given a student's in its place
    base.is_away = False
    back.run()
    back.fire(STREAM, {"key": key})
    assert here_now(back).teaches


def test_a_room_is_not_closed_while_they_are_away(base: Unsteady):
    teacher = teaching(text=SENTENCE)
    base.is_away = True
    teacher.press("Close the room")
    assert AWAY in teacher.notices
    base.is_away = False
    student = joined(teacher)
    teacher.press("Close the room")
    student.fire(STREAM, {"version": -1})
    assert "has ended" in student.notices


def test_while_they_are_away_everybody_predicts_alone(base: Unsteady):
    teacher = teaching(**QUESTION)
    student = joined(teacher)
    key = "attention.lesson-question"
    here.store().polls.vote(here_now(student).key, "attention.1", 0)
    base.is_away = True
    for page in (teacher, student):
        page.run()
        assert key in page.figures
        assert AWAY in page.notices
        assert "The model: " not in page.text
    teacher.press("I don’t know")
    assert "The model: **animal**" in teacher.text
    base.is_away = False
    student.run()
    assert student.figures[f"{key}-vote"].header["mine"] == 0
    teacher.run().press("Reveal")
    assert "The room (1 vote)" in teacher.text
    assert "You said" in hear(student).text


def test_a_view_s_question_is_not_answered_to_students_while_they_are_away(base: Unsteady):
    teacher = teaching("gpt", predict="1")
    student = joined(teacher)
    base.is_away = True
    student.run()
    assert "I don’t know" in [button.label for button in student.button]
    base.is_away = False
    assert "gpt.prediction-vote" in student.run().figures


def test_a_lent_lesson_is_told_to_be_away(base: Unsteady):
    teacher = open_on(Page(""), own_lesson()).go("attention", lesson="own-mine.1")
    teacher.press("Open a room")
    student = joined(teacher)
    late = Page("attention", **{**student.link, "room": code_of(teacher)})
    base.is_away = True
    assert AWAY in teacher.run().notices
    assert "Look at *it*." in student.run().text
    assert "Look at *it*." in late.run().text
    fresh = Page("attention", **student.link)
    assert AWAY in fresh.notices
