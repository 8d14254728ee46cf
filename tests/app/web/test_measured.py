"""Who may read the server's measurements."""

import asyncio
from typing import Any

import pytest

from app.services.settings import METRICS_SETTING
from app.web.measured import Measured

HERE, ELSEWHERE = ("127.0.0.1", 5), ("10.0.0.7", 5)
PROXY = [(b"x-forwarded-for", b"10.0.0.7")]
OWN = b"127.0.0.1:8501"


def status(
    path: str,
    client: tuple[str, int] | None,
    headers: Any = (),
    base: str = "",
    host: bytes | None = OWN,
) -> int:
    """599: the app behind it was asked."""
    sent: list[dict[str, Any]] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 599, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [*headers, *([] if host is None else [(b"host", host)])]
    scope: Any = {"type": "http", "path": path, "client": client, "headers": headers}
    asyncio.run(Measured(app, base)(scope, send, send))  # type: ignore[arg-type]
    return sent[0]["status"]


@pytest.mark.parametrize(
    ("client", "headers", "told"),
    [
        (HERE, (), True),
        (("::1", 5), (), True),
        (("::ffff:127.0.0.1", 5), (), True),
        (ELSEWHERE, (), False),
        (("::ffff:10.0.0.7", 5), (), False),
        (HERE, PROXY, False),
        (HERE, [(b"forwarded", b"for=10.0.0.7")], False),
        (("a-socket", 0), (), False),
        (None, (), False),
    ],
)
@pytest.mark.parametrize(("path", "shown"), [("/metrics", 200), ("/_stcore/metrics", 599)])
def test_this_machine_alone_unless_set(
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    shown: int,
    client: tuple[str, int] | None,
    headers: Any,
    *,
    told: bool,
):
    monkeypatch.delenv(METRICS_SETTING, raising=False)
    assert status(path, client, headers) == (shown if told else 404)
    monkeypatch.setenv(METRICS_SETTING, "1")
    assert status(path, client, headers) == shown
    monkeypatch.setenv(METRICS_SETTING, "0")
    assert status(path, client, headers) == 404


@pytest.mark.parametrize(
    ("host", "told"),
    [
        (b"127.0.0.1", True),
        (b"LocalHost:8501", True),
        (b"[::1]:8501", True),
        (b"evil.example.org:8501", False),
        (b"localhost.evil.example.org", False),
        (b"localhost@evil.example.org", False),
        (b"[::1", False),
        (b"", False),
        (None, False),
    ],
)
def test_a_name_that_was_pointed_at_this_machine_is_not_its_own(
    monkeypatch: pytest.MonkeyPatch, host: bytes | None, *, told: bool
):
    """DNS rebinding: a browser here asks, for a stranger's page."""
    monkeypatch.delenv(METRICS_SETTING, raising=False)
    assert status("/metrics", HERE, host=host) == (200 if told else 404)
    assert status("/_stcore/metrics", HERE, host=host) == (599 if told else 404)


@pytest.mark.parametrize("path", ["/", "/attention", "/metrics/", "/_stcore/health"])
def test_everything_else_is_the_apps(path: str):
    assert status(path, ELSEWHERE) == 599


def test_a_path_before_everything_stands_before_these():
    assert status("/a/metrics", ELSEWHERE, base="/a") == 404
    assert status("/metrics", ELSEWHERE, base="/a") == 599
