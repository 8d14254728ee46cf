"""Room for readers' files: Streamlit holds them in memory, so they wait at the door until there is.

A file that a session has no room for, or that has waited too long, arrives all the same: as the
sentence that the page shows in its place (app/ui/uploaded.py).
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Final

from streamlit import config, runtime

from app.ui.uploaded import REFUSED
from core.limits import ALL_UPLOADS, MB, SESSION_UPLOADS

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

PLACE: Final = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+$")
PATIENCE: Final = 30.0  # seconds at the door
LOOK: Final = 0.05  # seconds between two looks
BORDER: Final = "glassformer"
NAME: Final = re.compile(rb'filename="([^"\r\n]*)"')


class UploadRoom:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: dict[object, tuple[str, int]] = {}  # session and bytes, by request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        place = PLACE.search(scope["path"]) if scope.get("method") == "PUT" else None
        if place is None:
            await self._app(scope, receive, send)
            return
        size = length(scope)
        if size is None:
            await _answered(send, 411, b"How long is it?")
        elif size > config.get_option("server.maxUploadSize") * 2**20:
            await self._app(scope, receive, send)  # which says so
        elif (why := await self._no_room(place[1], size)) is None:
            mine = object()
            self._coming[mine] = place[1], size
            try:
                await self._app(scope, receive, send)
            finally:
                del self._coming[mine]
        else:
            name = await drained(receive)
            await self._app(*instead(scope, name, why), send)

    async def _no_room(self, session: str, size: int) -> str | None:
        """Why it can't come, after waiting for others to be read."""
        until = time.monotonic() + PATIENCE
        while True:
            held = self._held(session)  # which grows while several of a session wait
            if held + size > SESSION_UPLOADS:
                return (
                    f"This file has {size / MB:.1f} MB, and files of yours that are on their way "
                    f"{held / MB:.1f} MB; up to {SESSION_UPLOADS // MB} MB go at once. Upload them "
                    "one after another."
                )
            if self._held() + size <= ALL_UPLOADS:
                return None
            if time.monotonic() > until:
                return (
                    f"This file has {size / MB:.1f} MB, and others' files fill the "
                    f"{ALL_UPLOADS // MB} MB that there are for uploads. Upload it again in a "
                    "minute."
                )
            await asyncio.sleep(LOOK)

    def _held(self, session: str | None = None) -> int:
        """Bytes of files that came, or are coming; of all sessions if none is named."""
        manager: MemoryUploadedFileManager = runtime.get_instance().uploaded_file_mgr  # type: ignore[assignment]
        storage = manager.file_storage
        files = [storage.get(one, {}) for one in ([session] if session else list(storage))]
        here = sum(len(one.data) for each in files for one in list(each.values()))
        return here + sum(n for owner, n in self._coming.values() if session in (None, owner))


def length(scope: Scope) -> int | None:
    """What a request says of its body's size; in chunks it may have any (RFC 9112, 6.3)."""
    headers = dict(scope["headers"])
    said = b"" if b"transfer-encoding" in headers else headers.get(b"content-length", b"")
    return int(said) if said.isdigit() else None


async def drained(receive: Receive) -> bytes:
    """Let a body come and go, but for its file's name: a browser reads no answer before its end."""
    message = await receive()
    found = NAME.search(message.get("body", b""))
    while message.get("more_body", False):
        message = await receive()
    return found[1] if found else b""


def instead(scope: Scope, name: bytes, sentence: str) -> tuple[Scope, Receive]:
    """The same request with a sentence in its file: its field takes certain names alone."""
    body = (
        b'--%(border)s\r\nContent-Disposition: form-data; name="file"; filename="%(name)s"\r\n'
        b"Content-Type: %(type)s\r\n\r\n%(sentence)s\r\n--%(border)s--\r\n"
    ) % {
        b"border": BORDER.encode(),
        b"name": name,
        b"type": REFUSED.encode(),
        b"sentence": sentence.encode(),
    }
    said = {
        b"content-type": f"multipart/form-data; boundary={BORDER}".encode(),
        b"content-length": str(len(body)).encode(),
    }
    headers = [*(one for one in scope["headers"] if one[0] not in said), *said.items()]

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return {**scope, "headers": headers}, receive


async def _answered(send: Send, status: int, words: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": words})
