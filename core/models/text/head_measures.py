"""What is measured of a text model's heads: by their weights, and by what they write."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from torch import nn

from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.head_roles import role_masses
from core.explain.attention.merge_words import Words
from core.explain.attention.relative_positions import offset_masses
from core.explain.attention.word_looks import WordLooks, word_looks
from core.explain.attention.written_norms import written_norms
from core.explain.embeddings.token_alignment import words_at
from core.models.text.projections import output_matrices
from core.outputs.head_measures import HeadMeasures, WordedText
from core.trace import AttentionKind, AttentionLayer, Encoding, Trace


def head_measures(
    traces: Sequence[Trace],
    outputs: Mapping[AttentionKind, Sequence[np.ndarray] | None],
    only: Sequence[str] | None,
) -> tuple[Mapping[AttentionKind, HeadMeasures], ...]:
    """By kind, of every trace; `only`: of these roles."""
    return tuple(
        {kind: _of_kind(trace, kind, outputs[kind], only) for kind in trace.kinds}
        for trace in traces
    )


def known_outputs(
    card: ModelCard, module: nn.Module, belongs: Callable[[str], bool]
) -> list[np.ndarray] | None:
    """W^O (head, d_value, d_model) of every layer, where it is kept in a known way."""
    try:
        return output_matrices(card, module, belongs)
    except InputError:
        return None


def _of_kind(
    trace: Trace,
    kind: AttentionKind,
    outputs: Sequence[np.ndarray] | None,
    only: Sequence[str] | None,
) -> HeadMeasures:
    layers = trace.layers[kind]
    weights = role_masses(trace, kind, only=only)
    offsets = offset_masses(trace, kind) if only is None else None
    if outputs is None or any(layer.values is None for layer in layers):
        return HeadMeasures(weights, None, offsets)
    norms = _norms(layers, outputs)
    return HeadMeasures(weights, role_masses(trace, kind, norms=norms, only=only), offsets)


def looks_of_words(
    traces: Sequence[Trace],
    texts: Sequence[WordedText],
    kind: AttentionKind,
    outputs: Sequence[np.ndarray] | None,
    *,
    ahead: bool,
) -> tuple[WordLooks | None, ...]:
    """None where the model's tokens have no places in the text, or a word has none.

    outputs: W^O of each layer, to count a key by what is written; empty where it is not known.
    ahead: a target's word looks from where it is written, one token before it is read.
    Raises InputError where what is written isn't known.
    """
    layers = [layer for trace in traces for layer in trace.layers[kind]]
    if outputs is not None and (not outputs or any(layer.values is None for layer in layers)):
        raise InputError("This model hides its values, or W^O: what a head writes isn't known.")
    return tuple(
        _looks(trace, text, kind, outputs, ahead=ahead)
        for trace, text in zip(traces, texts, strict=True)
    )


def _looks(
    trace: Trace,
    text: WordedText,
    kind: AttentionKind,
    outputs: Sequence[np.ndarray] | None,
    *,
    ahead: bool,
) -> WordLooks | None:
    layers = trace.layers[kind]
    asked, given = trace.query_encoding(kind), trace.key_encoding(kind)
    if asked is None or given is None:
        raise ValueError("a text's trace has encodings")
    labels = tuple(text.text[start:end] for start, end in text.spans)
    keys = words_at(text.spans, labels, given)
    queries = _between_spaces(asked) if kind == AttentionKind.CROSS else keys
    if keys is None or queries is None:
        return None
    if ahead:
        last = len(queries) - 1  # what ends the text is none of its words
        queries = Words(queries.labels, np.append(queries.of_token[1:], last))
    norms = None if outputs is None else _norms(layers, outputs)
    return word_looks(layers, queries, keys, norms=norms)


def _between_spaces(encoding: Encoding) -> Words:
    """The words that spaces part, and one more, named "", for special tokens."""
    count = int(encoding.words.max()) + 1
    of_token = np.where(encoding.words < 0, count, encoding.words)
    labels = (encoding.tokens[int(np.flatnonzero(of_token == at)[0])] for at in range(count))
    return Words((*labels, ""), of_token.astype(np.int64))


def _norms(layers: Sequence[AttentionLayer], outputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [written_norms(layer, output) for layer, output in zip(layers, outputs, strict=True)]
