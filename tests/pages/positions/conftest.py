"""The positions page with tiny models of texts and of pictures that the server's owner offers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.services import models
from tests.tiny_pictures import save_picture_model


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in ("vit", "swin")
    }


@pytest.fixture
def folders(
    own_checkpoints: dict[str, Path], pictures: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Path]]:
    """Every tiny model that is offered, by its family."""
    made = own_checkpoints | pictures
    monkeypatch.setenv(models.OWN_CHECKPOINTS, os.pathsep.join(map(str, made.values())))
    models.offer.cache_clear()
    yield made
    models.offer.cache_clear()
