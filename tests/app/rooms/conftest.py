"""A Redis for the tests of rooms, and a store of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.rooms.rooms import Opened
from tests.app.test_procfile import free_port
from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def _redis_server(
    redis_command: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RedisServer]:
    server = RedisServer(redis_command, tmp_path_factory.mktemp("redis"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_server(_redis_server: RedisServer) -> RedisServer:
    """It is running, and empty."""
    from redis import Redis

    with Redis.from_url(_redis_server.address) as base:
        base.flushall()
    return _redis_server


@pytest.fixture(params=["memory", "file", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str | None:
    """Where rooms are kept."""
    match request.param:
        case "memory":
            return None
        case "file":
            return tmp_path / "rooms.db"
        case _:
            return request.getfixturevalue("redis_server").address


@pytest.fixture
def opened(place: Path | str | None) -> Opened:
    return Opened(place)
