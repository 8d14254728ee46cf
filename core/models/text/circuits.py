"""A head's circuits, from forwards in which no other part of the read stack writes anything.

Every sublayer adds zero and positions are dropped, so each token goes through the model alone:
that is what a head reads. Then the head's own words are added, and nothing else: the norms behind
it have the scale of that. A translator's encoder runs as ever: what cross-attention looks at.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from jaxtyping import Float

from core.blocks.qk_circuit import symmetric_share
from core.errors import InputError
from core.explain.attention.head_circuits import HeadCircuits, head_circuits
from core.interventions import DropPositions, Intervention, PatchStream, Stream
from core.models.text.logit_path import logit_path
from core.models.text.projections import head_projections
from core.models.text.replaced_tokens import Prepared
from core.targets import LogitContrast
from core.trace import AttentionKind, Encoding, Trace
from core.trace.residual_stream import Part

if TYPE_CHECKING:
    from core.models.text.base import TextModel

MOST: Final = 40  # tokens
SUBLAYERS: Final[tuple[Stream, ...]] = ("attention", "mlp")
Words = Float[np.ndarray, "position d_model"]
Traced = Callable[[Prepared, Sequence[Intervention]], Trace]  # with its blocks


class Place(NamedTuple):
    """Which head."""

    layer: int
    head: int
    kind: AttentionKind

    @property
    def crosses(self) -> bool:
        return self.kind == AttentionKind.CROSS


def refuse_many(encoding: Encoding) -> None:
    """Raises InputError for more tokens than are drawn."""
    count = len(encoding)
    if count > MOST:
        raise InputError(
            f"{count} tokens are more than the {MOST} of which a head's circuits are drawn. "
            "Choose fewer."
        )


def circuits(
    model: "TextModel", place: Place, read: Prepared, bearer: Prepared, traced: Traced
) -> HeadCircuits:
    """Of the different tokens in the stack that is read out.

    read: what its queries are made of, and where one stack is all there is the keys and values,
    too. bearer: where the head's words for each key are added, as many positions as there are keys.
    Raises InputError for a head that is not there, for a model that hides its queries, keys and
    values, and as `logit_path`.
    """
    matrices = head_projections(
        model.card, model.module, lambda path: model.kind_of(path) == place.kind, place[:2]
    )
    alone = traced(read, _nothing_but(model, read))
    attention = alone.attention(place.layer, kind=place.kind)
    if attention.queries is None or attention.keys is None or attention.values is None:
        raise InputError(
            f"{model.card.title} hides its queries, keys and values, so its heads' circuits can't "
            "be read. Its maps are exact all the same."
        )
    words = attention.values[place.head] @ matrices.output
    spoken = traced(bearer, _nothing_but(model, bearer, place, words))
    stack = _read_out(read)
    ids, tokens = _different(stack)
    looked_at, sources = (read[0], np.arange(len(read[0]))) if place.crosses else (stack, tokens)
    ways = [logit_path(model, spoken, LogitContrast(int(source), 0)) for source in sources]
    sublayers = [(block.index, one.part) for block in ways[0].blocks for one in block.sublayers]
    at = sublayers.index((place.layer, Part.CROSS if place.crosses else Part.ATTENTION))
    carried = [
        way.path.carried(words[source][None], at) for way, source in zip(ways, sources, strict=True)
    ]
    queries, keys = attention.queries[place.head, tokens], attention.keys[place.head, sources]
    return head_circuits(
        tuple(looked_at.tokens[source] for source in sources),
        tuple(stack.tokens[token] for token in tokens),
        looked_at.ids[sources],
        ids,
        np.concatenate(carried),
        ways[0].unembedding,
        queries @ keys.T * np.float32(attention.scale),
        None if place.crosses else symmetric_share(matrices.query, matrices.key),
    )


def _nothing_but(
    model: "TextModel", prepared: Prepared, place: Place | None = None, words: Words | None = None
) -> tuple[Intervention, ...]:
    """What makes each token of the read stack stand alone, or with what one head writes there."""
    kinds = model.promised_maps()
    *_, stack = (kind for kind in kinds if kind != AttentionKind.CROSS)
    parts = (*SUBLAYERS, "cross") if AttentionKind.CROSS in kinds else SUBLAYERS
    own = place and (place.layer, "cross" if place.crosses else "attention")
    none = np.zeros(model.card.d_model, dtype=np.float32)
    places = product(range(kinds[stack]), range(len(_read_out(prepared))), parts)

    def said(layer: int, position: int, part: Stream) -> np.ndarray:
        return none if words is None or (layer, part) != own else words[position]

    patches = (
        PatchStream(layer, position, part, said(layer, position, part), stack)
        for layer, position, part in places
    )
    return DropPositions(stack), *patches


def _read_out(prepared: Prepared) -> Encoding:
    source, target = prepared
    return source if target is None else target


def _different(encoding: Encoding) -> tuple[np.ndarray, np.ndarray]:
    """Ids, each once, in their order, and where each stands first."""
    ids, places = np.unique(encoding.ids, return_index=True)
    order = np.argsort(places)
    return ids[order].astype(np.int64), places[order]
