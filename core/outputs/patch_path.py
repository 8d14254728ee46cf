"""One patch on its way through one layer and head to a class, as values."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64

from core.explain.attribution.direct_logits import DirectLogits
from core.outputs.read_only_arrays import ReadOnlyArrays


@dataclass(frozen=True, slots=True, eq=False)
class PathToLogit:
    """How the asking token's residual stream is read for a class, the norm's scale frozen.

    Of one number x of the token, centred · gain · classifier × share ÷ spread enters the logit.
    """

    share: float  # of this token in what is pooled
    spread: float  # what the last norm divides it by
    gain: Float32[np.ndarray, " d_model"]
    classifier: Float32[np.ndarray, " d_model"]
    centred: bool
    terms: DirectLogits
    through: Float64[np.ndarray, " token"]  # what every token adds by way of the head


@dataclass(frozen=True, slots=True, eq=False)
class PatchPath(ReadOnlyArrays):
    """Every number from a patch's token to what one head makes of it, and to the class."""

    layer: int
    head: int
    token: int  # the patch, prefix tokens counted first
    asking: int  # whose query meets it: the class token, or the patch itself where all are pooled
    colour_mean: tuple[float, ...]  # (pixel ÷ 255 − mean) ÷ deviation is what is embedded
    colour_deviation: tuple[float, ...]
    stream: Float32[np.ndarray, "state d_model"]  # the patch's, as it enters layers 0 to `layer`
    mean: float  # of the last of them, and what the layer's norm divides it by
    spread: float
    gain: Float32[np.ndarray, " d_model"]
    offset: Float32[np.ndarray, " d_model"]
    normed: Float32[np.ndarray, " d_model"]
    key_weight: Float32[np.ndarray, "d_head d_model"]
    key_bias: Float32[np.ndarray, " d_head"]
    projected_key: Float32[np.ndarray, " d_head"]  # before what turns or normalises it, if any
    write: Float32[np.ndarray, "d_value d_model"]  # the head's output projection, layer scale too
    answer: PathToLogit | None
    why_not: str  # why there is no answer to follow it to; "" if there is
