"""Measurements are for who runs the server: at /metrics, ours, and at Streamlit's own place.

Whoever comes through a proxy comes from elsewhere, though the proxy is on this machine; so does a
stranger's site that is open in a browser here and points its own name at this machine (DNS
rebinding). The machine's own names are asked for, whatever server.allowedHosts names for readers.
"""

from __future__ import annotations

from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from app.services import settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

OURS: Final = "/metrics"
STREAMLITS: Final = "/_stcore/metrics"
FORMAT: Final = "text/plain; version=1.0.0; charset=utf-8"


class Measured:
    """ASGI middleware. `base`: what every path of the app begins with."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self._app = app
        self._ours, self._streamlits = f"{base}{OURS}", f"{base}{STREAMLITS}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path")
        if scope["type"] != "http" or path not in (self._ours, self._streamlits):
            await self._app(scope, receive, send)
        elif not told(scope):
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        elif path == self._streamlits:
            await self._app(scope, receive, send)
        else:  # the library comes when somebody counts: no start waits for it
            metrics = await run_in_threadpool(import_module, "app.services.metrics")
            text = await run_in_threadpool(metrics.text)
            await Response(text, media_type=FORMAT)(scope, receive, send)


def told(scope: Scope) -> bool:
    """Whether who asks may know."""
    asked = settings.metrics()
    if asked is not None:
        return asked
    client, headers = scope.get("client"), Headers(scope=scope)
    return (
        client is not None
        and _is_loopback(client[0])
        and _is_own_name(headers.get("host", ""))
        and not any(name in headers for name in settings.FORWARDED)
    )


def _is_own_name(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in settings.LOOPBACK
    except ValueError:  # such as half a bracket
        return False


def _is_loopback(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # of a socket that listens to both families
    return (mapped or address).is_loopback
