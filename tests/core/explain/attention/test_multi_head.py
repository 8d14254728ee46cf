"""Multi-head attention worked from the weights, against the models' own."""

from types import SimpleNamespace

import numpy as np
import pytest

import core
from core.explain.attention.multi_head import multi_head
from core.trace.residual_stream import Part
from tests.tiny import TRANSLATORS

NAMES = ("query", "key", "value", "query_bias", "key_bias", "value_bias")
TEXT = "the cat sat on a street ."


@pytest.mark.parametrize("family", TRANSLATORS)
@pytest.mark.parametrize("kind", list(core.AttentionKind))
def test_equals_the_models_own_attention_output(family, kind, tiny_checkpoint):
    model = core.load(tiny_checkpoint(family))
    trace = model.trace(TEXT, target="a dog ran .", blocks=True)
    stack = core.AttentionKind.ENCODER if kind == "encoder" else core.AttentionKind.DECODER
    part = Part.CROSS if kind == "cross" else Part.ATTENTION
    sublayer = trace.block(1, stack).sublayer(part)
    matrices = [model.head_projections(1, head, kind=kind) for head in range(4)]
    memory = trace.hidden_states(core.AttentionKind.ENCODER)[-1]
    worked = multi_head(
        sublayer.read,
        memory if kind == "cross" else sublayer.read,
        trace.attention(1, kind=kind),
        head=2,
        matrices=matrices[2],
        outputs=np.stack([one.output for one in matrices]),
        output_bias=matrices[0].output_bias,
        models_own=sublayer.output,
    )
    assert max(worked.errors) < 1e-5
    np.testing.assert_allclose(worked.weights, trace.attention(1, kind=kind).weights[2], atol=1e-5)
    np.testing.assert_allclose(worked.weights.sum(axis=1), 1, atol=1e-5)
    assert worked.concatenated.shape == (len(sublayer.output), 32)
    assert np.isneginf(worked.bias).any() == (kind == "decoder")
    assert worked.scale == pytest.approx(1.0 if family == "t5" else 8**-0.5)


def test_weights_without_queries_cannot_be_worked():
    layer = core.AttentionLayer(
        0, core.AttentionKind.ENCODER, 1.0, recorded_weights=np.ones((1, 1, 1), dtype=np.float32)
    )
    row = np.zeros((1, 2), dtype=np.float32)
    with pytest.raises(ValueError, match="has no q, k and v"):
        multi_head(
            row,
            row,
            layer,
            head=0,
            matrices=SimpleNamespace(**dict.fromkeys(NAMES, row)),
            outputs=np.zeros((1, 2, 2), dtype=np.float32),
            output_bias=np.zeros(2, dtype=np.float32),
            models_own=row,
        )
