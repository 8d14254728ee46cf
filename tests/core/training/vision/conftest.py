"""One made-up data folder and its album for all tests of the vision recipes."""

from pathlib import Path

import pytest

from core.training.vision.prepare import Album, prepare
from tests.core.training.vision.made_up_photos import write_photos


@pytest.fixture(scope="session")
def photo_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_photos(tmp_path_factory.mktemp("photos"))


@pytest.fixture(scope="session")
def photo_cache(photo_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    prepare(photo_data, folder / "photos")
    return folder


@pytest.fixture(scope="session")
def album(photo_data: Path, photo_cache: Path) -> Album:
    return prepare(photo_data, photo_cache / "photos")
