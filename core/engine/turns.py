"""Which long answer goes on next: new ones first, then the four that began first, in turns.

Nobody knows how long an answer will take; what it has had so far says most about it (the least
attained service first: Schrage 1967). A sentence that is translated overtakes a picture that is
occluded 785 times, whoever asked first.
"""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar, runtime_checkable

TRIAL: Final = 1.0  # seconds of work in which an answer is new
AT_ONCE: Final = 4  # new ones that share the time, and old ones where there are no new ones
MOST: Final = 32  # that are begun: each keeps its thread and what it has found so far


@runtime_checkable  # for the tests' checks of types
class Served(Protocol):
    """Work that is done in parts."""

    @property
    def taken(self) -> float:
        """Seconds of work so far."""
        ...


Work = TypeVar("Work", bound=Served)


def may_begin(begun: Sequence[Served]) -> bool:
    """Whether one more has room beside these."""
    return len(begun) < MOST and sum(map(is_new, begun)) < AT_ONCE


def next_of(begun: Sequence[Work]) -> Work:
    """Of what is begun, in this order: who goes on. There must be one."""
    among = [work for work in begun if is_new(work)] or begun[:AT_ONCE]
    return min(among, key=lambda work: work.taken)


def before(begun: Sequence[Served], work: Served) -> int | None:
    """How many others end before it goes on, if it stands aside; None where it has its turns."""
    older = sum(not is_new(one) for one in begun[: begun.index(work)])
    return None if is_new(work) or older < AT_ONCE else older - AT_ONCE


def is_new(work: Served) -> bool:
    return work.taken < TRIAL
