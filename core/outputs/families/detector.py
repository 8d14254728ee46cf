"""What detectors can be asked."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from jaxtyping import Float32

from core.data.synthetic_scenes import Scene
from core.interventions import Intervention
from core.outputs.detection import Detection, SlotBoxes
from core.outputs.families.model import Model
from core.outputs.vision import AnyPicture
from core.targets import LogitTarget
from core.trace import Trace

Seeable = Scene | int | AnyPicture


class Detector(Model[Seeable, LogitTarget], Protocol):
    """DETR on generated scenes, which may be given by their seed, and on pictures."""

    def trace(self, scene: Seeable, *, interventions: Sequence[Intervention] = ()) -> Trace:
        """One forward pass: places to places, slots to slots, slots to places."""
        ...

    def measure(
        self,
        scene: Seeable,
        variants: Sequence[Sequence[Intervention]],
        quantity: LogitTarget,
    ) -> Float32[np.ndarray, " variant"]:
        """A class's (token's) probability at a slot (position) under each of many changes."""
        ...

    def detect(self, scene: Seeable, *, interventions: Sequence[Intervention] = ()) -> Detection:
        """A box and class probabilities for every slot, layer by layer."""
        ...

    def slot_boxes(self, scenes: int = 500, first: int = 0) -> SlotBoxes:
        """The answers for the scenes of the seeds from `first` on: the paper's figure 7."""
        ...
