"""GPT-2's and BERT's real vocabularies on texts whose ids are known."""

import json
import lzma
import os
from pathlib import Path

import pytest

from core.tokenization import loading
from core.tokenization.bpe.merge_list import read_merges
from core.tokenization.bpe.tokenizer import byte_level_tokenizer
from core.tokenization.pre_tokenizers import GPT2

pytestmark = pytest.mark.skipif(
    "GLASSFORMER_DATA" not in os.environ, reason="needs GLASSFORMER_DATA"
)


def folder() -> Path:
    return Path(os.environ["GLASSFORMER_DATA"]) / "reference"


def cases() -> list[dict[str, object]]:
    return json.loads((folder() / "tokenizer-cases.json").read_text(encoding="utf-8"))["cases"]


def test_gpt2():
    with lzma.open(folder() / "gpt2-vocab.bpe.xz", "rt", encoding="utf-8") as file:
        merges = read_merges(file.read())
    tokenizer = byte_level_tokenizer(
        "GPT-2", merges.merges, GPT2, special_tokens=("<|endoftext|>",)
    )
    with lzma.open(folder() / "gpt2-encoder.json.xz", "rt", encoding="utf-8") as file:
        assert tokenizer.ids == json.load(file)
    for case in cases():
        assert list(tokenizer.tokenize(str(case["text"])).ids) == case["gpt2"], case["text"]
    zeros = tokenizer.tokenize("0" * 17).ids
    assert zeros == (8269, 10535, 830)
    assert tokenizer.tokenize("hello <|endoftext|>").ids == (31373, 220, 50256)
    ids = tokenizer.tokenize("Abwasserbehandlungsanlage").ids
    assert ids == (4826, 86, 24929, 1350, 4993, 75, 2150, 12807, 75, 496)


def test_bert():
    content = (folder() / "bert-base-uncased-vocab.txt").read_bytes()
    tokenizer = loading.load_tokenizer(content, "bert-base-uncased")
    for case in cases():
        assert list(tokenizer.tokenize(str(case["text"])).ids) == case["bert"], case["text"]
    assert tokenizer.tokenize("My name is John").ids == (2026, 2171, 2003, 2198)
