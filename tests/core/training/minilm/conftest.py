"""A tiny base with BERT's vocabulary, and made-up data."""

import shutil
from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertModel

from core.training.minilm.network import base_folder, read_tokenizer
from core.training.minilm.prepare import Prepared, prepare
from tests.core.training.made_up import write_data, write_sentence_pairs


@pytest.fixture(scope="package")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sentence_pairs(write_data(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="package")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    BertModel(BertConfig(intermediate_size=64, **size)).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(base_folder() / name, folder / name)
    return folder


@pytest.fixture(scope="package")
def prepared(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepare(data, tmp_path_factory.mktemp("cache"), read_tokenizer(base_folder()))
