"""What keeps rooms, whichever it is: `in_sqlite` (this process's memory, or a file) or `in_redis`.

Every method is one transaction that nobody's can come between, and may be called from any thread.
The limits come with each question, from who knows the rule: `store`, `polls`, `papers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol

from core.errors import InputError

AWAY: Final = (
    "The rooms of this server can’t be reached at the moment. The page works on without; your next "
    "click asks for them again."
)


class GoneError(InputError):
    """There is no such room, or no longer."""


class AwayError(InputError):
    """What keeps the rooms does not answer; it may again, in a moment."""

    def __init__(self) -> None:
        super().__init__(AWAY)


def gone(code: str | None) -> GoneError:
    return GoneError(f"There is no room {code}: its code is another, or it has ended.")


class Refusal(Enum):
    """Why something was not done."""

    TAKEN = auto()  # a room has that code
    FULL = auto()
    NOT_ASKED = auto()
    CLOSED = auto()
    NO_OPTION = auto()


@dataclass(frozen=True, slots=True)
class Secrets:
    """What keys are held against."""

    teacher: bytes  # the hash of the teacher's
    salt: bytes  # of students'


@dataclass(frozen=True, slots=True)
class State:
    """What holds of a room."""

    version: int
    silent: float  # seconds since the teacher's browser was there


@dataclass(frozen=True, slots=True)
class Shown(State):
    """What the teacher shows."""

    page: str | None  # None: nothing yet
    link: str  # a JSON object


@dataclass(frozen=True, slots=True)
class Poll:
    """A question that stands: how many answers it offers, and whether votes count no more."""

    options: int
    closed: bool


class Database(Protocol):
    """Each raises AwayError; who names a room that must be there, GoneError."""

    def add(
        self, code: str, secrets: Secrets, life: float, most_rooms: int
    ) -> Refusal | None: ...  # TAKEN, FULL; what has ended is deleted first
    def secrets(self, code: str | None) -> Secrets: ...
    def shown(self, code: str) -> Shown: ...
    def states(self, codes: Iterable[str]) -> dict[str, State]: ...  # of those that have not ended
    def show(self, code: str, page: str, link: str, life: float) -> None: ...
    def renew(self, code: str, life: float) -> None: ...  # life: seconds from now
    def remove(self, code: str) -> None: ...
    def attend(self, process: str, students: Mapping[str, int]) -> None: ...
    def present(self, code: str, within: float) -> int: ...  # counted in the last seconds

    def ask(self, code: str, name: str, options: int) -> None: ...
    def poll(self, code: str, name: str) -> Poll | None: ...
    def end(self, code: str, name: str) -> None: ...
    def vote(
        self, code: str, name: str, voter: str, option: int, most_voters: int
    ) -> Refusal | None: ...  # NOT_ASKED, CLOSED, NO_OPTION, FULL
    def vote_of(self, code: str | None, name: str, voter: str) -> int | None: ...
    def tally(self, code: str, name: str) -> dict[int, int]: ...  # votes by option

    def lend(
        self, code: str, mark: str, text: str, most: int
    ) -> Refusal | None: ...  # FULL: all rooms' would be longer than that
    def lends(self, code: str, mark: str) -> bool: ...
    def lent(self, code: str, mark: str) -> str | None: ...
