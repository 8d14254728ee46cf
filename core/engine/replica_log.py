"""A replica's log: no reader's text is in it.

Messages of errors may quote what a reader wrote, so an error is its class and the lines that led
to it. The app's own log says the same in JSON (app/services/logs.py); the core knows no app.
"""

import logging
import traceback
from types import TracebackType
from typing import Final, TypeAlias

from typing_extensions import override

LINE: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
ErrorInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class WithoutMessages(logging.Formatter):
    """Errors are told without their messages."""

    @override
    def formatException(self, ei: ErrorInfo) -> str:
        return "" if ei[1] is None else _told(ei[1])


def begin() -> None:
    """What this project logs in this process, from now on: to where Ray keeps it."""
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutMessages(LINE))
    log = logging.getLogger("core")
    log.handlers = [handler]
    log.propagate = False  # the root's handlers would tell it with its messages
    log.setLevel(logging.INFO)


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    lines = ", ".join(f"{line.filename}:{line.lineno} {line.name}" for line in frames)
    told = f"{type(error).__qualname__} at {lines}"
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return told if before is None else f"{told}; because of {_told(before)}"
