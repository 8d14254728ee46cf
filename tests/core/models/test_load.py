"""Opening models: every family by its loader; from several threads at once, each is whole."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.catalog import Family
from tests.tiny import save_tiny
from tests.tiny_autoencoder import save_autoencoder
from tests.tiny_detector import save_tiny_detector
from tests.tiny_pictures import save_picture_model

SAVED: dict[Family, Callable[[Path], Path]] = {
    Family.TEXT_ENCODER: lambda folder: save_tiny("bert", folder),
    Family.TEXT_DECODER: lambda folder: save_tiny("gpt2", folder),
    Family.TRANSLATOR: lambda folder: save_tiny("marian", folder),
    Family.VISION: lambda folder: save_picture_model("vit", folder),
    Family.MASKED_AUTOENCODER: save_autoencoder,
    Family.DETECTOR: save_tiny_detector,
}
TYPES = {
    Family.TEXT_ENCODER: "TextEncoder",
    Family.TEXT_DECODER: "TextDecoder",
    Family.TRANSLATOR: "Translator",
    Family.VISION: "VisionModel",
    Family.MASKED_AUTOENCODER: "AutoencoderModel",
    Family.DETECTOR: "DetectorModel",
}


@pytest.mark.parametrize("family", Family)
def test_every_family_is_opened_by_its_own_loader(family: Family, tmp_path: Path):
    model = core.load(SAVED[family](tmp_path))
    assert type(model).__name__ == TYPES[family]
    assert model.card.family == family


def test_threads_may_load_at_once(tiny_checkpoint):
    folders = [tiny_checkpoint(family) for family in ("bert", "gpt2", "marian", "t5")]
    problems: list[Exception] = []

    def load(folder):
        try:
            core.load(folder)
        except core.InputError as error:  # tied weights reported missing
            problems.append(error)

    threads = [threading.Thread(target=load, args=(folder,)) for folder in folders * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
