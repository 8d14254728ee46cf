"""Where one patch stands: its window in every block, its parent in every stage. No model needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.explain.flow.stages import children
from core.trace import PatchGrid
from core.trace.windows import WindowPartition

MINI: Final = (  # swin-mini's blocks: shown where no model is on board
    *(WindowPartition(28, 28, (7, 7)), WindowPartition(28, 28, (7, 7), (3, 3))),
    *(WindowPartition(14, 14, (7, 7)), WindowPartition(14, 14, (7, 7), (3, 3))) * 2,
    *(WindowPartition(7, 7, (7, 7)),) * 4,
)


@dataclass(frozen=True)
class Geometry:
    """All blocks of a model, and one patch of the first grid followed through them."""

    blocks: tuple[WindowPartition, ...]
    patch: int

    @property
    def first(self) -> WindowPartition:
        return self.blocks[0]

    @property
    def stages(self) -> tuple[int, ...]:
        """The index of each stage's first block."""
        sizes = [(block.rows, block.columns) for block in self.blocks]
        return tuple(i for i, size in enumerate(sizes) if not i or size != sizes[i - 1])

    def stage_of(self, block: int) -> int:
        """Counted from 0."""
        return sum(start <= block for start in self.stages) - 1

    def pair_of(self, block: int) -> tuple[int, ...]:
        """The block and its partner, plain windows first; alone if the stage has no other."""
        start = self.stages[self.stage_of(block)]
        first = block - (block - start) % 2
        same = [i for i in (first, first + 1) if i < len(self.blocks)]
        return tuple(i for i in same if self.stage_of(i) == self.stage_of(block))

    def patch_in(self, block: int) -> int:
        """The patch that the followed one has become on a block's grid."""
        return int(self.parents(block)[self.patch])

    def parents(self, block: int) -> np.ndarray:
        """For every patch of the first grid, its patch on a block's grid."""
        return children(grid_of(self.first), grid_of(self.blocks[block]))

    def patch_from(self, block: int, chosen: int) -> int:
        """The first grid's patch for one that was clicked on a block's grid."""
        if chosen == self.patch_in(block):
            return self.patch
        return int(np.flatnonzero(self.parents(block) == chosen)[0])

    def name(self, block: int) -> str:
        """Block 3 · 14 × 14 · SW-MSA."""
        cut = self.blocks[block]
        return f"Block {block} · {cut.rows} × {cut.columns} · {kind_of(cut)}"


def kind_of(cut: WindowPartition) -> str:
    """The paper's names: windows, shifted windows."""
    return "SW-MSA" if any(cut.shift) else "W-MSA"


def window_name(cut: WindowPartition, window: int) -> str:
    """A window by its place. A shift rolls the picture first: equal places hold other patches."""
    high, wide = cut.rows // cut.window[0], cut.columns // cut.window[1]
    row, column = divmod(window, wide)
    rolled = " of the rolled picture" if any(cut.shift) else ""
    return f"window {row}, {column} of {high} × {wide}{rolled}"


def grid_of(cut: WindowPartition) -> PatchGrid:
    return PatchGrid(cut.rows, cut.columns, 0)


def followed(blocks: Sequence[WindowPartition], patch: int) -> Geometry:
    """A patch that the model has, or the one in the middle."""
    fits = 0 <= patch < blocks[0].n_patches
    return Geometry(tuple(blocks), patch if fits else blocks[0].near_the_middle())
