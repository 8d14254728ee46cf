"""A device without room for a question: the processor answers it, and who waits is told.

Where the processor's own memory lacks, nothing has more: who asked is told so at once. Batches are
made smaller before it comes to this (`core.models.batching.in_parts`).
"""

import re
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
# By torch, in errors that have no class of their own.
OF_A_CARD: Final = re.compile("(CUDA|HIP|MPS|XPU).*out of memory")
OF_ANY: Final = re.compile("out of memory|can't allocate memory|not enough memory")


def has_no_room(error: BaseException) -> bool:
    """Whether memory was all that lacked, of any device."""
    if isinstance(error, MemoryError) or card_is_full(error):
        return True
    return isinstance(error, RuntimeError) and OF_ANY.search(str(error)) is not None


def card_is_full(error: BaseException) -> bool:
    """Whether what lacked was the memory of a device other than the processor."""
    torch = sys.modules.get("torch")
    if torch and isinstance(error, torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and OF_A_CARD.search(str(error)) is not None


def told(error: BaseException) -> BaseException:
    """The error as who asked hears of it."""
    return BusyError(NOWHERE) if has_no_room(error) else error
