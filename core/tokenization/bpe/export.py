"""Writing a training down: merges.txt, and a tokenizer.json that `tokenizers` loads."""

import json
from typing import Final

from core.errors import InputError
from core.tokenization.bpe.training import BPETraining
from core.tokenization.pre_tokenizers import WHITESPACE
from core.tokenization.symbols import Marking

PRIVATE_MARKER: Final = "\ue000"
"""Stands for a separate end-of-word marker in tokenizer.json: one character, never in text."""

_BYTE_LEVEL: Final[dict[str, object]] = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": False,
}


def merges_txt(training: BPETraining) -> str:
    """The merges, one a line, under the header that subword-nmt and GPT-2 write."""
    lines = [f"{left} {right}" for left, right in training.merges]
    return "\n".join(["#version: 0.2", *lines, ""])


def tokenizer_json(training: BPETraining, upto: int | None = None) -> str:
    """A tokenizer.json with the first `upto` merges (all if None).

    `tokenizers` has no end-of-word marker that is a symbol of its own. There a private
    character is put after each word, which stands for the marker in every token; that takes
    words between whitespace, so InputError for another pre-tokenizer with such a marker.
    """
    settings = training.settings
    n_merges = len(training.merges) if upto is None else min(max(upto, 0), len(training.merges))
    tokens = list(training.vocabulary[: training.n_initial + n_merges])
    merges = [list(pair) for pair in training.merges[:n_merges]]
    normalizer: dict[str, object] | None = None
    if settings.marking is Marking.SEPARATE:
        if settings.pre_tokenizer.pattern != WHITESPACE.pattern:
            raise InputError(
                "A separate end-of-word marker goes into a tokenizer.json only with words "
                "between whitespace. Train with glued=True, or take merges.txt."
            )
        tokens = [_private(token, settings.marker) for token in tokens]
        merges = [[_private(part, settings.marker) for part in pair] for pair in merges]
        end_of_word = r"(?<=\P{White_Space})(?=\p{White_Space}|\z)"
        normalizer = {
            "type": "Replace",
            "pattern": {"Regex": end_of_word},
            "content": PRIVATE_MARKER,
        }
    content: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": _pre_tokenizer(training),
        "post_processor": None,
        "decoder": _decoder(training),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": settings.marker if settings.marking is Marking.GLUED else None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: number for number, token in enumerate(tokens)},
            "merges": merges,
        },
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def _pre_tokenizer(training: BPETraining) -> dict[str, object]:
    split: dict[str, object] = {
        "type": "Split",
        "pattern": {"Regex": training.settings.pre_tokenizer.pattern},
        "behavior": "Removed",
        "invert": True,
    }
    if not training.settings.byte_level:
        return split
    return {"type": "Sequence", "pretokenizers": [split, _BYTE_LEVEL]}


def _decoder(training: BPETraining) -> dict[str, object] | None:
    match training.settings.marking:
        case Marking.GLUED:
            return {"type": "BPEDecoder", "suffix": training.settings.marker}
        case Marking.SEPARATE:
            space = {"type": "Replace", "pattern": {"String": PRIVATE_MARKER}, "content": " "}
            strip = {"type": "Strip", "content": " ", "start": 0, "stop": 1}
            return {"type": "Sequence", "decoders": [space, {"type": "Fuse"}, strip]}
        case Marking.NONE | Marking.CONTINUING:
            pass
    return _BYTE_LEVEL if training.settings.byte_level else {"type": "Fuse"}


def _private(token: str, marker: str) -> str:
    return token.removesuffix(marker) + PRIVATE_MARKER if token.endswith(marker) else token
