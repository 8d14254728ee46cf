"""Learning rates over a training: warm-up, then inverse square root, linear or cosine decay.

Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762, equation 3.
All three share a linear warm-up from zero to `peak` at step `warmup`, so that they can be
compared at the same peak; steps count from 1, as the paper's do.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Float64

ScheduleName = Literal["inverse-square-root", "linear", "cosine"]
Steps = Float64[np.ndarray, " step"]


def transformer_peak(d_model: int, warmup: int) -> float:
    """The highest rate of equation 3, reached at step `warmup`: (d_model · warmup)^−½.

    Example: d_model 512, warmup 4000 -> 6.99e-4.
    """
    return (d_model * warmup) ** -0.5


def inverse_square_root(steps: Steps, *, peak: float, warmup: int) -> Steps:
    """peak · min(step / warmup, √(warmup / step)).

    With `transformer_peak` it is the paper's d_model^−½ · min(step^−½, step · warmup^−1.5).
    """
    return peak * np.minimum(steps / warmup, np.sqrt(warmup / steps))


def linear(steps: Steps, *, peak: float, warmup: int, total: int) -> Steps:
    """Down to zero at step `total`, as BERT (Devlin et al. 2019, appendix A.2)."""
    return peak * np.minimum(steps / warmup, 1 - _progress(steps, warmup, total))


def cosine(steps: Steps, *, peak: float, warmup: int, total: int) -> Steps:
    """Half a cosine down to zero at step `total`, as GPT (Radford et al. 2018, section 4.1)."""
    decay = 0.5 * (1 + np.cos(np.pi * _progress(steps, warmup, total)))
    return peak * np.minimum(steps / warmup, decay)


def learning_rates(
    name: ScheduleName, steps: Steps, *, peak: float, warmup: int, total: int
) -> Steps:
    """The rates of one schedule. Raises ValueError for a warm-up that is longer than the run."""
    if not 0 < warmup < total:
        raise ValueError(f"warm-up is 1 to {total - 1} steps of {total}, not {warmup}")
    if name == "inverse-square-root":
        return inverse_square_root(steps, peak=peak, warmup=warmup)
    decay = linear if name == "linear" else cosine
    return decay(steps, peak=peak, warmup=warmup, total=total)


def _progress(steps: Steps, warmup: int, total: int) -> Steps:
    """0 at the end of the warm-up, 1 at the end of the training and after it."""
    return np.clip((steps - warmup) / (total - warmup), 0, 1)


@dataclass(frozen=True)
class Recipe:
    """How a paper trained: what it states, and in `note` what it leaves open."""

    title: str
    schedule: ScheduleName
    d_model: int
    warmup: int
    total: int
    peak: float
    beta2: float
    epsilon: float
    decay: float
    paper: str
    note: str


RECIPES: Final = {
    "transformer": Recipe(
        "Transformer base", "inverse-square-root", 512, 4000, 100_000,
        transformer_peak(512, 4000), 0.98, 1e-9, 0.0,
        "Vaswani et al. 2017, section 5.3, https://arxiv.org/abs/1706.03762",
        "β₁ 0.9. The peak is not chosen: it follows from d_model and the warm-up.",
    ),
    "transformer-big": Recipe(
        "Transformer big", "inverse-square-root", 1024, 4000, 300_000,
        transformer_peak(1024, 4000), 0.98, 1e-9, 0.0,
        "Vaswani et al. 2017, section 5.3, https://arxiv.org/abs/1706.03762",
        "Twice the width lowers the peak by √2.",
    ),
    "bert": Recipe(
        "BERT", "linear", 768, 10_000, 1_000_000, 1e-4, 0.999, 1e-6, 0.01,
        "Devlin et al. 2019, appendix A.2, https://arxiv.org/abs/1810.04805",
        "β₁ 0.9. The paper states no ε: 10⁻⁶ is the released code's, which also leaves out "
        "the bias correction (Zhang et al. 2021, https://arxiv.org/abs/2006.05987).",
    ),
    "gpt": Recipe(
        "GPT", "cosine", 768, 2000, 3_000_000, 2.5e-4, 0.999, 1e-8, 0.01,
        "Radford et al. 2018, section 4.1, “Improving Language Understanding by Generative "
        "Pre-Training”",
        "The paper states no β and no ε: these are Adam's own defaults. It trains 100 epochs of "
        "64 × 512 tokens a step; 3 M steps are our estimate for about 10⁹ tokens of BooksCorpus.",
    ),
}  # fmt: skip
