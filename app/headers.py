"""What every answer says to the browser: whose pages may frame it, and that types are as told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.services import settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # a link holds the reader's text
)


class Headers:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        ours = f"frame-ancestors 'self' {settings.frames()}".strip()
        self._headers = (*ALWAYS, (b"content-security-policy", ours.encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)
