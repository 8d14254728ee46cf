"""Where rooms are kept: SQLite, in this process's memory or in a file.

Web processes that are given the same file (GLASSFORMER_ROOMS) share their rooms.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final

from core.errors import InputError

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


class GoneError(InputError):
    """There is no such room, or no longer."""


class Database:
    """May be used from any thread."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        if file is not None:  # its owner's alone: a link holds the teacher's text
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self.clock: Final = clock
        self._lock = RLock()
        self._base = sqlite3.connect(
            file or ":memory:", timeout=WAIT, isolation_level=None, check_same_thread=False
        )
        for setting in SETTINGS:
            self._base.execute(f"PRAGMA {setting}")
        self._base.executescript(SCHEMA)

    def all(self, asked: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        with self._lock:
            return self._base.execute(asked, values).fetchall()

    def room(self, code: str | None, columns: str) -> tuple[Any, ...]:
        """Of one room that has not ended. Raises GoneError."""
        asked = f"SELECT {columns} FROM room WHERE code = ? AND ends >= ?"
        found = self.all(asked, code, self.clock())
        if not found:
            raise GoneError(f"There is no room {code}: its code is another, or it has ended.")
        return found[0]

    def changed(self, code: str) -> None:
        """Students are to see what is new; within `change`."""
        self.all("UPDATE room SET version = version + 1 WHERE code = ?", code)

    @contextmanager
    def change(self) -> Generator[None]:
        """A transaction that nobody's can come between."""
        with self._lock:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")
