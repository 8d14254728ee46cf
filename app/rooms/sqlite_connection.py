"""One connection to SQLite for all threads of a process; an error of its is AwayError."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final

from app.rooms.database import AwayError

LOG: Final = logging.getLogger(__name__)
WAIT: Final = 5.0  # seconds for another process's writing
SETTINGS: Final = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "foreign_keys = ON",
    "secure_delete = ON",  # what is deleted is overwritten
)
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS room (code TEXT PRIMARY KEY, teacher BLOB, salt BLOB, version INTEGER,
    page TEXT, link TEXT, ends REAL, seen REAL);
CREATE TABLE IF NOT EXISTS poll (code TEXT REFERENCES room ON DELETE CASCADE, name TEXT,
    options INTEGER, closed INTEGER, PRIMARY KEY (code, name));
CREATE TABLE IF NOT EXISTS vote (code TEXT, poll TEXT, voter TEXT, option INTEGER,
    PRIMARY KEY (code, poll, voter),
    FOREIGN KEY (code, poll) REFERENCES poll ON DELETE CASCADE);
CREATE TABLE IF NOT EXISTS paper (code TEXT PRIMARY KEY REFERENCES room ON DELETE CASCADE,
    mark TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS present (code TEXT REFERENCES room ON DELETE CASCADE, process TEXT,
    students INTEGER, told REAL, PRIMARY KEY (code, process));
"""


class Connection:
    """To a file, or to this process's memory."""

    def __init__(self, file: Path | None) -> None:
        self._lock = RLock()
        with _told():
            self._base = _opened(file)

    def all(self, asked: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        with self._lock, _told():
            return self._base.execute(asked, values).fetchall()

    @contextmanager
    def change(self) -> Generator[None]:
        """A transaction that nobody's can come between."""
        with self._lock:
            self.all("BEGIN IMMEDIATE")
            try:
                yield
                self.all("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # what went wrong may have ended it
                    self.all("ROLLBACK")
                raise


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except sqlite3.Error as error:  # another process holds the file, or its disk is full
        LOG.exception("the rooms' file could not be used")
        raise AwayError from error


def _opened(file: Path | None) -> sqlite3.Connection:
    if file is not None:  # its owner's alone: a link holds the teacher's text
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    base = sqlite3.connect(
        file or ":memory:", timeout=WAIT, isolation_level=None, check_same_thread=False
    )
    for setting in SETTINGS:
        base.execute(f"PRAGMA {setting}")
    base.executescript(SCHEMA)
    return base
