"""Activation patching: one text runs with another's activations at one place.

Where the number that tells two texts apart goes over to the other text's value, what was patched
carries the difference. Vig et al. 2020, https://arxiv.org/abs/2004.12265; Meng et al. 2022,
https://arxiv.org/abs/2202.05262; by head and position as in Wang et al. 2022,
https://arxiv.org/abs/2211.00593. Both texts need the same number of tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.explain.attention.ablation_sweep import Measure
from core.interventions import RESIDUAL, Intervention, PatchHead, PatchStream, Stream
from core.trace import AttentionKind, Trace, read_only
from core.trace.residual_stream import Part

Patches = tuple[tuple[tuple[Intervention, ...], ...], ...]  # layer by head, or by position


@dataclass(frozen=True, slots=True, eq=False)
class PatchSweep:
    """A number of a text's answer, as it is and with each place patched from the other text."""

    untouched: float
    patched: Float32[np.ndarray, "layer place"]

    @property
    def effects(self) -> Float32[np.ndarray, "layer place"]:
        """What each patch adds to the number."""
        return read_only(self.patched - np.float32(self.untouched))

    def restored(self, of_source: float) -> Float32[np.ndarray, "layer place"]:
        """0 where a patch does nothing, 1 where it gives the other text's number `of_source`.

        NaN where both texts have the same number.
        """
        gap = np.float32(of_source - self.untouched)
        return read_only(self.effects / gap if gap else np.full_like(self.patched, np.nan))


def head_patches(source: Trace, kind: AttentionKind | None = None) -> Patches:
    """(layer, head): the head's output in `source` (before W^O), at every position.

    Raises ValueError for a trace without values.
    """
    found: list[tuple[tuple[Intervention, ...], ...]] = []
    for index in range(source.n_layers(kind)):
        layer = source.attention(index, kind=kind)
        if layer.values is None:
            raise ValueError(f"layer {index} keeps no values")
        outputs = layer.weights @ layer.values
        found.append(
            tuple(
                tuple(
                    PatchHead(index, head, position, read_only(vector), kind)
                    for position, vector in enumerate(outputs[head])
                )
                for head in range(len(outputs))
            )
        )
    return tuple(found)


def stream_patches(source: Trace, part: Stream, stack: AttentionKind | None = None) -> Patches:
    """(layer, position): what the layer reads (RESIDUAL), or what a sublayer adds, in `source`.

    A sublayer's needs a trace with blocks.
    """
    if part == RESIDUAL:
        vectors = source.hidden_states(stack)[:-1]
    else:
        layers = range(len(source.hidden_states(stack)) - 1)
        vectors = tuple(source.block(layer, stack).sublayer(Part(part)).output for layer in layers)
    return tuple(
        tuple(
            (PatchStream(layer, position, part, read_only(vector), stack),)
            for position, vector in enumerate(of_layer)
        )
        for layer, of_layer in enumerate(vectors)
    )


def patch_sweep(
    measure: Measure, patches: Patches, *, beside: Sequence[Intervention] = ()
) -> PatchSweep:
    """The number of the text that `measure` runs, whole and with each patch alone."""
    alone = [(*beside, *one) for of_layer in patches for one in of_layer]
    found = measure([tuple(beside), *alone])
    shape = len(patches), len(patches[0])
    return PatchSweep(float(found[0]), read_only(found[1:].reshape(shape)))
