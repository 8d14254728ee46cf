"""What there is of every room: what its teacher shows, who is there. Nothing outlives its end.

All times are the server's: no clock of a teacher's or a student's is asked.
"""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from app.rooms import keys
from app.rooms.database import Database, GoneError
from app.rooms.papers import Papers
from app.rooms.polls import Polls
from core.errors import InputError

LIFE: Final = 3 * 3600.0  # seconds after the teacher's browser was last there
MOST_ROOMS: Final = 200
LARGEST_VIEW: Final = 64_000  # characters of a link with its texts
AWAY: Final = 30.0  # seconds without the teacher's browser
LISTENING: Final = 20.0  # seconds that a process's count of students stands


@dataclass(frozen=True, slots=True)
class Room:
    """What holds now; `version` grows with every change that students are to see."""

    code: str
    version: int
    page: str | None  # None: nothing was shown yet
    link: Mapping[str, str]
    away: bool  # the teacher's browser was not heard of for a while


class Store:
    """Every method is one transaction, and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._base = database
        self.polls: Final = Polls(database)
        self.papers: Final = Papers(database)

    def open(self) -> tuple[str, str]:
        """A new room: its code, its teacher's key."""
        base = self._base
        with base.change():
            base.all("DELETE FROM room WHERE ends < ?", base.clock())
            if base.all("SELECT count(*) FROM room")[0][0] >= MOST_ROOMS:
                raise InputError(
                    f"{MOST_ROOMS} rooms are open on this server; more do not go. Try again when "
                    "one has ended."
                )
            insert = "INSERT INTO room VALUES (?, ?, ?, 0, NULL, '{}', ?, ?)"
            while True:
                code = keys.new_code()
                key = keys.teacher_key(code)
                try:
                    base.all(insert, code, keys.hashed(key), keys.new_salt(), *self._lasts())
                except sqlite3.IntegrityError:
                    continue  # that code is taken
                return code, key

    def join(self, code: str) -> str:
        """A key for one student's browser. Raises GoneError."""
        return keys.student_key(code, self._base.room(code, "salt")[0])

    def is_students(self, key: str) -> bool:
        return self._proves(key, "salt", lambda salt: keys.is_students(key, salt))

    def is_teachers(self, key: str) -> bool:
        return self._proves(
            key, "teacher", lambda known: hmac.compare_digest(keys.hashed(key), known)
        )

    def room(self, code: str) -> Room:
        """What holds now. Raises GoneError."""
        version, page, link, seen = self._base.room(code, "version, page, link, seen")
        return Room(code, version, page, json.loads(link), self._base.clock() - seen > AWAY)

    def show(self, code: str, page: str, link: Mapping[str, str]) -> None:
        """The teacher's view. Raises GoneError, and InputError for one too large."""
        text = json.dumps(dict(link), ensure_ascii=False)
        if len(text) > LARGEST_VIEW:
            raise InputError(
                f"What you show has {len(text):,} characters of text; up to {LARGEST_VIEW:,} reach "
                "a room. Students keep the view before."
            )
        with self._base.change():
            if self._base.room(code, "page, link") != (page, text):
                update = "UPDATE room SET page = ?, link = ? WHERE code = ?"
                self._base.all(update, page, text, code)
                self._base.changed(code)
            self._renew(code)

    def teach(self, code: str) -> None:
        """The teacher's browser is there. Raises GoneError."""
        with self._base.change():
            self._base.room(code, "1")
            self._renew(code)

    def close(self, code: str) -> None:
        """The room ends, with everything that was in it."""
        with self._base.change():
            self._base.all("DELETE FROM room WHERE code = ?", code)

    def attend(self, process: str, students: Mapping[str, int]) -> None:
        """How many listen to each room in one process."""
        insert = "INSERT OR REPLACE INTO present SELECT code, ?, ?, ? FROM room WHERE code = ?"
        with self._base.change():
            for code, count in students.items():
                self._base.all(insert, process, count, self._base.clock(), code)

    def present(self, code: str) -> int:
        """How many students listen, in all processes."""
        asked = "SELECT coalesce(sum(students), 0) FROM present WHERE code = ? AND told > ?"
        return self._base.all(asked, code, self._base.clock() - LISTENING)[0][0]

    def _lasts(self) -> tuple[float, float]:
        now = self._base.clock()
        return now + LIFE, now

    def _renew(self, code: str) -> None:
        update = "UPDATE room SET ends = ?, seen = ? WHERE code = ?"
        self._base.all(update, *self._lasts(), code)

    def _proves(self, key: str, column: str, is_right: Callable[[bytes], bool]) -> bool:
        try:
            return is_right(self._base.room(keys.code_of(key), column)[0])
        except GoneError:
            return False
