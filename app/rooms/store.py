"""What there is of every room: what its teacher shows, who is there. Nothing outlives its end.

All times are one server's: no clock of a teacher's or a student's is asked.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from app.rooms import keys
from app.rooms.database import Database, GoneError, Refusal, Secrets
from app.rooms.papers import Papers
from app.rooms.polls import Polls
from core.errors import InputError

LIFE: Final = 3 * 3600.0  # seconds after the teacher's browser was last there
MOST_ROOMS: Final = 200
LARGEST_VIEW: Final = 64_000  # characters of a link with its texts
AWAY: Final = 30.0  # seconds without the teacher's browser
LISTENING: Final = 20.0  # seconds that a process's count of students stands


@dataclass(frozen=True, slots=True)
class News:
    """What a student's browser is told; `version` grows with every change that is to be seen."""

    version: int = 0
    away: bool = False  # the teacher's browser was not heard of for a while
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """What holds now."""

    code: str
    version: int
    page: str | None  # None: nothing was shown yet
    link: Mapping[str, str]
    away: bool


class Store:
    """Every method is one transaction, may be called from any thread, and raises AwayError."""

    def __init__(self, database: Database) -> None:
        self._base = database
        self.polls: Final = Polls(database)
        self.papers: Final = Papers(database)

    def open(self) -> tuple[str, str]:
        """A new room: its code, its teacher's key."""
        while True:
            code = keys.new_code()
            key = keys.teacher_key(code)
            secrets = Secrets(keys.hashed(key), keys.new_salt())
            refused = self._base.add(code, secrets, LIFE, MOST_ROOMS)
            if refused is None:
                return code, key
            if refused is Refusal.FULL:
                raise InputError(
                    f"{MOST_ROOMS} rooms are open on this server; more do not go. Try again when "
                    "one has ended."
                )

    def join(self, code: str) -> str:
        """A key for one student's browser. Raises GoneError."""
        return keys.student_key(code, self._base.secrets(code).salt)

    def is_students(self, key: str) -> bool:
        return self._proves(key, lambda known: keys.is_students(key, known.salt))

    def is_teachers(self, key: str) -> bool:
        return self._proves(key, lambda known: hmac.compare_digest(keys.hashed(key), known.teacher))

    def room(self, code: str) -> Room:
        """What holds now. Raises GoneError."""
        shown = self._base.shown(code)
        link = json.loads(shown.link)
        return Room(code, shown.version, shown.page, link, shown.silent > AWAY)

    def news(self, codes: Iterable[str]) -> dict[str, News]:
        """Of every one of the rooms; for all of them the database is asked once."""
        asked = list(codes)
        states = self._base.states(asked)
        return {
            code: News(states[code].version, states[code].silent > AWAY)
            if code in states
            else News(ended=True)
            for code in asked
        }

    def show(self, code: str, page: str, link: Mapping[str, str]) -> None:
        """The teacher's view. Raises GoneError, and InputError for one too large."""
        text = json.dumps(dict(link), ensure_ascii=False)
        if len(text) > LARGEST_VIEW:
            raise InputError(
                f"What you show has {len(text):,} characters of text; up to {LARGEST_VIEW:,} reach "
                "a room. Students keep the view before."
            )
        self._base.show(code, page, text, LIFE)

    def teach(self, code: str) -> None:
        """The teacher's browser is there. Raises GoneError."""
        self._base.renew(code, LIFE)

    def close(self, code: str) -> None:
        """The room ends, with everything that was in it."""
        self._base.remove(code)

    def attend(self, process: str, students: Mapping[str, int]) -> None:
        """How many listen to each room in one process."""
        self._base.attend(process, students)

    def present(self, code: str) -> int:
        """How many students listen, in all processes."""
        return self._base.present(code, LISTENING)

    def _proves(self, key: str, is_right: Callable[[Secrets], bool]) -> bool:
        try:
            return is_right(self._base.secrets(keys.code_of(key)))
        except GoneError:
            return False
