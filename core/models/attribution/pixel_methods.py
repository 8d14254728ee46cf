"""Evidence from changed pixels: integrated gradients along a path, occlusion patch by patch."""

from typing import Final

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor

from core.capture.gradients import score
from core.interventions import HidePatches
from core.long_work import checkpoint
from core.models.attribution.question import Question
from core.targets import ClassContrast, ClassTarget

STEPS: Final = 32  # points of the integral
AT_ONCE: Final = 8  # of them in one forward


def integrated_gradients(question: Question) -> Float32[np.ndarray, "row column"]:
    """Pixels' shares in the logit's change from the mean colour to the picture, summed a patch.

    Sundararajan, Taly & Yan 2017, https://arxiv.org/abs/1703.01365, equation 1, by captum's
    Gauss–Legendre rule. The shares of all patches sum to logit(picture) − logit(mean colour).
    """
    from captum.attr import IntegratedGradients  # brings matplotlib: only when asked for

    def answers(pixels: Tensor) -> Tensor:
        checkpoint()
        return torch.stack([score(row, question.target) for row in question.module(pixels)])

    method = IntegratedGradients(answers)
    shares = method.attribute(question.pixels, n_steps=STEPS, internal_batch_size=AT_ONCE)
    rows, columns = question.shape
    summed = shares.detach()[0].sum(0).unflatten(0, (rows, -1)).unflatten(2, (columns, -1))
    return summed.sum((1, 3)).float().cpu().numpy()


def occlusion(question: Question) -> Float32[np.ndarray, "row column"]:
    """How much of the class's probability goes when one patch becomes the mean colour.

    Zeiler & Fergus 2014, https://arxiv.org/abs/1311.2901, section 4.2. Against another class: the
    loss of the one less the loss of the other.
    """
    rows, columns = question.shape
    variants = ((), *((HidePatches((index,)),) for index in range(rows * columns)))
    match question.target:
        case ClassContrast(index, against):
            found = question.measure(variants, ClassTarget(index)) - question.measure(
                variants, ClassTarget(against)
            )
        case ClassTarget():
            found = question.measure(variants, question.target)
    return (found[0] - found[1:]).reshape(rows, columns)
