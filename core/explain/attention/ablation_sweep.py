"""Every head silenced in turn: what a chosen number becomes without it.

Michel, Levy & Neubig 2019, https://arxiv.org/abs/1905.10650, section 3.2. A small effect does not
say that a head is idle: later heads make up for what is missing (Wang et al. 2022,
https://arxiv.org/abs/2211.00593, section 3.4; McGrath et al. 2023,
https://arxiv.org/abs/2307.15771), so that silencing one head at a time understates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.interventions import HeadFill, Intervention, SilenceHead
from core.trace import AttentionKind, read_only

Variants = Sequence[Sequence[Intervention]]
Measure = Callable[[Variants], Float32[np.ndarray, " variant"]]


@dataclass(frozen=True, slots=True, eq=False)
class AblationSweep:
    """A number of a model's answer, whole and with each head alone silenced."""

    untouched: float
    silenced: Float32[np.ndarray, "layer head"]  # the number without this head

    @property
    def effects(self) -> Float32[np.ndarray, "layer head"]:
        """What silencing adds to the number: below zero, the head spoke for it."""
        return read_only(self.silenced - np.float32(self.untouched))

    @property
    def strongest(self) -> tuple[int, int]:
        """(layer, head) of the largest effect, up or down."""
        layer, head = divmod(int(np.abs(self.effects).argmax()), self.silenced.shape[1])
        return layer, head


def ablation_sweep(
    measure: Measure,
    layers: int,
    heads: int,
    *,
    kind: AttentionKind | None = None,
    fill: HeadFill = "zero",
    beside: Sequence[Intervention] = (),
) -> AblationSweep:
    """The number under no change, and with each of layers × heads silenced alone.

    measure: the number under each of many changes, such as a model's `measure` of one text;
    called once, so that it can run them in batches. beside: changes that hold throughout, such as
    heads that are silent already.
    """
    alone = [
        (*beside, SilenceHead(layer, head, kind, fill))
        for layer in range(layers)
        for head in range(heads)
    ]
    found = measure([tuple(beside), *alone])
    return AblationSweep(float(found[0]), read_only(found[1:].reshape(layers, heads)))
