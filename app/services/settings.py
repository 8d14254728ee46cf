"""What the server's owner sets; `python -m app.services.settings` refuses nonsense before a start.

Streamlit runs no line of the app before the first reader comes.
"""

import os
import sys
from typing import Final

from core.engine import MEMORY
from core.errors import InputError

MEMORY_SETTING: Final = "GLASSFORMER_MEMORY"  # bytes for models, answers, trainings together


def memory() -> int:
    """The bytes that models, their answers and trainings may take together."""
    asked = os.environ.get(MEMORY_SETTING, "")
    try:
        found = int(asked) if asked else MEMORY
    except ValueError:
        found = 0
    if found <= 0:
        raise InputError(
            f"{MEMORY_SETTING} is a whole number of bytes, such as {MEMORY}, not “{asked}”."
        )
    return found


def main() -> int:
    try:
        memory()
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
