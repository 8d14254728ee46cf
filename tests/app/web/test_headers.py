"""What every answer says to the browser."""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import pytest

from app.services.settings import FRAMES_SETTING
from app.style.script_nonce import NONCE
from app.web.headers import Headers

FIRST = "<script>\n x = 1\n</script><script type=module src=a.js></script>"


def answered(monkeypatch: pytest.MonkeyPatch, frames: str) -> Mapping[str, str]:
    monkeypatch.setenv(FRAMES_SETTING, frames)
    sent: list[dict[str, Any]] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": [(b"etag", b"1")]}
        await send(start)
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Headers(app, FIRST)({"type": "http"}, send, send))  # type: ignore[arg-type]
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize(
    ("frames", "who"),
    [
        ("", "frame-ancestors 'self'"),
        ("*", "frame-ancestors 'self' *"),
        (
            "https://moodle.example.org  http://*.example.org:8080",
            "frame-ancestors 'self' https://moodle.example.org http://*.example.org:8080",
        ),
    ],
)
def test_who_may_frame_it(frames: str, who: str, monkeypatch: pytest.MonkeyPatch):
    said = answered(monkeypatch, frames)
    assert said.pop("content-security-policy").endswith(f"; {who}")
    assert said == {
        "etag": "1",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
    }


def test_what_may_run(monkeypatch: pytest.MonkeyPatch):
    rules = answered(monkeypatch, "")["content-security-policy"].split("; ")
    script = sha256(b"\n x = 1\n").digest()
    assert f"script-src 'self' 'sha256-{b64encode(script).decode()}' 'nonce-{NONCE}'" in rules
    assert "default-src 'self'" in rules
    assert "object-src 'none'" in rules
