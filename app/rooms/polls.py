"""A room's questions and votes: one vote a student, which may change until the question ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.rooms import keys
from app.rooms.database import Database, GoneError
from core.errors import InputError

MOST_VOTERS: Final = 2000  # of a question
MOST_OPTIONS: Final = 400  # a picture's patches, 20 × 20


@dataclass(frozen=True, slots=True)
class Poll:
    """A question that stands: how many answers it offers, and whether votes count no more."""

    options: int
    closed: bool


class Polls:
    """Of all rooms; a question is known by its room's code and a name."""

    def __init__(self, database: Database) -> None:
        self._base = database

    def ask(self, code: str, name: str, options: int) -> None:
        """A question stands; one that stood before keeps its votes. Raises GoneError.

        options: MOST_OPTIONS at most; ValueError else.
        """
        if not 0 < options <= MOST_OPTIONS:
            raise ValueError(f"{options} options; up to {MOST_OPTIONS} go")
        with self._base.change():
            self._base.room(code, "1")
            before = self.poll(code, name)
            if before is None or before.options != options:
                insert = "INSERT OR REPLACE INTO poll VALUES (?, ?, ?, 0)"
                self._base.all(insert, code, name, options)

    def poll(self, code: str, name: str) -> Poll | None:
        """None: it was not asked."""
        asked = "SELECT options, closed FROM poll WHERE code = ? AND name = ?"
        found = self._base.all(asked, code, name)
        return Poll(found[0][0], bool(found[0][1])) if found else None

    def end(self, code: str, name: str) -> None:
        """No vote counts any more; students see the answer."""
        with self._base.change():
            update = "UPDATE poll SET closed = 1 WHERE code = ? AND name = ? AND NOT closed"
            if self._base.all(f"{update} RETURNING 1", code, name):
                self._base.changed(code)

    def vote(self, key: str, name: str, option: int) -> None:
        """The vote of the student whose key this is. Raises InputError."""
        code = keys.code_of(key) or ""
        with self._base.change():
            self._base.room(code, "1")
            standing = self.poll(code, name)
            if standing is None:
                raise GoneError("This question is not asked in the room any more.")
            if standing.closed:
                raise InputError("The teacher has shown the answer: votes count no more.")
            if not 0 <= option < standing.options:
                raise InputError("That is none of the answers.")
            if self.vote_of(key, name) is None and sum(self.tally(code, name)) >= MOST_VOTERS:
                raise InputError(f"{MOST_VOTERS:,} have voted; more do not go.")
            insert = "INSERT OR REPLACE INTO vote VALUES (?, ?, ?, ?)"
            self._base.all(insert, code, name, key, option)

    def vote_of(self, key: str, name: str) -> int | None:
        """None: there is none."""
        asked = "SELECT option FROM vote WHERE code = ? AND poll = ? AND voter = ?"
        found = self._base.all(asked, keys.code_of(key), name, key)
        return found[0][0] if found else None

    def tally(self, code: str, name: str) -> list[int]:
        """How many voted for each answer."""
        standing = self.poll(code, name)
        counts = [0] * (standing.options if standing else 0)
        asked = "SELECT option, count(*) FROM vote WHERE code = ? AND poll = ? GROUP BY option"
        for option, count in self._base.all(asked, code, name):
            counts[option] = count
        return counts
