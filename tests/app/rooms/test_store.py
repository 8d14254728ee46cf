"""What there is of a room: in memory, in a file, in Redis; processes share the latter two."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.rooms import keys, papers
from app.rooms.database import GoneError
from app.rooms.polls import MOST_OPTIONS, MOST_VOTERS
from app.rooms.store import AWAY, LARGEST_VIEW, LIFE, LISTENING, MOST_ROOMS, News
from core.errors import InputError
from tests.app.rooms.rooms import Opened

LINK = {"model": "minilm-l6", "text": "The cat sat."}


def test_students_see_what_the_teacher_shows(opened: Opened):
    store, code = opened.store, opened.code
    before = store.room(code)
    assert (before.page, before.version) == (None, 0)
    store.show(code, "attention", LINK)
    shown = store.room(code)
    assert (shown.page, shown.link, shown.version) == ("attention", LINK, 1)
    store.show(code, "attention", LINK)
    assert store.room(code) == shown
    store.show(code, "attention", LINK | {"heads": "3.1"})
    assert store.room(code).version == 2


def test_the_teacher_s_key_is_the_teacher_s_and_a_student_s_a_student_s(opened: Opened):
    store, mine = opened.store, opened.store.join(opened.code)
    assert store.is_teachers(opened.teacher)
    assert store.is_students(mine)
    assert not store.is_teachers(mine)
    assert not store.is_students(opened.teacher)
    code, other = store.open()
    assert not store.is_teachers(other.replace(code, opened.code))
    assert not store.is_students(mine.replace(opened.code, code))


@pytest.mark.parametrize("code", ["KX4PQ", "", "' OR 1=1 --"])
def test_a_room_that_is_not_there_says_so(opened: Opened, code: str):
    with pytest.raises(GoneError, match="There is no room"):
        opened.store.join(code)
    with pytest.raises(GoneError):
        opened.store.show(code, "attention", {})


def test_a_room_ends_when_its_teacher_is_long_gone(opened: Opened):
    store, clock, mine = opened.store, opened.clock, opened.store.join(opened.code)
    clock.now += AWAY + 1
    assert store.room(opened.code).away
    store.teach(opened.code)
    assert not store.room(opened.code).away
    clock.now += LIFE - 1
    assert store.is_students(mine)
    clock.now += 2
    for ask in (store.room, store.join, store.teach):
        with pytest.raises(GoneError):
            ask(opened.code)
    for late in (
        lambda: store.show(opened.code, "attention", LINK),
        lambda: store.polls.ask(opened.code, "a.1", 2),
        lambda: store.polls.vote(mine, "a.1", 0),
        lambda: store.papers.lend(opened.code, "mark", lambda: "text"),
    ):
        with pytest.raises(GoneError, match="There is no room"):
            late()
    assert not store.is_students(mine)
    assert not store.is_teachers(opened.teacher)


def test_what_is_new_is_told_of_many_rooms_at_once(opened: Opened):
    store, (other, _) = opened.store, opened.store.open()
    store.show(other, "attention", LINK)
    opened.clock.now += AWAY + 1
    store.teach(opened.code)
    assert store.news([opened.code, other, "KX4PQ"]) == {
        opened.code: News(), other: News(1, away=True), "KX4PQ": News(ended=True),
    }  # fmt: skip
    opened.clock.now += LIFE - 1
    assert store.news([opened.code, other])[other] == News(ended=True)
    assert store.news([]) == {}


@pytest.mark.parametrize("how", ["closed", "long gone"])
def test_nothing_outlives_it(opened: Opened, how: str):
    store, code = opened.store, opened.code
    store.show(code, "attention", LINK)
    store.polls.ask(code, "attention.4", 3)
    store.polls.vote(store.join(code), "attention.4", 1)
    store.papers.lend(code, "mark", lambda: "text")
    store.attend("a", {code: 1})
    assert len(opened.kept()) >= 5
    if how == "closed":
        store.close(code)
    else:
        opened.clock.now += LIFE + 1
        store.close(store.open()[0])
    store.attend("a", {code: 1})
    store.polls.end(code, "attention.4")
    assert opened.kept() == []


def test_a_view_has_a_limit_and_the_one_before_stays(opened: Opened):
    opened.store.show(opened.code, "attention", LINK)
    with pytest.raises(InputError, match="Students keep the view before"):
        opened.store.show(opened.code, "attention", {"text": "a" * LARGEST_VIEW})
    assert opened.store.room(opened.code).link == LINK


def test_so_has_the_number_of_rooms(opened: Opened):
    store = opened.store
    for _ in range(MOST_ROOMS - 1):
        store.open()
    with pytest.raises(InputError, match="200 rooms are open"):
        store.open()
    store.close(opened.code)
    store.open()


def test_a_vote_may_change_until_the_answer_is_shown(opened: Opened):
    store, code, polls = opened.store, opened.code, opened.store.polls
    one, other = store.join(code), store.join(code)
    polls.ask(code, "a.1", 3)
    assert polls.vote_of(one, "a.1") is None
    polls.vote(one, "a.1", 0)
    polls.vote(one, "a.1", 2)
    polls.vote(other, "a.1", 2)
    assert polls.tally(code, "a.1") == [0, 0, 2]
    assert polls.vote_of(one, "a.1") == 2
    version = store.room(code).version
    polls.end(code, "a.1")
    polls.end(code, "a.1")
    assert store.room(code).version == version + 1
    with pytest.raises(InputError, match="votes count no more"):
        polls.vote(one, "a.1", 0)
    polls.ask(code, "a.1", 3)  # the teacher came back to it
    assert polls.tally(code, "a.1") == [0, 0, 2]
    assert polls.poll(code, "a.1").closed  # type: ignore[union-attr]
    polls.ask(code, "a.1", 2)  # another question by that name
    assert polls.tally(code, "a.1") == [0, 0]
    assert polls.vote_of(one, "a.1") is None
    polls.vote(one, "a.1", 1)
    assert polls.tally(code, "a.2") == []


def test_a_question_has_only_so_many_options(opened: Opened):
    opened.store.polls.ask(opened.code, "a.1", MOST_OPTIONS)
    with pytest.raises(ValueError, match="up to 400 go"):
        opened.store.polls.ask(opened.code, "a.2", MOST_OPTIONS + 1)


@pytest.mark.parametrize("option", [-1, 3, 2**40])
def test_an_answer_that_is_not_there_is_none(opened: Opened, option: int):
    opened.store.polls.ask(opened.code, "a.1", 3)
    with pytest.raises(InputError, match="none of the answers"):
        opened.store.polls.vote(opened.store.join(opened.code), "a.1", option)


def test_a_question_that_is_not_asked_takes_no_vote(opened: Opened):
    with pytest.raises(GoneError, match="not asked"):
        opened.store.polls.vote(opened.store.join(opened.code), "a.1", 0)


def test_voters_are_bounded(opened: Opened, monkeypatch: pytest.MonkeyPatch):
    assert MOST_VOTERS >= 1000
    monkeypatch.setattr("app.rooms.polls.MOST_VOTERS", 2)
    polls, voters = opened.store.polls, [opened.store.join(opened.code) for _ in range(3)]
    polls.ask(opened.code, "a.1", 2)
    for voter in voters[:2]:
        polls.vote(voter, "a.1", 0)
    with pytest.raises(InputError, match="2 have voted"):
        polls.vote(voters[2], "a.1", 0)
    polls.vote(voters[0], "a.1", 1)
    assert polls.tally(opened.code, "a.1") == [1, 1]


def test_a_thousand_join_and_vote_at_once(opened: Opened):
    store, code = opened.store, opened.code
    store.polls.ask(code, "a.1", 4)

    def come(number: int) -> str:
        mine = store.join(code)
        store.polls.vote(mine, "a.1", number % 4)
        return mine

    with ThreadPoolExecutor(32) as pool:
        assert len(set(pool.map(come, range(1000)))) == 1000
    assert store.polls.tally(code, "a.1") == [250] * 4


@pytest.mark.parametrize("place", ["file", "redis"], indirect=True)
def test_two_processes_share_what_is_in_one_place(opened: Opened):
    store, code, other = opened.store, opened.code, opened.another()
    store.show(code, "attention", LINK)
    mine = other.join(code)
    assert store.is_students(mine)
    assert other.is_teachers(opened.teacher)
    assert other.room(code).link == LINK
    store.polls.ask(code, "a.1", 2)
    other.polls.vote(mine, "a.1", 1)
    assert store.polls.tally(code, "a.1") == [0, 1]
    store.attend("one", {code: 3})
    other.attend("other", {code: 4})
    assert other.present(code) == 7
    opened.clock.now += LISTENING + 1  # a process that died is not counted for ever
    other.attend("other", {code: 4})
    assert other.present(code) == 4


def test_a_lesson_is_lent_by_its_room_alone_and_the_next_one_replaces_it(opened: Opened):
    store, code, lends = opened.store, opened.code, opened.store.papers
    other, _ = store.open()
    asked: list[str] = []
    for mark in ("one", "one", "two"):
        lends.lend(code, mark, lambda mark=mark: asked.append(mark) or f"“{mark}” £\0")
    assert asked == ["one", "two"]  # what is lent already is not written again
    assert lends.lent(code, "two") == "“two” £\0"
    assert lends.lent(code, "one") is lends.lent(other, "two") is lends.lent("KX4PQ", "two") is None


def test_lessons_of_all_rooms_are_bounded(opened: Opened, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(papers, "ROOMS_LESSONS", 10)
    store, lends = opened.store, opened.store.papers
    other, _ = store.open()
    lends.lend(opened.code, "a", lambda: "é" * 6)  # characters, not bytes
    lends.lend(other, "b", lambda: "é" * 4)
    with pytest.raises(InputError, match="hold 0 MB of lessons already"):
        lends.lend(other, "c", lambda: "é" * 5)
    assert lends.lent(other, "b") == "é" * 4
    lends.lend(opened.code, "d", lambda: "é")
    lends.lend(other, "c", lambda: "é" * 9)
    store.close(other)
    lends.lend(opened.code, "e", lambda: "é" * 10)


def test_a_code_that_is_taken_is_not_given_twice(opened: Opened, monkeypatch: pytest.MonkeyPatch):
    coming = iter([opened.code, opened.code, "KX4PQ" if opened.code != "KX4PQ" else "AAAAA"])
    monkeypatch.setattr(keys, "new_code", lambda: next(coming))
    assert opened.store.open()[0] != opened.code
