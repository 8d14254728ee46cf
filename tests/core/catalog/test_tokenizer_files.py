"""A model's tokenizer without the model: on board, in a directory, or told what is missing."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.catalog import Origin, card_of
from core.catalog.tokenizer_files import tokenizer_file
from core.errors import InputError, ModelUnavailableError


def test_a_directorys_tokenizer(tiny_checkpoint: Callable[[str], Path]):
    folder = tiny_checkpoint("bert")
    card = card_of("minilm-l6")
    assert card is not None
    own = replace(card, id=str(folder), origin=Origin.DIRECTORY)
    assert tokenizer_file(own) == folder / "tokenizer.json"


def test_a_directory_without_one_says_so(tmp_path: Path):
    card = card_of("minilm-l6")
    assert card is not None
    own = replace(card, id=str(tmp_path), origin=Origin.DIRECTORY)
    with pytest.raises(InputError, match="has neither tokenizer"):
        tokenizer_file(own)


def test_a_hub_that_refuses_is_told_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def refuse() -> None:
        raise ConnectionRefusedError("no network")

    monkeypatch.setattr("core.catalog.tokenizer_files.reach_hub", refuse)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    card = card_of("gpt2")
    assert card is not None
    with pytest.raises(ModelUnavailableError, match="The tokenizer of GPT-2 comes from the hub"):
        tokenizer_file(card)
