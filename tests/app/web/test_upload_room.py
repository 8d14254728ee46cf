"""Files wait until there is room; one for which there is none arrives as a sentence."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from app.ui.uploaded import REFUSED
from app.web import upload_room
from app.web.upload_room import UploadRoom
from core.limits import ALL_UPLOADS, MB, SESSION_UPLOADS

PART = b'; filename="my own.txt"\r\n'
Body = tuple[dict[bytes, bytes], bytes]


@dataclass
class Server:
    """Streamlit's own end: it keeps what arrives, as files of its session."""

    storage: dict[str, dict[str, Any]] = field(default_factory=dict)
    arrived: list[Body] = field(default_factory=list)

    def hold(self, session: str, size: int) -> None:
        files = self.storage.setdefault(session, {})
        files[str(len(files))] = SimpleNamespace(data=range(size))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message.get("more_body", False)
        self.arrived.append((dict(scope["headers"]), body))
        await send({"type": "http.response.start", "status": 204, "headers": []})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    here = Server()
    manager = SimpleNamespace(file_storage=here.storage)
    monkeypatch.setattr(
        upload_room.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager)
    )
    monkeypatch.setattr(upload_room, "LOOK", 0.0)
    return here


def put(
    server: Server,
    size: int | None,
    *more: tuple[bytes, bytes],
    meanwhile: Callable[[], object] = lambda: None,
) -> list[int]:
    """A file of so many bytes comes, with more headers; the answers' statuses."""
    statuses: list[int] = []
    said = [*more] if size is None else [(b"content-length", str(size).encode()), *more]
    scope: Any = {
        "type": "http",
        "method": "PUT",
        "path": "/_stcore/upload_file/mine/1",
        "headers": [(b"content-type", b"multipart/form-data; boundary=x"), *said],
    }
    parts = [{"body": PART, "more_body": True}, {"body": b"b" * 10, "more_body": False}]

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    async def both() -> None:
        coming = asyncio.create_task(UploadRoom(server)(scope, receive, send))  # type: ignore[arg-type]
        for _ in range(5):
            await asyncio.sleep(0)
        meanwhile()
        await coming

    asyncio.run(both())
    assert not parts or statuses == [411, 0], "a browser sends all before it reads an answer"
    return statuses


def sentence(server: Server) -> str:
    headers, body = server.arrived[-1]
    assert int(headers[b"content-length"]) == len(body)
    assert b'filename="my own.txt"' in body
    assert f"Content-Type: {REFUSED}".encode() in body
    return body.decode().split("\r\n\r\n")[1].partition("\r\n--")[0]


def test_a_file_that_fits_comes_as_it_is(server: Server):
    assert put(server, 20) == [204]
    assert server.arrived[0][1] == PART + b"b" * 10


def test_a_session_s_files_have_a_limit_of_their_own(server: Server):
    server.hold("mine", SESSION_UPLOADS - 10)
    server.hold("others", 1000)
    assert put(server, 5 * MB) == [204]
    assert sentence(server) == (
        "This file has 5.0 MB, and files of yours that are on their way 80.0 MB; up to 80 MB go at "
        "once. Upload them one after another."
    )


def test_the_limit_holds_for_files_that_wait_together(server: Server):
    server.hold("others", ALL_UPLOADS)

    def let_in() -> None:
        server.storage.clear()
        server.hold("mine", SESSION_UPLOADS - 10)

    assert put(server, 5 * MB, meanwhile=let_in) == [204]
    assert "files of yours that are on their way 80.0 MB" in sentence(server)


def test_a_file_waits_for_others_to_be_read(server: Server):
    server.hold("others", ALL_UPLOADS)
    put(server, 20, meanwhile=server.storage.clear)
    assert server.arrived[0][1] == PART + b"b" * 10


def test_it_does_not_wait_for_ever(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(upload_room, "PATIENCE", 0.0)
    server.hold("others", ALL_UPLOADS)
    assert put(server, 2 * MB) == [204]
    assert sentence(server) == (
        "This file has 2.0 MB, and others' files fill the 256 MB that there are for uploads. "
        "Upload it again in a minute."
    )


@pytest.mark.parametrize("size", [None, 5])
def test_who_does_not_say_how_much_comes_is_sent_away_before_it_comes(
    server: Server, size: int | None
):
    """A length beside chunks says nothing: they may have more."""
    chunked = [] if size is None else [(b"transfer-encoding", b"chunked")]
    assert put(server, size, *chunked) == [411, 0]
    assert server.arrived == []
