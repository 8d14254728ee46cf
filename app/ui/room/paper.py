"""A teacher's own lesson that is too long for the room's link: lent by the room."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from app.rooms import here
from app.rooms.database import AwayError, GoneError
from app.style.markdown_escape import plain
from app.ui.room import attending
from core.errors import InputError

LENT: Final = "room:"  # begins what a link says in the lesson's place


def lend(mark: str, text: Callable[[], str]) -> str:
    """What the room's link says of it; "" but to a teacher. mark: another with every change."""
    who = attending.now()
    if who is None or not who.teaches:
        return ""
    try:
        here.store().papers.lend(who.code, mark, text)
    except (GoneError, AwayError):  # which is told where the page goes to the room
        return ""
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return ""
    return f"{LENT}{mark}"


def lent(given: str) -> str | None:
    """The lesson's text, to who is in the room; None where it has another by now.

    Raises AwayError.
    """
    who = attending.now()
    return None if who is None else here.store().papers.lent(who.code, given.removeprefix(LENT))
