"""A learned sink: a key that is no token, with a score of its own for every head.

GPT-OSS (OpenAI 2025, https://arxiv.org/abs/2508.10925, section 2.2; Miller 2023, "Attention is
off by one") runs each softmax over the tokens and one learned score more, and reads nothing there.
So what a row gives the tokens sums to less than one; a map that is to be read whole has one column
more, named `SINK`.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace.attention_layer import AttentionLayer, read_only
from core.trace.encoding import Encoding

SINK: Final = "sink"


def has_sink(layers: Iterable[AttentionLayer]) -> bool:
    """Whether any of these layers looks at a sink, too."""
    return any(layer.sink is not None for layer in layers)


def with_sink(keys: Encoding) -> Encoding:
    """The columns of whole rows: the tokens, and after them the sink, as a special token."""
    return Encoding(
        tokens=(*keys.tokens, SINK),
        ids=np.append(keys.ids, -1),
        offsets=np.append(keys.offsets, [[0, 0]], axis=0),
        words=np.append(keys.words, -1),
        special=np.append(keys.special, True),
        segments=np.append(keys.segments, 0),
    )


def whole_rows(layer: AttentionLayer) -> Float32[np.ndarray, "head query column"]:
    """A layer's weights over the columns of `with_sink`: rows sum to one.

    A layer without a sink, among others that have one, gives it nothing.
    """
    weights = layer.weights
    empty = np.zeros(weights.shape[:2], dtype=np.float32)
    column = empty if layer.sink is None else layer.sink
    return read_only(np.concatenate([weights, column[:, :, None]], axis=2))


def refuse_sink(layers: Iterable[AttentionLayer], method: str) -> None:
    """Raises InputError for a method that deals every row out among the tokens."""
    if has_sink(layers):
        raise InputError(
            f"{method} passes each row on to the tokens as shares that sum to one. This model's "
            "heads also look at a learned sink, a key that is no token, and what goes there goes "
            "nowhere on. Look at its maps, where the sink is a column, or choose a model without "
            "one."
        )
