"""Opening models: every family by its loader; from several threads at once, each is whole."""

import threading
from pathlib import Path

import pytest

import core
from core.catalog import Family
from core.outputs.families import PROTOCOLS, Decoder, Encoder, Model
from tests.tiny_families import SAVED

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


@pytest.mark.parametrize("family", Family)
def test_a_directory_is_opened_as_what_it_is_expected_to_hold(family: Family, tmp_path: Path):
    folder, protocol = SAVED[family](tmp_path), PROTOCOLS[family]
    assert core.load(folder, protocol).card.family == family
    assert core.load(folder, Model).card.family == family
    other = Encoder if family != Family.TEXT_ENCODER else Decoder
    with pytest.raises(core.InputError, match=f"is a {protocol.__name__}, not a {other.__name__}"):
        core.load(folder, other)


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
