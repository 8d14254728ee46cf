"""What every evidence method is given: a picture, a class, and the model to ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from torch import Tensor, nn

from core.targets import ClassContrast, ClassTarget
from core.trace import PatchGrid, Trace


@dataclass(frozen=True)
class Question:
    """Which patches speak for this class (against that one)?"""

    title: str
    module: nn.Module
    paths: Mapping[int, str]
    pixels: Tensor  # (1, 3, height, width), normalised
    patches: PatchGrid
    target: ClassTarget | ClassContrast
    trace: Callable[..., Trace]  # of this picture
    measure: Callable[..., np.ndarray]  # of this picture: a class's probability a variant

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the answer."""
        return self.patches.rows, self.patches.columns
