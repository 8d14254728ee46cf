"""One look at the store for all students of a process, however many listen.

Each is told what holds when they come, and from then on what has changed: whole, so that who lost
the connection, or is slow, misses nothing that still counts.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from secrets import token_hex
from typing import Final

from app.rooms.database import GoneError
from app.rooms.store import Store

LOG: Final = logging.getLogger(__name__)
LOOK: Final = 0.05  # seconds between two looks
COUNT: Final = 5.0  # seconds between two counts of who is there
PING: Final = 15.0  # seconds; a proxy would end a connection that says nothing
MOST_LISTENERS: Final = 1000  # of a room, in a process
APART: Final = 0.012  # seconds of this process's time for one student's view
LATEST: Final = 2.5  # seconds


@dataclass(frozen=True, slots=True)
class News:
    """What a student's browser is told."""

    version: int = 0
    away: bool = False
    ended: bool = False


class Hub:
    """Belongs to the event loop that it is used in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: Counter[str] = Counter()
        self._news: dict[str, News] = {}
        self._turn = asyncio.Event()  # set, and replaced, when something changed
        self._process = token_hex(4)
        self._looking: asyncio.Task[None] | None = None

    def is_full(self, code: str) -> bool:
        return self._listeners[code] >= MOST_LISTENERS

    def spread(self, code: str) -> float:
        """Seconds within which all students are to ask for the new view, each at random."""
        return min(LATEST, APART * (self._listeners[code] - 1))

    async def listen(self, code: str) -> AsyncGenerator[News | None]:
        """News, at once and with every change until the room has ended; None: nothing was new."""
        self._listeners[code] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        told = None
        try:
            while not (is_ending() or (told and told.ended)):
                turn, news = self._turn, self._news.get(code) or self._read(code)
                if news != told:
                    yield news
                    told = news
                    continue
                try:
                    await asyncio.wait_for(turn.wait(), PING)
                except TimeoutError:
                    yield None
        finally:
            self._listeners[code] -= 1
            if not self._listeners[code]:
                del self._listeners[code]
                self._news.pop(code, None)
                self._store.attend(self._process, {code: 0})

    def _read(self, code: str) -> News:
        try:
            room = self._store.room(code)
        except GoneError:
            return News(ended=True)
        return News(room.version, room.away)

    async def _look(self) -> None:
        """While anybody listens."""
        clock = asyncio.get_running_loop().time
        counted = clock() - COUNT
        while self._listeners and not is_ending():
            try:
                if clock() - counted >= COUNT:
                    counted = clock()
                    self._store.attend(self._process, self._listeners)
                news = {code: self._read(code) for code in self._listeners}
                if news != self._news:
                    self._tell(news)
            except sqlite3.Error:  # another process holds the file, or its disk is full
                LOG.exception("the rooms could not be looked at")
            await asyncio.sleep(LOOK)
        self._turn.set()  # a server that ends waits for them; browsers come again

    def _tell(self, news: dict[str, News]) -> None:
        self._news = news
        self._turn.set()
        self._turn = asyncio.Event()


def is_ending() -> bool:
    """Whether the server was told to stop: it waits until every stream has ended."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
