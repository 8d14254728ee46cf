"""The log: one JSON object an event, where no terminal shows it. No reader's text is in it.

Messages of errors may quote what a reader wrote, so an error is its class and the lines that led
to it. Of what others' packages say, what they put into their sentences stays out.
"""

import json
import logging
import sys
import threading
import traceback
import warnings
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

from typing_extensions import override

LOG: Final = logging.getLogger(__name__)
OURS: Final = ("app", "core")  # whose sentences hold no text of a reader


class OneLine(logging.Formatter):
    """A record as a line of JSON."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        ours = record.name.partition(".")[0] in OURS
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if ours else str(record.msg),
        }
        if record.exc_info and (error := record.exc_info[1]) is not None:
            event |= failure(error)
        return json.dumps(event, ensure_ascii=False)


def failure(error: BaseException) -> dict[str, Any]:
    """An error without its message, and what it came from."""
    lines = traceback.extract_tb(error.__traceback__)
    told: dict[str, Any] = {
        "error": type(error).__qualname__,
        "traceback": [f"{line.filename}:{line.lineno} {line.name}" for line in lines],
    }
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return told if before is None else told | {"because": failure(before)}


def in_json() -> None:
    """Everything that this process logs, from now on. Streamlit must be imported, and not begun."""
    from streamlit import logger
    from uvicorn.config import LOGGING_CONFIG

    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())

    def ours(log: logging.Logger) -> None:
        log.handlers = [handler]

    logger.setup_formatter = ours
    logger.update_formatter()
    LOGGING_CONFIG["formatters"]["default"] = {"()": _one_line}
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it tells every request
    sys.excepthook = _ended
    threading.excepthook = _thread_ended
    warnings.showwarning = _warning


def _one_line(**_: object) -> OneLine:
    """For uvicorn, which tells it of colours."""
    return OneLine()


def _ended(kind: type[BaseException], error: BaseException, frames: TracebackType | None) -> None:
    """Of the server as a whole, such as a setting that it can't have: no reader wrote that."""
    LOG.critical("%s", error, exc_info=(kind, error, frames))


def _thread_ended(one: threading.ExceptHookArgs) -> None:
    if (error := one.exc_value) is not None and not isinstance(error, SystemExit):
        LOG.error("a thread ended", exc_info=(one.exc_type, error, one.exc_traceback))


def _warning(
    _message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object
) -> None:
    LOG.warning("%s at %s:%d", category.__name__, filename, lineno)
