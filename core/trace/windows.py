"""Windows of patches: how Swin cuts a picture's grid, and how its maps are put back on the whole.

Liu et al. 2021, https://arxiv.org/abs/2103.14030, section 3.2 and figures 2 and 4: the grid is
rolled by the shift (up and to the left), then cut into windows, row by row; each is attended to
by itself. Where rolling brought together patches from opposite edges of the picture, a mask
keeps them from seeing each other.

Patches and positions count row by row from 0. A *position* is a place within a window.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Bool, Float32, Int64, Shaped

from core.errors import InputError


@dataclass(frozen=True)
class WindowPartition:
    """A grid of patches, rolled by `shift` (rows, columns), cut into windows (height, width)."""

    rows: int
    columns: int
    window: tuple[int, int]
    shift: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        height, width = self.window
        if self.rows % height or self.columns % width:
            raise InputError(
                f"A grid of {self.rows} × {self.columns} patches is not cut evenly into windows of "
                f"{height} × {width}: the model pads it, and looks at padding that is no part of "
                "the picture. Choose an img_size whose grids are multiples of the window."
            )

    @property
    def n_patches(self) -> int:
        return self.rows * self.columns

    @property
    def n_windows(self) -> int:
        return self.n_patches // (self.window[0] * self.window[1])

    @property
    def index(self) -> Int64[np.ndarray, "window position"]:
        """Which patch of the grid stands at each position of each window."""
        return _index(self)

    @property
    def allowed(self) -> Bool[np.ndarray, "window query key"]:
        """Which pairs of a window may see each other: neighbours in the picture, too."""
        return _allowed(self)

    def place_of(self, patch: int) -> tuple[int, int]:
        """The window of a patch, and its position there."""
        if not 0 <= patch < self.n_patches:
            raise InputError(f"There is no patch {patch}: they count to {self.n_patches - 1}.")
        window, position = np.argwhere(self.index == patch)[0]
        return int(window), int(position)

    def members(self, patch: int) -> Bool[np.ndarray, "row column"]:
        """The patches in one window with this one, masked partners included."""
        return self._marked(self.index[self.place_of(patch)[0]])

    def partners(self, patch: int) -> Bool[np.ndarray, "row column"]:
        """The patches that this one may look at, itself included."""
        window, position = self.place_of(patch)
        return self._marked(self.index[window, self.allowed[window, position]])

    def rolled(self, values: Shaped[np.ndarray, "height width *rest"]) -> np.ndarray:
        """Numbers or pixels over the grid, moved as the shift moves their patches."""
        high, wide = values.shape[0] // self.rows, values.shape[1] // self.columns
        return np.roll(values, (-self.shift[0] * high, -self.shift[1] * wide), axis=(0, 1))

    def crop(self, values: Shaped[np.ndarray, "height width *rest"], window: int) -> np.ndarray:
        """A window's part of numbers or pixels, as the model has them side by side: rolled."""
        high = values.shape[0] // self.rows * self.window[0]
        wide = values.shape[1] // self.columns * self.window[1]
        down, along = divmod(window, self.columns // self.window[1])
        part = self.rolled(values)[down * high :, along * wide :]
        return np.ascontiguousarray(part[:high, :wide])

    def chequered(self) -> Bool[np.ndarray, "row column"]:
        """Every second window of the picture, so that an outline of them draws all borders."""
        rows, columns = np.indices((self.rows, self.columns))
        down = (rows - self.shift[0]) // self.window[0]
        along = (columns - self.shift[1]) // self.window[1]
        return (down + along) % 2 == 0

    def near_the_middle(self) -> int:
        """The last patch of a window near the centre: shifting brings it new neighbours."""
        row, column = (
            near if (near := side // 2 // window * window - 1) >= 0 else side // 2
            for side, window in zip((self.rows, self.columns), self.window, strict=True)
        )
        return row * self.columns + column

    def _marked(self, patches: np.ndarray) -> np.ndarray:
        marked = np.zeros(self.n_patches, dtype=bool)
        marked[patches] = True
        return marked.reshape(self.rows, self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The maps of one layer as the model computed them: window by window."""

    weights: Float32[np.ndarray, "window head position position"]
    partition: WindowPartition
    bias: Float32[np.ndarray, "#window head position position"] | None = None  # offsets and mask

    def __post_init__(self) -> None:
        expected = self.index.shape
        if (self.weights.shape[0], self.weights.shape[2]) != expected:
            raise ValueError(
                f"weights are {self.weights.shape} (window, head, query, key), but the partition "
                f"has {expected} (window, position)"
            )

    @property
    def index(self) -> Int64[np.ndarray, "window position"]:
        return self.partition.index

    @property
    def allowed(self) -> Bool[np.ndarray, "window query key"]:
        return self.partition.allowed

    def whole(self) -> Float32[np.ndarray, "head query key"]:
        """The map over all patches of the picture; between windows it is zero."""
        return spread(self.weights, self.index)

    def row(self, query: int) -> Float32[np.ndarray, "head key"]:
        """One patch's row of the whole map, without making the others."""
        window, position = self.partition.place_of(query)
        row = np.zeros((self.weights.shape[1], self.partition.n_patches), dtype=np.float32)
        row[:, self.index[window]] = self.weights[window, :, position]
        row.setflags(write=False)
        return row

    def allowed_pairs(self) -> Bool[np.ndarray, "query key"]:
        """Which patches of the picture may see which: those of one window, unless masked."""
        return spread(self.allowed[:, None].astype(np.float32), self.index)[0] > 0

    def scores(
        self,
        queries: Float32[np.ndarray, "head patch d_head"],
        keys: Float32[np.ndarray, "head patch d_head"],
        scale: float,
    ) -> Float32[np.ndarray, "head query key"]:
        """query · key × scale + bias over the whole picture; −inf between windows."""
        each = np.matmul(queries[:, self.index], keys[:, self.index].swapaxes(-1, -2))
        each = each.swapaxes(0, 1) * np.float32(scale)
        return spread(each if self.bias is None else each + self.bias, self.index, fill=-np.inf)


def spread(
    maps: Float32[np.ndarray, "window head position position"],
    index: Int64[np.ndarray, "window position"],
    fill: float = 0.0,
) -> Float32[np.ndarray, "head patch patch"]:
    """Maps of windows as one map over all patches; `fill` stands between windows."""
    whole = np.full((maps.shape[1], index.size, index.size), fill, dtype=np.float32)
    whole[:, index[:, :, None], index[:, None, :]] = maps.swapaxes(0, 1)
    whole.setflags(write=False)
    return whole


def gather(
    whole: Float32[np.ndarray, "patch patch"], index: Int64[np.ndarray, "window position"]
) -> Float32[np.ndarray, "window position position"]:
    """What a map over all patches says within each window: the way back from `spread`."""
    return whole[index[:, :, None], index[:, None, :]]


def in_picture_order(
    vectors: Float32[np.ndarray, "window head position d"],
    index: Int64[np.ndarray, "window position"],
) -> Float32[np.ndarray, "head patch d"]:
    """Queries, keys or values of windows, as one sequence of patches."""
    ordered = np.empty((vectors.shape[1], index.size, vectors.shape[3]), dtype=np.float32)
    ordered[:, index] = vectors.swapaxes(0, 1)
    ordered.setflags(write=False)
    return ordered


@cache
def _index(partition: WindowPartition) -> np.ndarray:
    patches = np.arange(partition.n_patches).reshape(partition.rows, partition.columns)
    return _cut(partition.rolled(patches), partition)


@cache
def _allowed(partition: WindowPartition) -> np.ndarray:
    rows, columns = np.indices((partition.rows, partition.columns))
    down, along = partition.shift
    # After rolling, the last `shift` rows and columns come from the opposite edge.
    region = 2 * (rows >= partition.rows - down) + (columns >= partition.columns - along)
    regions = _cut(region, partition)
    allowed = regions[:, :, None] == regions[:, None, :]
    allowed.setflags(write=False)
    return allowed


def _cut(grid: np.ndarray, partition: WindowPartition) -> np.ndarray:
    height, width = partition.window
    parts = grid.reshape(partition.rows // height, height, partition.columns // width, width)
    cut = parts.swapaxes(1, 2).reshape(-1, height * width)
    cut.setflags(write=False)
    return cut
