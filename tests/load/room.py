"""A room of students who follow a teacher: `python -m tests.load --room 200`.

Each has a websocket and a stream of server-sent events, as a browser has them, and asks for the new
view when and as a browser does (components/room_stream). From the teacher's click until a
student's run has ended, one clock counts: theirs and the server's machine is one.
"""

import asyncio
import gc
import json
import math
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final

from httpx2 import AsyncClient, Limits
from websockets.asyncio.client import connect

from tests.journeys.server import Server, running_process
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.student import PROTOCOL
from tests.load.table import Began, percentiles

SENTENCE: Final = "The owl saw the mouse before it ran."
QUESTION: Final = {"lesson": "attention.1", "model": "minilm-l6", "heads": "3.1"}
GRID: Final = "attention.grid.encoder"
STREAM: Final = "room-stream"
HEADS: Final = ((0, 0), (1, 4), (2, 8), (3, 1), (4, 5), (5, 11))  # that the teacher clicks
PAUSE: Final = 6.0  # seconds between two clicks


@dataclass
class Room:
    """What all of a room have in common, and what they measured, in seconds."""

    address: str
    clicked: float = 0.0  # time.perf_counter
    drawn: float = 0.0  # when the teacher's own view was there
    version: int = 0  # what the click makes; 0: nothing is timed
    told: list[float] = field(default_factory=list[float])  # from the teacher's view to the event
    shown: list[float] = field(default_factory=list[float])  # from the click to a student's view
    voted: list[float] = field(default_factory=list[float])
    errors: list[str] = field(default_factory=list[str])


@asynccontextmanager
async def tab(address: str) -> AsyncGenerator[Session]:
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with connect(
        stream, subprotocols=[PROTOCOL], max_size=LARGEST, open_timeout=120
    ) as socket:
        yield Session(socket)


class Follower:
    """A student in the room."""

    def __init__(self, number: int, room: Room, browser: AsyncClient) -> None:
        self._room, self._browser, self._random = room, browser, Random(number)
        self.known = 0

    async def attend(self, code: str, come: asyncio.Barrier) -> None:
        """Until the room is closed."""
        async with tab(self._room.address) as session:
            answer = await session.go("attention", {"room": code})
            self._room.errors += answer.errors
            self._session, self._ear = session, session.named(STREAM).figure[0]
            self.known = self._ear["known"]
            asked = self._browser.stream("GET", "/rooms/events", params={"key": self._ear["key"]})
            async with asked as stream:
                await come.wait()
                async for line in stream.aiter_lines():
                    if line.startswith("data: ") and not await self._hear(json.loads(line[6:])):
                        return

    async def _hear(self, news: dict[str, float]) -> bool:
        """What a browser does; False: the room has ended."""
        room = self._room
        if news["ended"] or news["version"] <= self.known:
            return not news["ended"]
        timed = news["version"] == room.version
        if timed:
            room.told.append(max(0.0, time.perf_counter() - room.drawn))
        await asyncio.sleep(self._random.random() * news["spread"])
        ear = self._session.named(STREAM)
        answer = await self._session.click(ear, {"version": news["version"]})
        if timed:
            room.shown.append(time.perf_counter() - room.clicked)
        room.errors += answer.errors
        self.known = self._session.named(STREAM).figure[0]["known"]
        return True

    async def vote(self) -> None:
        began = time.perf_counter()
        options = self._session.named("attention.lesson-question-vote").figure[0]["options"]
        vote = {
            "key": self._ear["key"],
            "poll": QUESTION["lesson"],
            "option": self._random.randrange(len(options)),
        }
        done = await self._browser.post("/rooms/vote", json=vote)
        self._room.voted.append(time.perf_counter() - began)
        if done.status_code != 204:
            self._room.errors.append(done.text)


async def lecture(room: Room, students: int, began: Began) -> tuple[float, float]:
    """The teacher clicks heads, then asks. CPU seconds a move; of the listening alone, a second."""
    limits = Limits(max_connections=None, max_keepalive_connections=None)
    client = AsyncClient(base_url=room.address, timeout=None, limits=limits, trust_env=False)
    async with client as browser, tab(room.address) as teacher:
        await teacher.go("attention", {"text": SENTENCE})
        await teacher.press(teacher.named("attention.open-room"))
        code = teacher.named(STREAM).figure[0]["code"]
        come = asyncio.Barrier(students + 1)
        class_ = [Follower(number, room, browser) for number in range(students)]
        attending = asyncio.gather(*(one.attend(code, come) for one in class_))
        await come.wait()
        await asyncio.sleep(PAUSE)
        began.count()
        await asyncio.sleep(PAUSE)
        quiet = began.used().cpu / PAUSE
        began.count()
        for head in HEADS:
            room.clicked, room.version = time.perf_counter(), class_[0].known + 1
            room.drawn = math.inf  # an event may be there before the teacher's run has ended
            await teacher.select(teacher.named(GRID), [list(head)])
            room.drawn = time.perf_counter()
            await asyncio.sleep(PAUSE)
        moves, room.version = began.used().cpu / len(HEADS), 0
        await teacher.go("about", {})
        await teacher.go("attention", QUESTION)
        await asyncio.sleep(PAUSE)
        await asyncio.gather(*(one.vote() for one in class_))
        await teacher.press(teacher.named("room-close"))
        await attending
    return moves, quiet


def held(students: int, command: str) -> Sequence[str]:
    """A table for tests/benchmarks/RESULTS.md."""
    with running_process() as server:
        gc.disable()  # it would stop everybody at once, and time that as the server's
        room = Room(server.address)
        moves, quiet = run(lecture(room, students, Began(server)))
        return lines(room, students, command, moves, quiet, server)


def lines(
    room: Room, students: int, command: str, moves: float, quiet: float, server: Server
) -> list[str]:
    expected = students * len(HEADS)
    return [
        "| what | result |",
        "|---|---|",
        f"| from the teacher's click to a student's view, p50, p95, p99 of {len(room.shown)} "
        f"(`{command}`) | {percentiles(room.shown)} |",
        f"| from the teacher's view to the event at a student, {len(room.told)} of them | "
        f"{percentiles(room.told)} |",
        f"| a vote, all at once, {len(room.voted)} of them | {percentiles(room.voted)} |",
        f"| errors; views that never came | {len(room.errors)}{''.join(room.errors[:1])}; "
        f"{expected - len(room.shown)} |",
        f"| server CPU a click, for all | {moves:.2f} s |",
        f"| server CPU while nothing moves | {100 * quiet:.1f} % of a core |",
        f"| resident at the end; most | {server.resident / 1e9:.2f}; {server.peak / 1e9:.2f} GB |",
    ]
