"""Class activation maps: a layer's features, weighted with how much the class asks for each.

Patches stand where the papers have the pixels of a convolution's output: a is a patch's feature,
g = ∂y/∂a its slope, N the number of patches. All but EigenCAM are (Σ_k w_pk · a_pk)⁺ and differ
in the weight w alone.

The layer matters: after the last attention a model that reads its class token alone has no
gradient on its patches, so the features before the last block's attention are taken.

Where a model averages its patches right after these features and reads the mean, g is the same at
every patch, and GradCAM, HiResCAM and XGrad-CAM are one map (Draelos & Carin 2020). Before an
attention it is not, and all differ; but XGrad-CAM and HiResCAM, before what is negative is cut
off, have the same sum over patches.
"""

import numpy as np
from jaxtyping import Float, Float32

from core.trace import read_only

Features = Float32[np.ndarray, "row column feature"]
Map = Float32[np.ndarray, "row column"]
PATCHES = (0, 1)  # axes


def gradcam(features: Features, gradients: Features) -> Map:
    """w_k = mean of g_k over patches.

    Selvaraju et al. 2017, https://arxiv.org/abs/1610.02391, equations 1 and 2.
    """
    return _positive(features @ gradients.mean(axis=PATCHES, dtype=np.float32))


def gradcam_plus_plus(features: Features, gradients: Features) -> Map:
    """w_k = Σ_p α_pk · g_pk⁺ with α = g² ÷ (2 g² + S_k · g³), S_k = Σ_p a_pk; 0 where g is 0.

    Chattopadhay et al. 2018, https://arxiv.org/abs/1710.11063, equation 19: for y as
    the exponential of a score that is linear in a, which a transformer's is not.
    """
    sums = features.sum(axis=PATCHES, dtype=np.float64)
    slopes = gradients.astype(np.float64)
    alpha = _divided(np.ones_like(slopes), 2 + sums * slopes)  # g² is in every term
    weights = (alpha * np.maximum(slopes, 0)).sum(axis=PATCHES)
    return _positive(features @ weights)


def xgradcam(features: Features, gradients: Features) -> Map:
    """w_k = Σ_p (a_pk ÷ S_k) · g_pk with S_k = Σ_p a_pk; 0 where that is 0.

    Fu et al. 2020, "Axiom-based Grad-CAM", https://arxiv.org/abs/2008.02312.
    """
    sums = features.sum(axis=PATCHES, dtype=np.float64)
    moment = (features.astype(np.float64) * gradients).sum(axis=PATCHES)
    return _positive(features @ _divided(moment, sums))


def layercam(features: Features, gradients: Features) -> Map:
    """w_pk = g_pk⁺, at every patch its own.

    Jiang et al. 2021, "LayerCAM", IEEE TIP 30, https://doi.org/10.1109/TIP.2021.3089943.
    """
    return _positive((features * np.maximum(gradients, 0)).sum(axis=-1))


def hirescam(features: Features, gradients: Features) -> Map:
    """w_pk = g_pk, at every patch its own.

    Draelos & Carin 2020, https://arxiv.org/abs/2011.08891; cut off at zero as the others are.
    """
    return _positive((features * gradients).sum(axis=-1))


def eigencam(features: Features, _gradients: Features) -> Map:
    """Each patch's features along their first right singular vector; it knows no class.

    Muhammad & Yeasin 2020, https://arxiv.org/abs/2008.00299: not centred. The vector's sign is
    free; it is taken so that the map's sum is not negative.
    """
    rows, columns, size = features.shape
    flat = features.reshape(-1, size).astype(np.float64)
    direction = np.linalg.svd(flat, full_matrices=False)[2][0]
    along = (flat @ direction).reshape(rows, columns)
    return _positive(along if along.sum() >= 0 else -along)


def _positive(signed: Float[np.ndarray, "row column"]) -> Map:
    """What speaks against the class is cut off."""
    return read_only(np.maximum(signed, 0).astype(np.float32))


def _divided(
    part: Float[np.ndarray, "*shape"], whole: Float[np.ndarray, "*shape"]
) -> Float[np.ndarray, "*shape"]:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)
