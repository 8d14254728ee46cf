"""What a text model's tokens take from each other, layer by layer, by proximity (ALTI)."""

from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import InputError
from core.explain.flow.proximity import attention_residue, proximity_shares
from core.explain.flow.token_flow import TokenFlow
from core.models.text.logit_path import frozen_norms
from core.models.text.projections import output_biases, output_matrices
from core.trace import Trace, read_only
from core.trace.residual_stream import Part

if TYPE_CHECKING:
    from core.models.text.base import TextModel

TOLERANCE: Final = 1e-3  # relative, between what attention wrote and the sum of its terms


def token_flow(model: "TextModel", trace: Trace) -> TokenFlow:
    """Of a trace with blocks, of one stack.

    Raises InputError for a model that hides its values or its output matrices, or whose attention
    writes more to the residual stream than its heads' sum.
    """
    (kind,) = trace.kinds
    layers, blocks = trace.layers[kind], (trace.blocks or {})[kind]
    sublayers = [block.sublayer(Part.ATTENTION) for block in blocks]
    place = model.card, model.module, lambda path: model.kind_of(path) == kind
    outputs, biases = output_matrices(*place), output_biases(*place)
    whole = zip(layers, outputs, biases, sublayers, strict=True)
    if any(
        layer.values is None or attention_residue(layer, output, bias, sublayer) > TOLERANCE
        for layer, output, bias, sublayer in whole
    ):
        raise InputError(
            f"{model.card.title} hides its values, or changes what its heads write before it joins "
            "the residual stream, so what each token brings is not known. Choose the attention "
            "weights."
        )
    places = range(len(layers[0].row(0)[0]))
    norms = [frozen_norms(model, kind, blocks, position) for position in places]
    first = np.cumsum([0, *(len(block.sublayers) for block in blocks)])
    shares = [
        proximity_shares(layer, output, sublayer, [at[int(own)] for at in norms])
        for layer, output, sublayer, own in zip(layers, outputs, sublayers, first[:-1], strict=True)
    ]
    attended, kept = zip(*shares, strict=True)
    return TokenFlow(read_only(np.stack(attended)), read_only(np.stack(kept)))
