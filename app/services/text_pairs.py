"""Two traces laid together, two sentences or two models, each computed once for all who look."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.services import engine, text_maps
from app.services.engine import TextTrace
from core.explain.attention.minimal_pairs import (
    MinimalPair,
    PairedMaps,
    minimal_pair,
    paired_maps,
)
from core.explain.attention.model_pairs import LikeHead, like_heads, on_stretches
from core.explain.embeddings.token_alignment import SharedWords, shared_stretches
from core.trace import AttentionKind, Encoding

HeadId = tuple[int, int]  # (layer, head), counted from 0


@dataclass(frozen=True, slots=True)
class Sentences:
    """Two sentences in one model, and one kind of its attention."""

    first: TextTrace
    second: TextTrace
    kind: AttentionKind

    @property
    def found(self) -> MinimalPair:
        """Every head's change. Raises InputError where nothing can be aligned."""
        key = ("minimal pair", self.first.request, self.second.request, self.kind)
        return engine.derived(
            key, lambda: minimal_pair(self.first.trace, self.second.trace, self.kind)
        )

    @property
    def heads(self) -> tuple[int, ...]:
        """How many each layer has."""
        return tuple(layer.n_heads for layer in self.first.trace.layers[self.kind])

    def maps(self, layer: int) -> PairedMaps:
        """One layer's."""
        first, second = (text_maps.maps(one, self.kind, layer) for one in (self.first, self.second))
        return paired_maps(first, second, self.found.queries, self.found.keys)

    def ends(self) -> tuple[Encoding, Encoding]:
        """Of the first sentence's maps: the tokens of the rows and of the columns."""
        return text_maps.encodings(self.first.trace, self.kind)[0], text_maps.columns(
            self.first.trace, self.kind
        )

    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The shared tokens of the rows and of the columns, without that of lone keys."""
        queries, keys = self.ends()
        return (
            tuple(queries.tokens[int(i)] for i in self.found.queries.first),
            tuple(keys.tokens[int(i)] for i in self.found.keys.first),
        )

    def ids(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Of `labels`, in the vocabulary."""
        queries, keys = self.ends()
        return (
            tuple(queries.ids[self.found.queries.first].tolist()),
            tuple(keys.ids[self.found.keys.first].tolist()),
        )

    def differences(self) -> Mapping[str, np.ndarray]:
        """The signed difference of every head, layer by layer."""
        return {
            f"difference_layer{layer}": self.maps(layer).difference
            for layer in range(len(self.heads))
        }


@dataclass(frozen=True, slots=True)
class Models:
    """One text in two models, each with its own kind of self-attention over that text."""

    first: TextTrace
    second: TextTrace
    text: str

    @property
    def axis(self) -> SharedWords | None:
        """What the rows and columns of both are; None where there is no such axis."""
        columns = [text_maps.columns(one.trace, kind_of(one)) for one in (self.first, self.second)]
        return shared_stretches(self.text, columns)

    def layer(self, which: int, layer: int) -> np.ndarray:
        """(head, stretch, column) of one layer of the first (0) or second (1) model."""
        traced = (self.first, self.second)[which]
        axis = self.axis
        if axis is None:
            raise ValueError("these models share no axis")
        maps = text_maps.maps(traced, kind_of(traced), layer)
        return on_stretches(maps, axis.by_encoding[which], len(axis.labels))

    def like(self, head: HeadId) -> tuple[LikeHead, ...]:
        """The second model's heads, the one first that looks most like this one of the first."""

        def compute() -> tuple[LikeHead, ...]:
            layers = range(self.second.trace.n_layers(kind_of(self.second)))
            one = self.layer(0, head[0])[head[1]]
            return like_heads(one, (self.layer(1, layer) for layer in layers))

        key = ("like heads", self.first.request, self.second.request, head)
        return engine.derived(key, compute)


def kind_of(traced: TextTrace) -> AttentionKind:
    """The self-attention that runs over the reader's text: a translator's encoder."""
    return traced.trace.kinds[0]
