"""A device without room for a question: the processor answers it, and who waits is told.

Batches are made smaller before it comes to this (`core.models.batching.in_parts`).
"""

import sys
from typing import Final

from core.errors import BusyError

PROCESSOR: Final = "cpu"
MOVED: Final = (
    "The graphics card has no room for this: the processor computes it, which takes longer …"
)
NOWHERE: Final = (
    "There is not enough memory for this now. Your page is kept: try again in a minute, or with "
    "something smaller."
)
# By torch, of the devices whose errors have no class of their own.
SAID: Final = ("out of memory", "can't allocate memory", "not enough memory")


def has_no_room(error: BaseException) -> bool:
    """Whether memory was all that lacked, of any device."""
    torch = sys.modules.get("torch")
    if isinstance(error, MemoryError) or (torch and isinstance(error, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(words in str(error) for words in SAID)


def told(error: BaseException) -> BaseException:
    """The error as who asked hears of it."""
    return BusyError(NOWHERE) if has_no_room(error) else error
