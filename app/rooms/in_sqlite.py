"""Rooms kept in SQLite: in this process's memory, or in a file.

Web processes of one machine that are given the same file (GLASSFORMER_ROOMS) share their rooms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from app.rooms.database import Poll, Refusal, Secrets, Shown, State, gone
from app.rooms.sqlite_connection import Connection


class InSqlite:
    """A `Database`; the clock is this machine's."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        base = Connection(file)
        self._clock, self._all, self._change = clock, base.all, base.change

    def add(self, code: str, secrets: Secrets, life: float, most_rooms: int) -> Refusal | None:
        now = self._clock()
        with self._change():
            self._all("DELETE FROM room WHERE ends < ?", now)
            if self._all("SELECT count(*) FROM room")[0][0] >= most_rooms:
                return Refusal.FULL
            if self._all("SELECT 1 FROM room WHERE code = ?", code):
                return Refusal.TAKEN
            insert = "INSERT INTO room VALUES (?, ?, ?, 0, NULL, '{}', ?, ?)"
            self._all(insert, code, secrets.teacher, secrets.salt, now + life, now)
        return None

    def secrets(self, code: str | None) -> Secrets:
        return Secrets(*self._room(code, "teacher, salt"))

    def shown(self, code: str) -> Shown:
        version, seen, page, link = self._room(code, "version, seen, page, link")
        return Shown(version, self._clock() - seen, page, link)

    def states(self, codes: Iterable[str]) -> dict[str, State]:
        now, asked = self._clock(), list(codes)
        which = f"code IN ({', '.join('?' * len(asked))}) AND ends >= ?"
        rows = self._all(f"SELECT code, version, seen FROM room WHERE {which}", *asked, now)
        return {code: State(version, now - seen) for code, version, seen in rows}

    def show(self, code: str, page: str, link: str, life: float) -> None:
        with self._change():
            if self._room(code, "page, link") != (page, link):
                update = "UPDATE room SET page = ?, link = ? WHERE code = ?"
                self._all(update, page, link, code)
                self._changed(code)
            self._renew(code, life)

    def renew(self, code: str, life: float) -> None:
        with self._change():
            self._room(code, "1")
            self._renew(code, life)

    def remove(self, code: str) -> None:
        with self._change():
            self._all("DELETE FROM room WHERE code = ?", code)

    def attend(self, process: str, students: Mapping[str, int]) -> None:
        insert = "INSERT OR REPLACE INTO present SELECT code, ?, ?, ? FROM room WHERE code = ?"
        with self._change():
            for code, count in students.items():
                self._all(insert, process, count, self._clock(), code)

    def present(self, code: str, within: float) -> int:
        asked = "SELECT coalesce(sum(students), 0) FROM present WHERE code = ? AND told > ?"
        return self._all(asked, code, self._clock() - within)[0][0]

    def ask(self, code: str, name: str, options: int) -> None:
        with self._change():
            self._room(code, "1")
            before = self.poll(code, name)
            if before is None or before.options != options:  # its votes go with it
                insert = "INSERT OR REPLACE INTO poll VALUES (?, ?, ?, 0)"
                self._all(insert, code, name, options)

    def poll(self, code: str, name: str) -> Poll | None:
        asked = "SELECT options, closed FROM poll WHERE code = ? AND name = ?"
        found = self._all(asked, code, name)
        return Poll(found[0][0], bool(found[0][1])) if found else None

    def end(self, code: str, name: str) -> None:
        with self._change():
            update = "UPDATE poll SET closed = 1 WHERE code = ? AND name = ? AND NOT closed"
            if self._all(f"{update} RETURNING 1", code, name):
                self._changed(code)

    def vote(
        self, code: str, name: str, voter: str, option: int, most_voters: int
    ) -> Refusal | None:
        with self._change():
            self._room(code, "1")
            standing = self.poll(code, name)
            if standing is None:
                return Refusal.NOT_ASKED
            if standing.closed:
                return Refusal.CLOSED
            if not 0 <= option < standing.options:
                return Refusal.NO_OPTION
            is_new = self.vote_of(code, name, voter) is None
            if is_new and sum(self.tally(code, name).values()) >= most_voters:
                return Refusal.FULL
            insert = "INSERT OR REPLACE INTO vote VALUES (?, ?, ?, ?)"
            self._all(insert, code, name, voter, option)
        return None

    def vote_of(self, code: str | None, name: str, voter: str) -> int | None:
        asked = "SELECT option FROM vote WHERE code = ? AND poll = ? AND voter = ?"
        found = self._all(asked, code, name, voter)
        return found[0][0] if found else None

    def tally(self, code: str, name: str) -> dict[int, int]:
        asked = "SELECT option, count(*) FROM vote WHERE code = ? AND poll = ? GROUP BY option"
        return dict(self._all(asked, code, name))

    def lend(self, code: str, mark: str, text: str, most: int) -> Refusal | None:
        with self._change():
            self._room(code, "1")
            others = "SELECT coalesce(sum(length(text)), 0) FROM paper WHERE code != ?"
            if self._all(others, code)[0][0] + len(text) > most:
                return Refusal.FULL
            self._all("INSERT OR REPLACE INTO paper VALUES (?, ?, ?)", code, mark, text)
        return None

    def lends(self, code: str, mark: str) -> bool:
        return bool(self._all("SELECT 1 FROM paper WHERE code = ? AND mark = ?", code, mark))

    def lent(self, code: str, mark: str) -> str | None:
        found = self._all("SELECT text FROM paper WHERE code = ? AND mark = ?", code, mark)
        return found[0][0] if found else None

    def _room(self, code: str | None, columns: str) -> tuple[Any, ...]:
        """Of one that has not ended."""
        asked = f"SELECT {columns} FROM room WHERE code = ? AND ends >= ?"
        found = self._all(asked, code, self._clock())
        if not found:
            raise gone(code)
        return found[0]

    def _changed(self, code: str) -> None:
        """Students are to see what is new."""
        self._all("UPDATE room SET version = version + 1 WHERE code = ?", code)

    def _renew(self, code: str, life: float) -> None:
        now = self._clock()
        self._all("UPDATE room SET ends = ?, seen = ? WHERE code = ?", now + life, now, code)
