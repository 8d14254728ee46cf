"""The sweep over heads: by hand, and on a model against one head at a time."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.ablation_sweep import ablation_sweep
from core.explain.attention.head_confidence import head_confidence
from core.interventions import BlockEdge, SilenceHead
from core.targets import LogitContrast, LogitTarget
from core.trace import AttentionKind

TEXT = "the cat sat on a street ."
Checkpoint = Callable[[str], Path]


def test_every_head_is_silenced_alone_in_its_place():
    asked = []

    def measure(variants):
        asked.append(variants)
        return np.arange(10, 10 + len(variants), dtype=np.float32)

    edge = BlockEdge(0, 0, 1, 0)
    kind = AttentionKind.CROSS
    found = ablation_sweep(measure, 2, 3, kind=kind, fill="mean", beside=[edge])
    assert len(asked) == 1
    assert asked[0][0] == (edge,)
    assert asked[0][5] == (edge, SilenceHead(1, 1, kind, "mean"))
    assert found.untouched == 10
    assert found.silenced.tolist() == [[11, 12, 13], [14, 15, 16]]
    assert found.effects.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert found.strongest == (1, 2)


def test_the_strongest_may_be_a_loss():
    found = ablation_sweep(lambda _: np.array([0.5, 0.6, 0.1, 0.5, 0.5], np.float32), 2, 2)
    assert found.strongest == (0, 1)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
@pytest.mark.parametrize("quantity", [LogitTarget(4, 7), LogitContrast(4, 7, 9)])
def test_a_sweep_is_one_head_after_another(family: str, quantity, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    swept = ablation_sweep(lambda variants: model.measure(TEXT, variants, quantity), 3, 4)
    for layer in range(3):
        for head in range(4):
            silent = [SilenceHead(layer, head)]
            logits = model.trace(TEXT, interventions=silent).logits[4]
            shares = np.exp(logits - logits.max())
            alone = {
                LogitTarget: shares[7] / shares.sum(),
                LogitContrast: logits[7] - logits[9],
            }[type(quantity)]
            assert swept.silenced[layer, head] == pytest.approx(alone, abs=1e-5)
    assert np.abs(swept.effects).max() > 1e-4


def test_confidence_by_hand():
    first = np.array([[[0.7, 0.2, 0.1], [0.5, 0.1, 0.4]]], np.float32)
    second = np.array([[[0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]], np.float32)
    left_out = np.array([True, False, False])
    found = head_confidence([first, second], left_out=left_out)
    np.testing.assert_allclose(found, [[(0.2 + 0.4) / 2], [(1.0 + 0.6) / 2]], rtol=1e-6)
    with pytest.raises(ValueError, match="no key is left"):
        head_confidence([first], left_out=np.ones(3, bool))
