"""What a browser's first visit takes: compressed, and the same as Streamlit's own files."""

import gzip
import re

import pytest
from httpx2 import AsyncClient
from websockets.asyncio.client import connect

from tests.journeys.server import running_server
from tests.load.first_visit import fetched
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.shown import modules_of
from tests.load.student import ASSETS, PROTOCOL

KEPT, GZIP = "public, immutable", {"Accept-Encoding": "gzip"}


async def visit(address: str) -> tuple[int, int]:
    """Bytes as they come, and as they are."""
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST) as socket:
        modules = modules_of((await Session(socket).go("attention", {})).drawn)
    page = (await fetched(address, ["/"]))[0].decode()
    paths = [*re.findall(ASSETS, page), *sorted(modules)]
    assert len(modules) > 3
    assert len(paths) > 50
    came = await fetched(address, paths)
    async with AsyncClient(base_url=address, headers={"Accept-Encoding": "identity"}) as files:
        own = [(await files.get(path)).content for path in paths]
        assert KEPT in (await files.get(paths[-1], headers=GZIP)).headers["cache-control"]
    assert [gzip.decompress(one) for one in came] == own
    return sum(map(len, came)), sum(map(len, own))


@pytest.mark.slow
def test_it_is_a_third_of_what_the_files_weigh():
    with running_server() as address:
        came, own = run(visit(address))
    assert came < own / 3
