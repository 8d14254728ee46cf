"""The arithmetic of one forward pass, from the shape alone.

Two operations, a product and a sum, for every weight that a position meets, and for every
number of a product of activations; norms, activations and softmax are left out, as is usual
(Kaplan et al. 2020, section 2.1, https://arxiv.org/abs/2001.08361, count the same way).
A decoder reads as many positions as its encoder; a vision model always its own number.
"""

from core.blocks.parameters import CHANNELS, Shape


def forward_flops(shape: Shape, n: int) -> dict[str, int]:
    """Floating-point operations by part; `n` positions, ignored for a vision model."""
    if shape.family == "vision":
        n = shape.positions
    attentions, feed_forwards = _layers(shape)
    weights = 2 * shape.d_model * (shape.inner + shape.inner_values)
    return {
        "projections": 2 * n * weights * attentions,
        "scores and mixtures": 2 * n * n * (shape.inner + shape.inner_values) * attentions,
        "feed-forward": 2 * n * 2 * shape.d_model * shape.d_ff * feed_forwards,
        "input and output": 2 * _ends(shape, n),
    }


def _layers(shape: Shape) -> tuple[int, int]:
    """How many attentions and feed-forward layers there are."""
    if shape.family in ("t5", "encoder-decoder"):
        return 3 * shape.layers, 2 * shape.layers
    return shape.layers, shape.layers


def _ends(shape: Shape, n: int) -> int:
    """Products outside the blocks: patches, pooler, classifier, the vocabulary."""
    if shape.family == "encoder":
        return shape.d_model**2
    if shape.family == "vision":
        patches = (n - 1) * CHANNELS * shape.patch**2 * shape.d_model
        return patches + shape.d_model * shape.vocabulary
    return n * shape.d_model * shape.vocabulary
