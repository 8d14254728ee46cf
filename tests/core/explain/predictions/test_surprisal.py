"""Surprise and perplexity: by hand, and against the model's own loss."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.explain.predictions.surprisal import surprise, token_bits
from core.trace import Encoding


def encoding(tokens: tuple[str, ...], ids: list[int], offsets: list[tuple[int, int]]) -> Encoding:
    n = len(tokens)
    return Encoding(
        tokens=tokens,
        ids=np.array(ids),
        offsets=np.array(offsets),
        words=np.arange(n),
        special=np.zeros(n, dtype=bool),
        segments=np.zeros(n, dtype=np.int64),
    )


def test_halves_and_quarters_by_hand():
    probabilities = np.array([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [1, 1, 1]], dtype=np.float32)
    text = "a é"
    made = surprise(
        np.log(probabilities), encoding(("a", " ", "é"), [0, 1, 2], [(0, 1), (1, 2), (2, 3)]), text
    )
    assert np.isnan(made.bits[0])
    np.testing.assert_allclose(made.bits[1:], [2, 1], rtol=1e-6)
    np.testing.assert_allclose(made.expected[1:], [1.5, 1.5], rtol=1e-6)
    assert made.ranks.tolist() == [0, 2, 1]
    assert made.favourites.tolist() == [-1, 0, 2]
    assert made.n_counted == 2
    assert made.perplexity == pytest.approx(2**1.5)
    assert made.n_bytes == 3  # " é" is three bytes: "a" was not predicted
    assert made.bits_per_byte == pytest.approx(1)
    np.testing.assert_allclose(token_bits(np.log(probabilities), np.array([0, 1, 2])), [2, 1])


def test_a_start_token_lets_every_byte_count():
    made = surprise(
        np.zeros((2, 4), dtype=np.float32), encoding(("<s>", "ab"), [0, 1], [(0, 0), (0, 2)]), "ab"
    )
    assert made.n_bytes == 2
    assert made.bits_per_byte == pytest.approx(1)  # one token of four, on two bytes


@pytest.mark.parametrize(
    ("tokens", "offsets", "text", "n_bytes"),
    [
        (("âĢ", "ĭ"), [(0, 1), (0, 1)], "\u200b", 1),  # of three, two are the first token's
        (("ð", "ŁĺĢ", "Ġa"), [(0, 1), (0, 1), (1, 3)], "😀 a", 5),
        (("Ã©", "Ġa"), [(0, 1), (1, 3)], "é a", 2),
        (("▁", "<0xC3>", "<0xA9>", "a"), [(0, 1), (0, 1), (0, 1), (1, 2)], "éa", 3),
        (("f", "i"), [(0, 1), (0, 1)], "ﬁ", 0),  # spelled out by a normalizer
    ],
)
def test_a_first_token_may_be_part_of_a_character(
    tokens: tuple[str, ...], offsets: list[tuple[int, int]], text: str, n_bytes: int
):
    ids = list(range(len(tokens)))
    logits = np.zeros((len(tokens), 4), dtype=np.float32)
    made = surprise(logits, encoding(tokens, ids, offsets), text)
    assert made.n_bytes == n_bytes
    rate = 2 * (len(tokens) - 1) / n_bytes if n_bytes else np.nan
    assert made.bits_per_byte == pytest.approx(rate, nan_ok=True)


def test_one_token_alone_has_no_perplexity():
    made = surprise(np.zeros((1, 4), dtype=np.float32), encoding(("a",), [0], [(0, 1)]), "a")
    assert np.isnan(made.perplexity)
    assert np.isnan(made.bits_per_byte)


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_perplexity_is_the_exponential_of_the_models_loss(
    family: str, tiny_checkpoint: Callable[[str], Path]
):
    model = core.load(tiny_checkpoint(family))
    text = "the cat sat on a street because it was tired"
    trace = model.trace(text)
    ids = torch.tensor(trace.encoding.ids[None])
    with torch.no_grad():
        loss = float(model.module(ids, labels=ids).loss)
    made = surprise(trace.logits, trace.encoding, text)
    assert made.perplexity == pytest.approx(np.exp(loss), rel=1e-4)
