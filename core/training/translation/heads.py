"""Whether cross-attention aligns the two languages, and what the other heads look at.

Words that are written the same in both languages, names above all, say where a head ought to
look: Vaswani et al. 2017 show no alignment; Bahdanau et al. 2015 do, https://arxiv.org/abs/1409.0473.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32
from tokenizers import Tokenizer
from transformers import MarianMTModel

from core.training.common.head_habits import (
    CLEAR,
    describe,
    describe_flat,
    evenness,
)
from core.training.translation.pairs import Question
from core.training.translation.tokenizer import SPECIAL_TOKENS, START

SENTENCES = 200  # held-out ones
WRITING = "the same word in the English, when they write it"
READING = "the same word in the English, just after they wrote it"
ALIGNED = f"of the cross-attention look most, for at least {CLEAR} of the words, at"
Map = Float32[np.ndarray, "layer head query key"]
PerHead = Float32[np.ndarray, "layer head"]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One held-out pair, read by the model."""

    english: list[int]
    german: list[int]
    encoder: Map
    decoder: Map
    cross: Map


def read(
    model: MarianMTModel, tokenizer: Tokenizer, questions: Sequence[Question]
) -> Iterator[Reading]:
    """Teacher forcing: the decoder is fed <s> and the first reference."""
    model.set_attn_implementation("eager")  # the one that returns its weights
    for question in questions[:SENTENCES]:
        english = tokenizer.encode(question.english).ids
        german = tokenizer.encode(question.references[0]).ids
        with torch.inference_mode():
            output = model(
                input_ids=torch.tensor([english]),
                decoder_input_ids=torch.tensor([[START, *german[:-1]]]),
                output_attentions=True,
            )
        maps = (output.encoder_attentions, output.decoder_attentions, output.cross_attentions)
        yield Reading(english, german, *(torch.cat(m).float().numpy(force=True) for m in maps))


def copied_words(reading: Reading, tokenizer: Tokenizer) -> list[tuple[int, int]]:
    """(place in the English, place in the German) of tokens that both have exactly once."""
    return [
        (reading.english.index(token), place)
        for place, token in enumerate(reading.german)
        if reading.german.count(token) == reading.english.count(token) == 1
        and token >= len(SPECIAL_TOKENS)
        and any(map(str.isalnum, tokenizer.id_to_token(token) or ""))
    ]


def alignment(readings: Sequence[Reading], tokenizer: Tokenizer) -> dict[str, PerHead]:
    """How often a head looks most at a copied word's place: when it writes the word, and after.

    The decoder's place t is fed word t − 1 and writes word t.
    """
    found: dict[str, list[PerHead]] = {WRITING: [], READING: []}
    for reading in readings:
        looks_at = reading.cross.argmax(axis=-1)  # (layer, head, query)
        for source, target in copied_words(reading, tokenizer):
            found[WRITING].append((looks_at[:, :, target] == source).astype(np.float32))
            found[READING].append((looks_at[:, :, target + 1] == source).astype(np.float32))
    return {name: np.mean(each, axis=0) for name, each in found.items() if each}


def habits(readings: Sequence[Reading]) -> dict[str, PerHead]:
    """Mean weights that the heads of each kind give to neighbours and to the ends."""
    encoder = {
        "encoder: the token before": _mean(_diagonal(r.encoder, -1) for r in readings),
        "encoder: the token itself": _mean(_diagonal(r.encoder, 0) for r in readings),
        "encoder: the token after": _mean(_diagonal(r.encoder, 1) for r in readings),
        "encoder: </s>": _mean(r.encoder[..., :-1, -1].mean(axis=-1) for r in readings),
    }
    decoder = {
        "decoder: the token before": _mean(_diagonal(r.decoder, -1) for r in readings),
        "decoder: the token itself": _mean(_diagonal(r.decoder, 0) for r in readings),
        "decoder: <s>": _mean(r.decoder[..., 1:, 0].mean(axis=-1) for r in readings),
        "cross-attention: </s>": _mean(r.cross[..., -1].mean(axis=-1) for r in readings),
    }
    return encoder | decoder


def flatness(readings: Sequence[Reading]) -> dict[str, PerHead]:
    def full(size: int, keys: int) -> Float32[np.ndarray, " query"]:
        return np.full(size, keys, dtype=np.float32)

    pairs = [(r, len(r.english), len(r.german)) for r in readings]
    return {
        "encoder": _mean(evenness(r.encoder, full(n, n)) for r, n, _ in pairs),
        "decoder": _mean(
            evenness(r.decoder, np.arange(1, m + 1, dtype=np.float32)) for r, _, m in pairs
        ),
        "cross-attention": _mean(evenness(r.cross, full(m, n)) for r, n, m in pairs),
    }


def report(
    model: MarianMTModel, tokenizer: Tokenizer, questions: Sequence[Question]
) -> dict[str, str]:
    """The card's notes on alignment, on the other heads, and on flat ones."""
    readings = list(read(model, tokenizer, questions))
    return {
        "alignment": "Words written alike in both languages, such as names: "
        + describe(alignment(readings, tokenizer), done=ALIGNED),
        "heads": describe(habits(readings)),
        "flat heads": describe_flat(flatness(readings)),
    }


def _diagonal(maps: Map, offset: int) -> PerHead:
    """Mean weight of the token `offset` places away, over the tokens that have one."""
    if maps.shape[-1] <= abs(offset):
        return np.zeros(maps.shape[:2], dtype=np.float32)
    return np.diagonal(maps, offset, 2, 3).mean(axis=-1)


def _mean(each: Iterator[PerHead]) -> PerHead:
    return np.mean(list(each), axis=0)
