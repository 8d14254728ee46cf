"""A logit as a sum of what heads, MLPs and biases write: worked out by hand."""

import numpy as np
import pytest

from core.explain.attribution.frozen_path import Dense, FrozenGate, FrozenNorm, FrozenPath
from core.explain.attribution.logit_attribution import (
    AttentionWrites,
    Term,
    Writer,
    head_outputs,
    logit_attribution,
    pushed_tokens,
    residual_terms,
)
from core.targets import LogitContrast
from core.trace import AttentionKind, AttentionLayer
from core.trace.residual_stream import Block, Part, Sublayer

LAYER = AttentionLayer(
    index=0,
    kind=AttentionKind.DECODER,
    scale=1.0,
    recorded_weights=np.array([[[0.25, 0.75], [1, 0]]], dtype=np.float32),
    grouped_values=np.array([[[2.0], [4.0]]], dtype=np.float32),
)
OUTPUT = np.array([[[1.0, -1.0]]], dtype=np.float32)  # one value number into two of the stream
BIAS = np.array([0.5, 0.5], dtype=np.float32)
UNEMBEDDING = np.array([[1, 0], [0, 2], [1, 1]], dtype=np.float32)
NOTHING = np.zeros((2, 2), dtype=np.float32)
HALF = FrozenNorm(np.array([1, 2.0]), np.array([0, 1.0]), scale=0.5, centred=True)


def block(*, pre_norm: bool) -> Block:
    """Position 0 is (1, 2) at first, gets (4, −3) of attention and (0.5, 1) of the MLP."""

    def two(*row: float) -> np.ndarray:
        return np.array([row, (9, 9)], dtype=np.float32)

    attention = Sublayer(Part.ATTENTION, pre_norm, two(1, 2), two(4, -3), NOTHING)
    mlp = Sublayer(Part.MLP, pre_norm, two(0, 0), two(0.5, 1), NOTHING)
    return Block(0, (attention, mlp))


def test_what_a_head_adds():
    """¼ · 2 + ¾ · 4 = 3.5, written into both numbers."""
    np.testing.assert_allclose(head_outputs(LAYER, OUTPUT, 0), [[3.5, -3.5]])


def test_a_norm_of_a_fixed_scale():
    """(1, 3) less its mean is (−1, 1); ÷ ½ and × (1, 2): (−2, 4). The offset is another term."""
    np.testing.assert_allclose(HALF.linear(np.array([[1.0, 3.0]])), [[-2, 4]])


def test_pre_norm_terms_add_up():
    path = FrozenPath((None, None), (HALF,))
    writes = {Part.ATTENTION: AttentionWrites([LAYER], [OUTPUT], [BIAS])}
    found = residual_terms([block(pre_norm=True)], writes, path, 0)
    assert found.terms == (
        Term(Writer.EMBEDDINGS),
        Term(Writer.ATTENTION, 0, 0),
        Term(Writer.MLP, 0),
        Term(Writer.BIAS, 0),
        Term(Writer.READOUT),
    )
    # (1, 2) → (−½, ½) ÷ ½ × (1, 2) and so on; a bias of equal numbers is all mean.
    expected = [[-1, 2], [7, -14], [-0.5, 1], [0, 0], [0, 1]]
    np.testing.assert_allclose(found.vectors, expected)
    stream = np.array([[1 + 4 + 0.5, 2 - 3 + 1]])
    np.testing.assert_allclose(found.vectors.sum(0), HALF.linear(stream)[0] + HALF.offset)


def test_post_norm_terms_pass_every_norm_after_them():
    last = FrozenNorm(np.array([1, 1.0]), np.array([3, 0.0]), scale=2.0, centred=False)
    path = FrozenPath((HALF, last), ())
    writes = {Part.ATTENTION: AttentionWrites([LAYER], [OUTPUT], [BIAS])}
    found = residual_terms([block(pre_norm=False)], writes, path, 0)
    # the layer's bias: (0, 1) of the first norm ÷ 2, and (3, 0) of the last
    expected = [[-0.5, 1], [3.5, -7], [0.25, 0.5], [3, 0.5], [0, 0]]
    np.testing.assert_allclose(found.vectors, expected)


def test_an_activation_is_a_gate():
    """Offsets of steps pass the steps after them: (0, 1) W + 1 = (1, 3) through gates ½ and 0."""
    dense = Dense(np.array([[1, 1], [0, 2.0]]), np.array([1, 1.0]))
    path = FrozenPath((), (HALF, dense, FrozenGate(np.array([0.5, 0.0]))))
    offset = path.readout_offset()
    assert offset is not None
    np.testing.assert_allclose(offset, [[0.5, 0]])
    np.testing.assert_allclose(path.carried(np.array([[1.0, 3.0]]), -1), [[-1, 0]])
    assert path.gated
    assert not FrozenPath((), (HALF, FrozenGate(np.array([0.5, 0.5])))).gated  # T5's factor


@pytest.mark.parametrize(
    ("against", "values", "logit"),
    [(None, [2 * 2, 2 * -14, 2, 0, 2 + 0.5], -19.0), (0, [5, -35, 2.5, 0, 2.5], -24.0)],
)
def test_the_terms_of_a_logit(against: int | None, values: list[float], logit: float):
    path = FrozenPath((None, None), (HALF,))
    writes = {Part.ATTENTION: AttentionWrites([LAYER], [OUTPUT], [BIAS])}
    terms = residual_terms([block(pre_norm=True)], writes, path, 0)
    logits = np.array([5, -19, 0], dtype=np.float32)
    found = logit_attribution(
        terms, UNEMBEDDING, np.array([0, 0.5, 0]), LogitContrast(0, 1, against), logits, path
    )
    np.testing.assert_allclose(found.values, values)
    assert found.logit == logit
    assert found.residue == pytest.approx(logit - sum(values))
    assert found.of(Writer.MLP) == {Term(Writer.MLP, 0): values[2]}


def test_pushed_tokens_beside_the_mean():
    """(2, 1) gives (2, 2, 3), mean 7/3: token 2 goes up, 0 and 1 go down."""
    up, down = pushed_tokens(np.array([[2.0, 1.0]]), UNEMBEDDING, count=2)
    np.testing.assert_array_equal(up.ids[0, :1], [2])
    np.testing.assert_allclose(up.logits[0], [2 / 3, -1 / 3], rtol=1e-5)
    np.testing.assert_allclose(down.logits[0], [-1 / 3, -1 / 3], rtol=1e-5)
    assert pushed_tokens(np.ones((1, 2)), UNEMBEDDING, count=99)[0].ids.shape == (1, 3)
