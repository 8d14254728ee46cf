"""A store of each kind."""

from pathlib import Path

import pytest

from tests.app.rooms.rooms import Opened


@pytest.fixture(params=["memory", "file"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where rooms are kept."""
    return None if request.param == "memory" else tmp_path / "rooms.db"


@pytest.fixture
def opened(place: Path | None) -> Opened:
    return Opened(place)
