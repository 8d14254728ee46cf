"""The positions page with tiny models of texts and of pictures that the server's owner offers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.services import engine, vision
from tests.tiny_pictures import save_picture_model

KEPT = (engine.text_models, vision.cards)


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
    monkeypatch.setenv(engine.OWN_CHECKPOINTS, os.pathsep.join(map(str, made.values())))
    for kept in KEPT:
        kept.cache_clear()
    yield made
    for kept in KEPT:
        kept.cache_clear()
