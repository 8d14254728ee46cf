"""What every answer says to the browser."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from app.headers import Headers
from app.services.settings import FRAMES_SETTING


def answered(monkeypatch: pytest.MonkeyPatch, frames: str) -> Mapping[str, str]:
    monkeypatch.setenv(FRAMES_SETTING, frames)
    sent: list[dict[str, Any]] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": [(b"etag", b"1")]}
        await send(start)
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Headers(app)({"type": "http"}, send, send))  # type: ignore[arg-type]
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
    assert answered(monkeypatch, frames) == {
        "etag": "1",
        "content-security-policy": who,
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
    }
