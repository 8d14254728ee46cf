"""Direct logit attribution of a text model: its trace, its matrices, its frozen way to a logit."""

from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import InputError
from core.explain.attribution.logit_attribution import (
    AttentionWrites,
    LogitAttribution,
    logit_attribution,
    residual_terms,
)
from core.models.text.logit_path import logit_path, no_plain_sum
from core.models.text.projections import output_biases, output_matrices
from core.targets import LogitContrast
from core.trace import AttentionKind, Trace
from core.trace.residual_stream import Part

if TYPE_CHECKING:
    from core.models.text.base import TextModel

TOLERANCE: Final = 1e-3  # of the largest logit, between the model's and the sum of its terms


def direct_logits(model: "TextModel", trace: Trace, target: LogitContrast) -> LogitAttribution:
    """Every term of a logit, of a trace with blocks; of a translator, in its decoder.

    Raises InputError for a position or a token that is not there, and for a model that does more
    on the way to its logits than sublayers, norms and a head.
    """
    way = logit_path(model, trace, target)
    kinds = {Part.ATTENTION: way.stack, Part.CROSS: AttentionKind.CROSS}
    writes = {
        part: _writes(model, trace, kinds[part]) for part in kinds if kinds[part] in trace.kinds
    }
    terms = residual_terms(way.blocks, writes, way.path, target.position)
    found = logit_attribution(terms, way.unembedding, way.bias, target, way.logits, way.path)
    if abs(found.residue) > TOLERANCE * max(1, float(np.abs(way.logits).max())):
        raise no_plain_sum(model.card)
    return found


def _writes(model: "TextModel", trace: Trace, kind: AttentionKind) -> AttentionWrites:
    layers = trace.layers[kind]
    if any(layer.values is None for layer in layers):
        raise InputError(
            f"{model.card.title} hides the values of its attention, so what a head writes is not "
            "known. Its maps are exact all the same."
        )
    place = model.card, model.module, lambda path: model.kind_of(path) == kind
    return AttentionWrites(layers, output_matrices(*place), output_biases(*place))
