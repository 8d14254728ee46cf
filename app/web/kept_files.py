"""Files that never change, from memory and compressed once: what every browser's first visit takes.

Streamlit's own and the components' modules. Streamlit reads each from the disk for each reader,
piece by piece in other threads, and sends its own as they are: for a class that comes at once, more
work than all their pages, and twice the bytes for a hall's Wi-Fi. Their names hold a hash of what
is in them, so a browser keeps them as well.
"""

from __future__ import annotations

import gzip
import re
from asyncio import Task, create_task, shield
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# One address a file, so that there are no more of them than files.
NAMES: Final = (
    r"/(static/(js|css|media)/[\w.-]+|_stcore/bidi-components/glassformer\.\w+/[\w-]+\.js)"
)
PACKED: Final = ("font/woff2", "image/")  # what these files hold is compressed already
FOR_GOOD: Final = "public, immutable, max-age=31536000"  # a year, as Streamlit says of its own
PARTLY: Final = ("range", "if-none-match", "if-modified-since")  # may ask for less than the whole


class KeptFiles:
    """ASGI middleware. `base`: what every path of the app begins with."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self._app = app
        self._name = re.compile(re.escape(base) + NAMES)
        self._files: dict[str, Task[Response | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._is_kept(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self._files:
            self._files[path] = create_task(self._file(scope, receive))
            self._files[path].add_done_callback(lambda task: self._forget(path, task))
        file = await shield(self._files[path])  # who leaves takes it from nobody
        await (file or self._app)(scope, receive, send)

    def _is_kept(self, scope: Scope) -> bool:
        """Whether the whole of a file is asked for, and may come compressed."""
        headers = Headers(scope=scope)
        whole = scope["method"] == "GET" and not any(name in headers for name in PARTLY)
        compressed = "gzip" in headers.get("accept-encoding", "")
        return whole and compressed and self._name.fullmatch(scope["path"]) is not None

    def _forget(self, path: str, task: Task[Response | None]) -> None:
        """What is no such file, or could not be read, is asked for again."""
        if task.cancelled() or task.exception() or task.result() is None:
            del self._files[path]

    async def _file(self, scope: Scope, receive: Receive) -> Response | None:
        """What Streamlit answers, compressed; None where it has no such file."""
        heard: list[Message] = []

        async def hear(message: Message) -> None:
            heard.append(message)

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": plain}, receive, hear)
        start, headers = heard[0], Headers(raw=heard[0]["headers"])
        if start["status"] != 200 or "public" not in headers.get("cache-control", ""):
            return None  # the first file, which stands for all that is not there
        body = b"".join(part["body"] for part in heard[1:])
        kind, said = headers["content-type"], {"Cache-Control": FOR_GOOD}
        if kind.startswith(PACKED):
            return Response(body, 200, said, kind)
        said |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(await run_in_threadpool(gzip.compress, body, 6), 200, said, kind)
