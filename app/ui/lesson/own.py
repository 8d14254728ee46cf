"""Lessons that a reader opened or makes: their session's, listed and played as those of the app."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import count
from secrets import token_hex
from threading import Lock
from typing import Final, NamedTuple, cast

import streamlit as st

from app.content.lessons import TOUR, Lesson, shipped, tour
from app.ui import room
from app.ui.navigation import PLACES
from core.errors import InputError

OWN: Final = "own-"  # begins their names in links
KEPT: Final = "lesson.own"
READING: Final = Lock()
LEAFLETS: Final = ("", "editor", "notes", "handout", "about")  # pages that no step stands beside
PAGES: Final = tuple(path for path in PLACES if path not in LEAFLETS)


class Kept(NamedTuple):
    """One of them."""

    lesson: Lesson
    packed: str | None  # for links; None: too long
    changed: bool  # here, since it was opened
    mark: str  # another with every change
    came: str  # what a link, or the room, said of it


def lessons() -> Mapping[str, Lesson]:
    """All that can be played in this session, by their names in links."""
    return {TOUR: tour(), **listed()}


def listed() -> Mapping[str, Lesson]:
    """Those that Home lists."""
    return {**shipped(), **{name: kept.lesson for name, kept in own().items()}}


def own() -> Mapping[str, Kept]:
    """The session's own, in the order in which they came."""
    return cast("Mapping[str, Kept]", st.session_state.get(KEPT, {}))


def keep(lesson: Lesson, *, changed: bool = False, came: str = "") -> None:
    """From now on it is what its name stands for."""
    from app.content.lessons.sharing import packed
    from app.content.lessons.writing import write

    link = None if lesson.pictures else packed(write(lesson))
    kept = Kept(lesson, link, changed, token_hex(8), came)
    st.session_state[KEPT] = {**own(), lesson.id: kept}


def open_file(content: bytes, file: str) -> str:
    """Keep a file's lesson, beside those that were changed here; its name. Raises InputError."""
    from app.content.lessons.sharing import text_of

    lesson = _read(text_of(content, file))
    names = (named(lesson.title, number) for number in count(1))
    name = next(name for name in names if not _is_changed(name))
    keep(replace(lesson, id=name))
    return name


def open_link(given: str, name: str) -> None:
    """Keep the lesson that a link holds, under the name that it has there. Raises InputError.

    One that was changed here makes room for it: it goes by another name from now on.
    """
    if name in own() and own()[name].came == given:
        return
    from app.content.lessons.sharing import unpacked

    text = room.lent(given) if given.startswith(room.LENT) else unpacked(given)
    if text is None:
        raise missing(name)
    with READING:  # one of a room's students reads it for all
        lesson = _shared(text)
    if _is_changed(name):
        mine = own()[name].lesson
        names = (named(mine.title, number) for number in count(2))
        keep(replace(mine, id=next(one for one in names if one not in own())), changed=True)
    keep(replace(lesson, id=name), came=given)


def named(title: str, number: int = 1) -> str:
    """Its name in links."""
    bare = re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:40] or "lesson"
    return f"{OWN}{bare}" if number == 1 else f"{OWN}{bare}-{number}"


def missing(name: str) -> InputError:
    """It isn't open in this session."""
    return InputError(
        f"“{name.removeprefix(OWN)}” is somebody’s own lesson, and this link is without its file. "
        "Open the file on the home page, under Lessons; who gave you the link has it."
    )


def _read(text: str) -> Lesson:
    from app.content.lessons.reading import read  # and YAML

    return read(text, "", PAGES)


_shared = lru_cache(maxsize=4)(_read)


def _is_changed(name: str) -> bool:
    return name in own() and own()[name].changed
