"""Where one patch's heads look within its window, and the notes on every patch."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, UInt8

from app.services.vision import Request
from app.views.vision.swin.geometry import Geometry
from core.catalog import ModelCard
from core.explain.attention.patch_attention import read_patches
from core.trace import AttentionLayer, Trace
from core.trace.windows import WindowPartition


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A model's trace of a picture, and the patch that is followed through it."""

    card: ModelCard
    request: Request
    trace: Trace
    picture: UInt8[np.ndarray, "height width 3"]
    geometry: Geometry
    caption: str

    def layer(self, block: int) -> AttentionLayer:
        return self.trace.attention(block)


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a patch can see in one block."""

    cut: WindowPartition
    patch: int
    window: int
    members: Bool[np.ndarray, "row column"]
    partners: Bool[np.ndarray, "row column"]

    @property
    def masked(self) -> Bool[np.ndarray, "row column"]:
        """In the window after rolling, but from the picture's opposite edge."""
        return self.members & ~self.partners


def sight_of(geometry: Geometry, block: int) -> Sight:
    """The followed patch's window in a block."""
    cut, patch = geometry.blocks[block], geometry.patch_in(block)
    return Sight(cut, patch, cut.place_of(patch)[0], cut.members(patch), cut.partners(patch))


def weights_of(traced: Traced, block: int) -> Float32[np.ndarray, "head patch"]:
    """The followed patch's rows in a block."""
    return traced.layer(block).row(traced.geometry.patch_in(block))


def on_grid(row: Float32[np.ndarray, " patch"], sight: Sight) -> Float32[np.ndarray, "row column"]:
    """The row over the picture; no value where the patch can't look."""
    grid = row.reshape(sight.partners.shape)
    return np.where(sight.partners, grid, np.nan).astype(np.float32)


def notes_of(row: Float32[np.ndarray, " patch"], sight: Sight) -> tuple[str, ...]:
    """0.043, rank 3 of 49, 2.1 × uniform; why there is none elsewhere."""
    partners, masked = sight.partners.ravel(), sight.masked.ravel()
    seen = row[partners][None]
    uniform = np.full(seen.shape, 1 / max(1, seen.size), np.float32)
    readings = dict(
        zip(np.flatnonzero(partners).tolist(), read_patches(seen, uniform), strict=True)
    )

    def note(patch: int) -> str:
        if masked[patch]:
            return "masked: from the opposite edge of the picture"
        if not partners[patch]:
            return "in another window: not seen"
        one = readings[patch]
        share = f"{one.times_uniform:.2g} × uniform"
        return f"{one.weight:.2g}, rank {one.rank} of {one.visible}, {share}"

    return tuple(map(note, range(len(row))))
