"""One look at the store for all students of a process, however many listen.

Each is told what holds at the next look, and from then on what has changed: whole, so that who lost
the connection, or is slow, misses nothing that still counts. The store is asked in a thread: while
it does not answer, the event loop has all other readers to serve.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncGenerator
from secrets import token_hex
from typing import Final

from starlette.concurrency import run_in_threadpool

from app.rooms.database import AwayError
from app.rooms.store import News, Store

LOOK: Final = 0.05  # seconds between two looks
AGAIN: Final = 1.0  # seconds after one in vain
COUNT: Final = 5.0  # seconds between two counts of who is there
PING: Final = 15.0  # seconds; a proxy would end a connection that says nothing
MOST_LISTENERS: Final = 1000  # of a room, in a process
APART: Final = 0.012  # seconds of this process's time for one student's view
LATEST: Final = 2.5  # seconds


class Hub:
    """Belongs to the event loop that it is used in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: Counter[str] = Counter()  # 0: the store is yet to hear that all have left
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
        """News, at first and with every change until the room has ended; None: nothing was new."""
        self._listeners[code] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        told = None
        try:
            while not (is_ending() or (told and told.ended)):
                turn, news = self._turn, self._news.get(code)
                if news not in (None, told):
                    yield news
                    told = news
                    continue
                try:
                    await asyncio.wait_for(turn.wait(), PING)
                except TimeoutError:
                    yield None
        finally:
            self._listeners[code] -= 1

    async def _look(self) -> None:
        """While anybody listens."""
        clock = asyncio.get_running_loop().time
        counted = clock() - COUNT
        while self._listeners and not is_ending():
            try:
                left = [code for code, count in self._listeners.items() if not count]
                if left or clock() - counted >= COUNT:
                    counted = clock()
                    await run_in_threadpool(
                        self._store.attend, self._process, dict(self._listeners)
                    )
                    self._forget(left)
                news = await run_in_threadpool(self._store.news, list(self._listeners))
                if news != self._news:
                    self._tell(news)
            except AwayError:  # who listens keeps what they have heard
                await asyncio.sleep(AGAIN)
            await asyncio.sleep(LOOK)
        self._wake()  # a server that ends waits for them; browsers come again

    def _forget(self, left: list[str]) -> None:
        for code in left:
            if not self._listeners[code]:  # nobody has come meanwhile
                del self._listeners[code]
                self._news.pop(code, None)

    def _tell(self, news: dict[str, News]) -> None:
        self._news = news
        self._wake()

    def _wake(self) -> None:
        """Whoever waits; a turn that is set would let the next one go round without waiting."""
        self._turn.set()
        self._turn = asyncio.Event()


def is_ending() -> bool:
    """Whether the server was told to stop: it waits until every stream has ended."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
