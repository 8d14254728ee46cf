"""Fifty readers who each give ten megabytes at the same moment."""

import asyncio
import io

import numpy as np
import pytest
from httpx2 import AsyncClient
from PIL import Image
from websockets.asyncio.client import connect

from tests.journeys.server import running_process
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.student import COOKIE, PROTOCOL

READERS = 50
GROWTH = 700_000_000  # bytes; without a limit it was 1,511,000,000


def ten_megabytes() -> bytes:
    pixels = np.random.default_rng(1).integers(0, 256, (1800, 1800, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=0)
    return file.getvalue()


async def give(address: str, content: bytes, together: asyncio.Barrier) -> None:
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with (
        AsyncClient(base_url=address, timeout=120) as files,
        connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST, open_timeout=60) as socket,
    ):
        session = Session(socket)
        await session.go("vision", {})
        token = (await files.get("/_stcore/health")).cookies[COOKIE]
        await together.wait()
        for number in range(2):
            field = session.named(f"vision.picture:file:{number}")
            place = await session.file_address("it.png")
            body, said = {"it.png": content}, {"X-Xsrftoken": token}
            (await files.put(place.upload_url, files=body, headers=said)).raise_for_status()
            answer = await session.uploaded(field, "it.png", len(content), place)
            assert answer.errors == []


async def give_together(address: str, readers: int) -> None:
    content, together = ten_megabytes(), asyncio.Barrier(readers)
    await asyncio.gather(*(give(address, content, together) for _ in range(readers)))


@pytest.mark.slow
def test_memory_stays_where_it_is():
    with running_process() as server:
        run(give_together(server.address, 2))
        before = server.resident
        run(give_together(server.address, READERS))
        assert server.peak - before < GROWTH
