"""Who may talk to the server from a browser: its own pages, under its own names."""

import pytest
from httpx2 import AsyncClient
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.journeys.server import running_server
from tests.load.own_loop import run
from tests.load.session import Session
from tests.load.student import PROTOCOL

EVIL = "evil.example.org"
PATHS = ("/", "/attention", "/_stcore/health", "/_stcore/host-config", "/media/0.csv", "/metrics")


async def status(address: str, host: str, origin: str) -> int:
    """Of a websocket that a page of `origin` opens, which knows the server as `host`."""
    here, port = address.removeprefix("http://").split(":")
    try:
        async with connect(
            f"ws://{host}:{port}/_stcore/stream",
            host=here,
            port=int(port),
            origin=origin,  # type: ignore[arg-type]
            subprotocols=[PROTOCOL],
            max_size=None,
            proxy=None,
        ) as socket:
            session = Session(socket)
            await session.go("about", {})
            assert session.elements
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def doors(address: str) -> None:
    port = address.rsplit(":", 1)[1]
    assert await status(address, "127.0.0.1", address) == 101
    assert await status(address, "localhost", f"http://localhost:{port}") == 101
    for host, origin in (
        ("127.0.0.1", f"http://{EVIL}"),
        ("127.0.0.1", "null"),  # a page in a sandbox, or a file
        ("127.0.0.1", f"http://127.0.0.1.{EVIL}"),
        (EVIL, f"http://{EVIL}:{port}"),  # whose name was pointed here: DNS rebinding
        ("127.0.0.1." + EVIL, f"http://127.0.0.1.{EVIL}:{port}"),
    ):
        assert await status(address, host, origin) == 403, (host, origin)
    async with AsyncClient(base_url=address, trust_env=False) as files:
        for path in PATHS:
            answer = await files.get(path, headers={"Origin": f"http://{EVIL}"})
            assert "access-control-allow-origin" not in answer.headers, path
            assert answer.headers["x-content-type-options"] == "nosniff", path
        place, asked = "/_stcore/upload_file/a/1", {"Origin": f"http://{EVIL}"}
        asked["Access-Control-Request-Method"] = "PUT"
        allowed = (await files.options(place, headers=asked)).headers
        assert EVIL not in allowed["access-control-allow-origin"]
        assert allowed["access-control-allow-origin"] != "*"
        for method in (files.put, files.delete):
            assert (await method(place)).status_code == 403
        rebound = await files.get("/", headers={"Host": f"{EVIL}:{port}"})
        assert rebound.status_code == 421
        assert "--server.allowedHosts" in rebound.text


@pytest.mark.slow
def test_a_strangers_page_opens_nothing():
    with running_server() as address:
        run(doors(address))
