"""Two readers at one server: nothing that one types, uploads or takes along reaches the other."""

import io
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from httpx2 import AsyncClient
from PIL import Image
from websockets.asyncio.client import ClientConnection, connect

from tests.journeys.server import running_server
from tests.load.own_loop import run
from tests.load.session import LARGEST, Session
from tests.load.student import COOKIE, PROTOCOL

MARK = "xylophonist"  # in no text of the app
MEDIA = re.compile(rb"/media/[0-9a-f]+\.[a-z]{2,4}")


class Listening:
    """A connection that remembers all that came."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.heard = b""

    async def send(self, message: bytes) -> None:
        await self._socket.send(message)

    async def __aiter__(self):
        async for data in self._socket:
            self.heard += data if isinstance(data, bytes) else data.encode()
            yield data


async def type_it(session: Session, text: str) -> None:
    answer = await session.change(session.named("attention.text"), string_value=text)
    assert answer.errors == []


@asynccontextmanager
async def two_readers(
    address: str,
) -> AsyncGenerator[tuple[AsyncClient, tuple[Session, Listening], tuple[Session, Listening]]]:
    """Each with what they heard, and a client for files."""
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with (
        AsyncClient(base_url=address, timeout=60) as files,
        connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST) as one,
        connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST) as two,
    ):
        ann_s, ben_s = Listening(one), Listening(two)
        yield files, (Session(ann_s), ann_s), (Session(ben_s), ben_s)  # type: ignore[arg-type]


async def meet(address: str) -> None:
    async with two_readers(address) as (files, (ann, ann_s), (ben, ben_s)):
        await ann.go("attention", {})
        await ben.go("attention", {})
        await type_it(ann, f"The {MARK} slept.")
        await type_it(ben, "The old dog slept.")
        await ben.go("about", {})
        await ben.go("attention", {})  # what is carried from page to page is the reader's own
        await ben.go("gpt", {})
        assert MARK.encode() in ann_s.heard
        assert MARK.encode() not in ben_s.heard

        token = (await files.get("/_stcore/health")).cookies[COOKIE]
        await ann.go("vision", {})
        await ben.go("vision", {})
        place = await ann.file_address("it.png")
        file = io.BytesIO()
        Image.new("RGB", (64, 64), (13, 200, 99)).save(file, "PNG")
        put = await files.put(
            place.upload_url, files={"it.png": file.getvalue()}, headers={"X-Xsrftoken": token}
        )
        put.raise_for_status()
        read = (await files.get(place.upload_url)).content
        assert file.getvalue() not in read, "nobody reads it back"
        field = "vision.picture:file:0"
        theirs = await ben.uploaded(ben.named(field), "it.png", 1, place)
        assert not any("own picture is shown" in str(each.proto) for each in theirs.drawn)
        own = await ann.uploaded(ann.named(field), "it.png", 1, place)
        assert any("Your own picture is shown" in str(each.proto) for each in own.drawn)
        assert theirs.errors == []
        await ann.go("attention", {})
        await ann.open("attention.session-menu")
        await ben.open("vision.session-menu")
        addresses = set(MEDIA.findall(ben_s.heard))
        assert addresses
        for address in addresses:
            assert MARK not in (await files.get(address.decode())).text


@pytest.mark.slow
def test_nothing_of_one_reaches_the_other():
    with running_server() as address:
        run(meet(address))


def refused(address: str) -> list[int]:
    """An upload without the token, and one into a session that is not there."""

    async def put() -> list[int]:
        async with AsyncClient(base_url=address) as files:
            token = (await files.get("/_stcore/health")).cookies[COOKIE]
            to = "/_stcore/upload_file/nobody/1"
            one = await files.put(to, files={"a": b"1"})
            two = await files.put(to, files={"a": b"1"}, headers={"X-Xsrftoken": token})
            return [one.status_code, two.status_code]

    return run(put())


@pytest.mark.slow
def test_an_upload_needs_the_page_s_own_token_and_a_session():
    with running_server() as address:
        assert refused(address) == [403, 400]
