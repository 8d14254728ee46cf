"""Who this reader is in a room: its teacher, a student who follows, one who looks by themself.

It lives in the session, and as a key in the browser, so that a reload leaves nobody out. Links hold
the code alone: whoever gets one comes in as a student.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Final

import streamlit as st
from streamlit import config

from app.rooms import here, keys
from app.rooms.database import AwayError, GoneError
from app.rooms.guesses import place_of
from app.ui import page_links, session_file
from core.errors import InputError

PARAM: Final = "room"  # in links
STATE: Final = "room.attending"
LEFT: Final = "room.left"  # the code of a room that was left, or has ended: the link holds it still
WAITS: Final = "room.waits"  # the code of one that could not be asked for: the next run asks again
GIVEN: Final = "room.given"  # what the teacher's link said last
TOLD: Final = "room.told"  # what the next run says
TOO_OFTEN: Final = (
    "Too many codes that are none came from your network. Wait a minute, then try again."
)
ENDED: Final = "Room {code} has ended. The page is yours; nothing of the room was kept."


@dataclass(frozen=True, slots=True)
class Attending:
    """In this session."""

    code: str
    key: str
    teaches: bool = False
    follows: bool = True
    version: int = 0  # of what was shown last
    settled: bool = False  # the browser was asked which key it had before


def now() -> Attending | None:
    return st.session_state.get(STATE)


def follows() -> bool:
    """Whether the page is the teacher's."""
    attending = now()
    return attending is not None and attending.follows and not attending.teaches


def in_link() -> dict[str, str]:
    """What a page's link says of it."""
    attending = now()
    code = st.session_state.get(WAITS) if attending is None else attending.code
    return {} if code is None else {PARAM: code}


def routes_at() -> str:
    """Where browsers ask (app/rooms/routes.py)."""
    return f"/{config.get_option('server.baseUrlPath').strip('/')}/rooms".replace("//", "/")


def given() -> Mapping[str, str]:
    """What the teacher's link says, to who follows it; what it said, while nobody can tell.

    As this page was drawn by it: a run asks the room once, since 200 ask in the same second.
    """
    return st.session_state.get(GIVEN, {}) if follows() else {}


def open_room() -> None:
    """For callbacks."""
    place = _place()
    if here.OPENINGS.empty(place):
        st.session_state[TOLD] = "Many rooms were opened from your network. Try again in a minute."
        return
    here.OPENINGS.spend(place)
    try:
        code, key = here.store().open()
    except InputError as error:
        st.session_state[TOLD] = str(error)
    else:
        keep(Attending(code, key, teaches=True, settled=True))


def close_room() -> None:
    """For callbacks."""
    attending = now()
    if attending is None:
        return
    try:
        here.store().close(attending.code)
    except AwayError as error:
        st.session_state[TOLD] = str(error)
    else:
        leave()


def come(asked: str | None) -> None:
    """By the code in a link, once, whatever comes of it; again where it could not be asked for."""
    waits = st.session_state.get(WAITS)
    code = waits or (None if asked == st.session_state.get(LEFT) else asked)
    if code and now() is None:
        join(code)
        if WAITS not in st.session_state:
            st.session_state[LEFT] = code


def join(given: str) -> None:
    """By a code, as somebody wrote it."""
    st.session_state.pop(WAITS, None)
    place = _place()
    if here.CODES.empty(place):
        st.session_state[TOLD] = TOO_OFTEN
        return
    code = keys.read_code(given)
    try:
        if code is None:
            raise GoneError(
                f"“{shorten(given, 20, placeholder=' …')}” is no room’s code: it has {keys.LENGTH} "
                "letters and digits, such as KX4PQ."
            )
        keep(Attending(code, here.store().join(code)))
    except GoneError as error:
        here.CODES.spend(place)
        st.session_state[TOLD] = str(error)
    except AwayError as error:
        st.session_state[WAITS] = code
        st.session_state[TOLD] = str(error)


def leave() -> None:
    """For callbacks."""
    attending = st.session_state.pop(STATE, None)
    st.session_state.pop(GIVEN, None)
    if attending is not None:
        st.session_state[LEFT] = attending.code


def turn(*, follow: bool) -> None:
    """A student lets go, or comes back to what the teacher shows; for callbacks."""
    attending = now()
    if attending is not None:
        keep(replace(attending, follows=follow, version=0))


def keep(attending: Attending) -> None:
    st.session_state.pop(WAITS, None)
    st.session_state[STATE] = attending


def recognise(key: str) -> None:
    """The browser had this key before, a teacher's or a student's; a forged one changes nothing.

    "": it had none.
    """
    attending = now()
    if attending is None:
        return
    its = keys.code_of(key) == attending.code
    try:
        teaches = its and here.store().is_teachers(key)
        known = its and (teaches or here.store().is_students(key))
    except AwayError as error:  # the browser is to keep its key, and says it when they come again
        del st.session_state[STATE]
        st.session_state[WAITS] = attending.code
        st.session_state[TOLD] = str(error)
        return
    mine = key if known else attending.key
    keep(replace(attending, key=mine, teaches=teaches or attending.teaches, settled=True))


def shows(page: str, link: Mapping[str, str]) -> None:
    """The page is drawn: where its reader teaches, it goes to the room."""
    attending = now()
    if attending is None or not attending.teaches:
        return
    try:
        here.store().show(attending.code, page, link)
    except GoneError:
        ended()
    except InputError as error:
        st.warning(str(error), icon=":material/info:")


def catch_up(page: str) -> None:
    """Where the teacher shows something else by now: show that; this run may end.

    Who comes by a page's link may be the teacher, whose browser has reloaded: it says so first.
    """
    attending = now()
    if attending is None:
        return
    try:
        room = here.store().room(attending.code)
    except GoneError:
        ended()
        return
    except AwayError as error:
        if not attending.teaches:  # a teacher hears it where the page goes to the room
            st.session_state[TOLD] = str(error)
        return
    st.session_state[GIVEN] = room.link
    waits = page and not attending.settled
    if waits or not follows() or room.page is None or room.version == attending.version:
        return
    keep(replace(attending, version=room.version))
    session_file.enter(room.page, room.link)
    if room.page != page:
        page_links.go(room.page)


def ended() -> None:
    attending = now()
    if attending is not None:
        st.session_state[TOLD] = ENDED.format(code=attending.code)
        leave()


def _place() -> str:
    """Where the reader is, for who counts tries. A proxy on this machine says for whom it asks."""
    forwarded = st.context.headers.get("X-Forwarded-For", "")
    return place_of(st.context.ip_address or forwarded.rsplit(",", 1)[-1].strip())
