"""Which other word each word most looks at, of whole models, against loops by hand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.errors import InputError
from core.explain.attention.word_looks import WordLooks
from core.explain.attention.written_norms import written_norms
from core.models.text.projections import output_matrices
from core.outputs.head_measures import WordedText
from core.trace import AttentionKind, AttentionLayer, Encoding

Checkpoint = Callable[[str], Path]
TEXT = "the animals sat because it was tired"
SPANS = tuple((TEXT.index(word), TEXT.index(word) + len(word)) for word in TEXT.split())
WORDED = WordedText(TEXT, SPANS)


def words_by_hand(encoding: Encoding, spans: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """The tokens of each word: those that end within it."""
    return [
        [
            token
            for token in range(len(encoding))
            if not encoding.special[token] and start < encoding.offsets[token, 1] <= end
        ]
        for start, end in spans
    ]


def check(
    looks: WordLooks, weights: list[np.ndarray], layers: tuple[AttentionLayer, ...], queries, keys
):
    for place, (layer, head) in enumerate(looks.heads):
        allowed = layers[layer].allowed()
        for at, pieces in enumerate(queries):
            totals = {
                other: np.mean([sum(weights[layer][head, q, k] for k in words) for q in pieces])
                for other, words in enumerate(keys)
                if not (queries is keys and other == at)
                and any(allowed[q, k] for q in pieces for k in words)
            }
            if not totals:
                assert looks.most[place, at] == -1
                continue
            best = max(totals, key=lambda other: totals[other])
            assert totals[int(looks.most[place, at])] == pytest.approx(totals[best], rel=1e-5)
            assert looks.shares[place, at] == pytest.approx(totals[best], rel=1e-4)


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "marian"])
def test_looks_equal_a_loop_over_words(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    (looks,) = model.word_looks([WORDED])
    trace = model.trace(TEXT)
    kind = trace.kinds[0]
    encoding = trace.query_encoding(kind)
    assert looks is not None
    assert encoding is not None
    words = words_by_hand(encoding, SPANS)
    assert all(words)
    layers = trace.layers[kind]
    check(looks, [layer.weights for layer in layers], layers, words, words)
    if family in ("gpt2", "llama"):
        assert (looks.most[:, 0] == -1).all(), "nothing else stands before the first word"


def test_by_what_is_written_a_key_counts_by_the_length_of_its_value(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    (looks,) = model.word_looks([WORDED], written=True)
    trace = model.trace(TEXT)
    layers = trace.layers[AttentionKind.ENCODER]
    outputs = output_matrices(model.card, model.module, lambda _: True)
    shares = []
    for layer, output in zip(layers, outputs, strict=True):
        parts = layer.weights * written_norms(layer, output)[:, None]
        shares.append(parts / parts.sum(axis=-1, keepdims=True))
    assert looks is not None
    assert trace.encoding is not None
    words = words_by_hand(trace.encoding, SPANS)
    check(looks, shares, layers, words, words)


@pytest.mark.parametrize("ahead", [False, True])
def test_a_targets_words_look_from_where_they_are_read_or_written(
    ahead: bool, tiny_checkpoint: Checkpoint
):
    model = core.load(tiny_checkpoint("marian"))
    target = "a dog ran"
    text = WordedText(TEXT, SPANS, target)
    (looks,) = model.word_looks([text], kind=AttentionKind.CROSS, ahead=ahead)
    trace = model.trace(TEXT, target=target)
    asked, given = (
        trace.query_encoding(AttentionKind.CROSS),
        trace.key_encoding(AttentionKind.CROSS),
    )
    assert looks is not None
    assert asked is not None
    assert given is not None
    queries = [
        np.flatnonzero(asked.words == word).tolist() for word in range(asked.words.max() + 1)
    ]
    if ahead:
        queries = [[token - 1 for token in tokens] for tokens in queries]
    layers = trace.layers[AttentionKind.CROSS]
    check(looks, [one.weights for one in layers], layers, queries, words_by_hand(given, SPANS))


def test_a_word_without_a_token_of_its_own_has_no_looks(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    split = WordedText("tired", ((0, 2), (2, 4), (4, 5)))
    assert model.word_looks([split]) == (None,)


def test_what_hidden_values_write_is_refused(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("deberta"))
    (looks,) = model.word_looks([WORDED])
    assert looks is not None
    with pytest.raises(InputError, match="hides"):
        model.word_looks([WORDED], written=True)
