"""The vision page with tiny picture models that the server's owner offers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.services import models
from tests.tiny_autoencoder import save_autoencoder
from tests.tiny_pictures import save_picture_model
from tests.tiny_transformers_pictures import save_transformers_pictures

OF_TRANSFORMERS = ("vit", "dinov2", "swin", "clip", "ijepa", "detr")
FAMILIES = ("vit", "registers", "swin", "siglip", "wide", "pvt", "xcit")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in FAMILIES}
    for name in OF_TRANSFORMERS:
        folder = tmp_path_factory.mktemp(f"transformers-{name}")
        made[f"transformers-{name}"] = save_transformers_pictures(name, folder)
    made["headless"] = save_picture_model("vit", tmp_path_factory.mktemp("headless"), n_classes=0)
    made["mae"] = save_autoencoder(tmp_path_factory.mktemp("mae"), lessons=True)
    return made


@pytest.fixture(autouse=True)
def _offered(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(models.OWN_CHECKPOINTS, os.pathsep.join(map(str, folders.values())))
    models.offer.cache_clear()
    yield
    models.offer.cache_clear()
