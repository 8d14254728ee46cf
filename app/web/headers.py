"""What every answer says to the browser: what its pages may load and run, and who may frame them.

Scripts are the app's own files, the scripts that stand in the first file, by their hash, and
BertViz's, by a word that nobody knows before this process has begun. Styles stand within elements
(Streamlit makes them as it draws), pictures and workers may be made in the page (blob, data).
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from app.services import settings
from app.style.script_nonce import NONCE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # a link holds the reader's text
)
INLINE: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Headers:
    """ASGI middleware. `first`: the first file, which names the app's own scripts."""

    def __init__(self, app: ASGIApp, first: str) -> None:
        self._app = app
        self._headers = (*ALWAYS, (b"content-security-policy", policy(first).encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)


def policy(first: str) -> str:
    """The Content Security Policy (W3C, level 3)."""
    hashes = (
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
        for script in INLINE.findall(first)
    )
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' {' '.join(hashes)} 'nonce-{NONCE}'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' blob:",
            "worker-src 'self' blob:",
            "connect-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors 'self' {settings.frames()}".strip(),
        )
    )
