"""Which patches are hidden: drawn, painted, or in a pattern; pure functions of the grid."""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from jaxtyping import Bool

from app.ui import params
from core.trace import PatchGrid

Hidden = tuple[int, ...]
MOST: Final = 10_000  # patches; no grid here has more


def written(hidden: Hidden) -> str:
    """A set of patches for a link: "b" and its bits in base64url, 36 letters for 196 patches."""
    bits = sum(1 << index for index in hidden)
    raw = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return "b" + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read(given: str) -> Hidden | None:
    """The set again; None for nonsense."""
    if not given.startswith("b") or len(given) > 1 + MOST // 6:
        return None
    body = given[1:]
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")
    return tuple(map(int, np.flatnonzero(bits)))


def painted_param(name: str) -> params.Param:
    """The patches a reader painted; None while the mask is drawn."""
    return params.Param(name, None, read, written)


def indices(mask: Bool[np.ndarray, "row column"]) -> Hidden:
    """The patches that are True, row by row."""
    return tuple(map(int, np.flatnonzero(mask)))


def within(hidden: Hidden, grid: PatchGrid) -> Hidden:
    """Those that a grid has: a link, or another model, may name more."""
    return tuple(index for index in hidden if index < grid.rows * grid.columns)


def one_of_four(grid: PatchGrid) -> Hidden:
    """All but one patch of each 2 × 2: the paper's grid-wise mask (figure 6, right)."""
    row, column = _places(grid)
    return indices((row % 2 == 1) | (column % 2 == 1))


def block(grid: PatchGrid) -> Hidden:
    """A block in the middle, half as high and half as wide as the picture."""
    row, column = _places(grid)
    return indices(
        (abs(row - (grid.rows - 1) / 2) < grid.rows / 4)
        & (abs(column - (grid.columns - 1) / 2) < grid.columns / 4)
    )


def right_half(grid: PatchGrid) -> Hidden:
    _, column = _places(grid)
    return indices(column >= grid.columns / 2)


def nothing(_: PatchGrid) -> Hidden:
    return ()


PATTERNS: Final[Mapping[str, Callable[[PatchGrid], Hidden]]] = {
    "All but one of four": one_of_four,
    "A block": block,
    "Right half": right_half,
    "Nothing": nothing,
}


def _places(grid: PatchGrid) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.indices((grid.rows, grid.columns))
    return rows, columns
