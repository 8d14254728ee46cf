"""GradCAM: a layer's features, weighted with how much the class asks for each of them.

Selvaraju et al. 2017, https://arxiv.org/abs/1610.02391, equations 1 and 2; patches stand where
the paper has the pixels of a convolution's output:

    w_k = mean over patches of ∂y/∂a_k        CAM = (Σ_k w_k · a_k)⁺

The layer matters: after the last attention a model that reads its class token alone has no
gradient on its patches, so the features before the last block's attention are taken.
"""

import numpy as np
from jaxtyping import Float32

from core.trace import read_only


def gradcam(
    features: Float32[np.ndarray, "row column feature"],
    gradients: Float32[np.ndarray, "row column feature"],
) -> Float32[np.ndarray, "row column"]:
    """One number a patch, never negative: what speaks against the class is cut off."""
    wanted = gradients.mean(axis=(0, 1), dtype=np.float32)
    return read_only(np.maximum(features @ wanted, 0))
