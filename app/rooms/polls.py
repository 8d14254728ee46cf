"""A room's questions and votes: one vote a student, which may change until the question ends."""

from __future__ import annotations

from typing import Final

from app.rooms import keys
from app.rooms.database import Database, GoneError, Poll, Refusal
from core.errors import InputError

MOST_VOTERS: Final = 2000  # of a question
MOST_OPTIONS: Final = 400  # a picture's patches, 20 × 20


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
        self._base.ask(code, name, options)

    def poll(self, code: str, name: str) -> Poll | None:
        """None: it was not asked."""
        return self._base.poll(code, name)

    def end(self, code: str, name: str) -> None:
        """No vote counts any more; students see the answer."""
        self._base.end(code, name)

    def vote(self, key: str, name: str, option: int) -> None:
        """The vote of the student whose key this is. Raises InputError."""
        code = keys.code_of(key) or ""
        match self._base.vote(code, name, key, option, MOST_VOTERS):
            case None:
                return
            case Refusal.NOT_ASKED:
                raise GoneError("This question is not asked in the room any more.")
            case Refusal.CLOSED:
                raise InputError("The teacher has shown the answer: votes count no more.")
            case Refusal.NO_OPTION:
                raise InputError("That is none of the answers.")
            case _:
                raise InputError(f"{MOST_VOTERS:,} have voted; more do not go.")

    def vote_of(self, key: str, name: str) -> int | None:
        """None: there is none."""
        return self._base.vote_of(keys.code_of(key), name, key)

    def tally(self, code: str, name: str) -> list[int]:
        """How many voted for each answer."""
        standing = self.poll(code, name)
        votes = self._base.tally(code, name)
        return [votes.get(option, 0) for option in range(standing.options if standing else 0)]
