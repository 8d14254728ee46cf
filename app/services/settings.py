"""What the server's owner sets; app/start.py refuses nonsense before the server is there.

Every start waits for this check: it imports nothing heavy.
"""

import os
import sys
from typing import Final

MEMORY_SETTING: Final = "GLASSFORMER_MEMORY"  # bytes for models, answers, trainings together


def memory() -> int | None:
    """The bytes that models, their answers and trainings may take together; None: not set."""
    try:
        return _memory()
    except ValueError as error:
        from core.errors import InputError

        raise InputError(str(error)) from None


def _memory() -> int | None:
    asked = os.environ.get(MEMORY_SETTING)
    if not asked:
        return None
    try:
        found = int(asked)
    except ValueError:
        found = 0
    if found <= 0:
        raise ValueError(
            f"{MEMORY_SETTING} is a whole number of bytes, such as {2**31}, not “{asked}”."
        )
    return found


def main() -> int:
    """2 after telling what is wrong, as a command's status."""
    try:
        _memory()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
