"""Positions: every way the papers tell a Transformer where a token stands, as plain arrays.

    sinusoidal      Vaswani et al. 2017, and the rotation that a shift is
    rotary          Su et al. 2021: queries and keys turned by their positions
    additive        ALiBi, T5's buckets, Swin's windows: numbers added to the scores
    grid            two dimensions: DETR's sines, and ViT's tiles of similarity
    counterfactual  these schemes on a head's real queries and keys
    learned         what a learned table looks like: similarity, distance, components
    equivariance    what is left of f(PX) = P f(X), and orders to try it with
    table           the value that a model's own table comes as

Nothing here knows a model. Angles are radians, wavelengths are positions.
"""

from core.positions.additive import (
    alibi,
    alibi_slopes,
    falling,
    swin_bias,
    swin_relative_index,
    t5_bias,
    t5_buckets,
)
from core.positions.counterfactual import (
    Counterfactual,
    biased,
    plain_scores,
    queries_and_keys,
    rotated,
)
from core.positions.equivariance import Equivariance, Residuals, order_of
from core.positions.grid import similarity_by_steps, sine_2d, tiles
from core.positions.learned import (
    Components,
    Neighbours,
    cosine_similarity,
    neighbours,
    principal_components,
    similarity_by_offset,
)
from core.positions.rotary import (
    decay_bound,
    products_by_offset,
    rotary,
    rotary_angles,
    wrapped,
)
from core.positions.sinusoidal import (
    Layout,
    ShiftCheck,
    check_shift,
    dot_by_offset,
    dot_products,
    frequencies,
    nearest_return,
    shift_matrix,
    sinusoidal,
    spread_along_diagonals,
    wave,
    wavelengths,
)
from core.positions.table import PositionTable

__all__ = [
    "Components",
    "Counterfactual",
    "Equivariance",
    "Layout",
    "Neighbours",
    "PositionTable",
    "Residuals",
    "ShiftCheck",
    "alibi",
    "alibi_slopes",
    "biased",
    "check_shift",
    "cosine_similarity",
    "decay_bound",
    "dot_by_offset",
    "dot_products",
    "falling",
    "frequencies",
    "nearest_return",
    "neighbours",
    "order_of",
    "plain_scores",
    "principal_components",
    "products_by_offset",
    "queries_and_keys",
    "rotary",
    "rotary_angles",
    "rotated",
    "shift_matrix",
    "similarity_by_offset",
    "similarity_by_steps",
    "sine_2d",
    "sinusoidal",
    "spread_along_diagonals",
    "swin_bias",
    "swin_relative_index",
    "t5_bias",
    "t5_buckets",
    "tiles",
    "wave",
    "wavelengths",
    "wrapped",
]
