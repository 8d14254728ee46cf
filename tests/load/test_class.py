"""A small class on the real app: what is measured is what readers get."""

import asyncio
import time

import numpy as np
import pytest
from websockets.asyncio.client import connect

from tests.journeys.server import running_process
from tests.load.__main__ import VIEWS
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.student import PROTOCOL, Habits, Seen, Student
from tests.load.table import Began, lines
from tests.pages.declared import SHOWN

pytestmark = pytest.mark.slow
SENTENCE = "The owl saw the mouse before it ran."


def test_numbers_come_back_and_are_counted():
    with running_process() as server:
        run(a_reader(server.address))
        views = tuple(shown for shown in SHOWN if str(shown) in VIEWS)
        habits, seen, began = Habits(server.address, views, think=0.1), Seen(), Began(server)
        run(two_students(habits, seen))
        table = "\n".join(lines(seen, began.used(), "command"))
    assert "| errors | 0 |" in table
    assert seen.failures == []
    joined = [answer for kind, _, answer in seen.answers if kind == "joining"]
    changes = [answer for kind, _, answer in seen.answers if kind != "joining"]
    assert len(joined) == 2
    assert len(changes) >= 2
    assert all(answer.drawn and answer.seconds > 0 for answer in changes)
    assert f"of {len(changes)} (`command`)" in table


async def two_students(habits: Habits, seen: Seen) -> None:
    until = time.monotonic() + 10
    await asyncio.gather(*(Student(i, habits, seen).attend(0.0, until) for i in range(2)))


async def a_reader(address: str) -> None:
    """The figure that comes back after a new sentence, and after a click, is another one."""
    stream = address.replace("http", "ws") + "/_stcore/stream"
    async with connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST) as socket:
        session = Session(socket)
        await session.go("attention", {})
        await session.change(session.named("attention.text"), string_value=SENTENCE)
        _, first = session.named("attention.view.encoder").figure
        assert np.allclose(first["maps"].sum(-1), 1, atol=1e-3)
        await session.select(session.named("attention.grid.encoder"), [[0, 0]])
        header, second = session.named("attention.view.encoder").figure
        assert header["query_tokens"][1:3] == ["the", "owl"]
        assert not np.allclose(first["maps"], second["maps"])
