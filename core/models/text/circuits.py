"""A head's circuits, from forwards in which no other part of the model writes anything.

Every sublayer adds zero and positions are dropped, so each token goes through the model alone:
that is what a head reads. Then the head's own words are added, and nothing else: the norms behind
it have the scale of that.
"""

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from jaxtyping import Float

from core.blocks.qk_circuit import symmetric_share
from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.head_circuits import HeadCircuits, head_circuits
from core.interventions import DropPositions, Intervention, PatchStream, Stream
from core.models.text.logit_path import logit_path
from core.models.text.projections import head_projections
from core.models.text.replaced_tokens import Prepared
from core.outputs.projections import HeadProjections
from core.targets import LogitContrast
from core.trace import Encoding, Trace
from core.trace.residual_stream import Part

if TYPE_CHECKING:
    from core.models.text.base import TextModel

MOST: Final = 40  # tokens
SUBLAYERS: Final[tuple[Stream, ...]] = ("attention", "mlp")
Words = Float[np.ndarray, "position d_model"]


def refuse_many(encoding: Encoding) -> None:
    """Raises InputError for more tokens than are drawn."""
    count = len(encoding)
    if count > MOST:
        raise InputError(
            f"{count} tokens are more than the {MOST} of which a head's circuits are drawn. "
            "Choose fewer."
        )


def matrices_of(model: "TextModel", layer: int, head: int) -> HeadProjections:
    """Raises InputError for a head that is not there, and for matrices that are not known."""
    return head_projections(model.card, model.module, lambda _: True, (layer, head))


def nothing_but(
    card: ModelCard, prepared: Prepared, layer: int = 0, words: Words | None = None
) -> tuple[Intervention, ...]:
    """What makes each token of an input stand alone, or with what attention writes in one layer."""
    none = np.zeros(card.d_model, dtype=np.float32)
    places = product(range(card.layers), range(len(prepared[0])), SUBLAYERS)

    def said(at: int, position: int, part: Stream) -> np.ndarray:
        return none if words is None or (at, part) != (layer, "attention") else words[position]

    patches = (PatchStream(at, place, part, said(at, place, part)) for at, place, part in places)
    return DropPositions(), *patches


def words_of(
    model: "TextModel", alone: Trace, matrices: HeadProjections, layer: int, head: int
) -> Words:
    """What a head writes where it attends to each token alone, the bias of W^O left out.

    Raises InputError for a model that hides its queries, keys and values.
    """
    attention = alone.attention(layer)
    if attention.queries is None or attention.values is None:
        raise InputError(
            f"{model.card.title} hides its queries, keys and values, so its heads' circuits can't "
            "be read. Its maps are exact all the same."
        )
    return attention.values[head] @ matrices.output


def circuits(
    model: "TextModel",
    traces: tuple[Trace, Trace],
    words: Words,
    matrices: HeadProjections,
    layer: int,
    head: int,
) -> HeadCircuits:
    """Of the different tokens of two traces: alone, and with the head's words.

    Raises InputError as `logit_path`.
    """
    alone, spoken = traces
    source, attention = alone.encoding, alone.attention(layer)
    if source is None or attention.queries is None or attention.keys is None:
        raise ValueError("a text's trace has an encoding, and words_of saw its queries")
    ids, places = np.unique(source.ids, return_index=True)
    order = np.argsort(places)
    ids, places = ids[order], places[order]
    ways = [logit_path(model, spoken, LogitContrast(int(place), 0)) for place in places]
    sublayers = [(block.index, one.part) for block in ways[0].blocks for one in block.sublayers]
    at = sublayers.index((layer, Part.ATTENTION))
    carried = [
        way.path.carried(words[place][None], at) for way, place in zip(ways, places, strict=True)
    ]
    queries, keys = attention.queries[head, places], attention.keys[head, places]
    return head_circuits(
        tuple(source.tokens[place] for place in places),
        ids.astype(np.int64),
        np.concatenate(carried),
        ways[0].unembedding,
        queries @ keys.T * np.float32(attention.scale),
        symmetric_share(matrices.query, matrices.key),
    )
