"""One small Ray for all tests of a session; those that break it have their own."""

from collections.abc import Iterator

import pytest

from core.engine.remote import RayEngine
from tests.app.test_procfile import free_port
from tests.serving.cluster import TOKEN, Cluster, asking, cluster


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)


@pytest.fixture(scope="session")
def running() -> Iterator[Cluster]:
    with cluster(free_port()) as started:
        yield started


@pytest.fixture
def remote(running: Cluster) -> Iterator[RayEngine]:
    with asking(running) as engine:
        yield engine
