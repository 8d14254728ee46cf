"""A hall's Wi-Fi fails: everybody's connection ends at once, and all come back as they were.

Streamlit keeps 128 sessions without a connection, for two minutes; the others' are thrown away. A
browser then says what it had: the address bar, and the widgets.
"""

import asyncio
from dataclasses import dataclass

import numpy as np
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.journeys.server import running_server
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.student import PROTOCOL

READERS = 200
KEPT = 128
SILENT = 10  # of so many, one whose server never hears that the connection is gone
NO_TOKEN = Subprotocol("PLACEHOLDER_AUTH_TOKEN")  # what a browser says in a token's place
GRID, VIEW = "attention.grid.encoder", "attention.view.encoder"


@dataclass(frozen=True)
class Seen:
    """What a reader has before them."""

    link: dict[str, str]
    tokens: list[str]
    maps: np.ndarray

    @classmethod
    def by(cls, session: Session) -> "Seen":
        header, arrays = session.named(VIEW).figure
        return cls(session.link, header["query_tokens"], arrays["maps"])


async def connected(address: str, *known: str) -> ClientConnection:
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    said = [PROTOCOL, *((NO_TOKEN, Subprotocol(known[0])) if known else ())]
    return await connect(
        stream,
        subprotocols=said,
        max_size=LARGEST,
        open_timeout=120,
        ping_interval=None,  # nobody reads while all wait for one another
    )


async def reader(address: str, number: int, gone: asyncio.Barrier) -> bool:
    """Whether the session was still there."""
    first = await connected(address)
    session = Session(first)
    await session.go("attention", {})
    text = f"Reader number {number} read it."
    await session.change(session.named("attention.text"), string_value=text)
    await session.select(session.named(GRID), [[number % 6, number % 12]])
    before, name = Seen.by(session), session.id
    assert before.link == {"text": text, "heads": f"{number % 6}.{number % 12}"}
    await gone.wait()
    if number % SILENT == 0:
        pass
    elif number % 2:
        first.transport.abort()
    else:
        await first.close()
    await gone.wait()
    second = await connected(address, name)
    answer = await session.again(second)
    after = Seen.by(session)
    assert answer.errors == []
    assert (after.link, after.tokens) == (before.link, before.tokens)
    np.testing.assert_allclose(after.maps, before.maps, atol=1e-6)
    await session.select(session.named(GRID), [[0, 0]])
    assert session.link == before.link | {"heads": "0.0"}
    await gone.wait()
    for socket in (first, second):
        await socket.close()
    return session.id == name


async def everybody(address: str) -> list[bool]:
    gone = asyncio.Barrier(READERS)
    return await asyncio.gather(*(reader(address, number, gone) for number in range(READERS)))


@pytest.mark.slow
def test_two_hundred_come_back_to_what_they_had():
    with running_server() as address:
        kept = run(everybody(address))
    assert 0 < sum(kept) <= KEPT + READERS // SILENT
