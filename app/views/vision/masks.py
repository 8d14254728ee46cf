"""Which patches are painted: hidden, marked, or in a pattern; pure functions of the grid."""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from jaxtyping import Bool

from core.explain.attention.patch_attention import resample
from core.explain.objectives import mask_patterns
from core.outputs.autoencoder import mask_of
from core.trace import PatchGrid

Hidden = tuple[int, ...]
Painted = tuple[int, int, Hidden]  # rows and columns of the grid, and its painted patches
NOTHING: Final[Painted] = (1, 1, ())
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


def read_painted(given: str) -> Painted | None:
    """ "14x14.b…", as `written_painted` wrote it; None for nonsense."""
    size, _, body = given.partition(".")
    rows, _, columns = size.partition("x")
    if not (rows.isdecimal() and columns.isdecimal()) or len(size) > 9:
        return None
    painted = read(body)
    if painted is None or not 0 < int(rows) * int(columns) <= MOST:
        return None
    return int(rows), int(columns), tuple(i for i in painted if i < int(rows) * int(columns))


def written_painted(value: Painted) -> str:
    """With its grid: another model may have another."""
    return f"{value[0]}x{value[1]}.{written(value[2])}"


def on_grid(painted: Painted, grid: PatchGrid) -> Hidden:
    """The same part of the picture on another model's grid: by the middle of each patch."""
    rows, columns, indices_there = painted
    if (rows, columns) == (grid.rows, grid.columns):
        return indices_there
    there = mask_of(PatchGrid(rows, columns, 0), indices_there)
    return indices(resample(there, grid))


def indices(mask: Bool[np.ndarray, "row column"]) -> Hidden:
    """The patches that are True, row by row."""
    return tuple(map(int, np.flatnonzero(mask)))


def within(hidden: Hidden, grid: PatchGrid) -> Hidden:
    """Those that a grid has: a link, or another model, may name more."""
    return tuple(index for index in hidden if index < grid.n_patches)


PATTERNS: Final[Mapping[str, Callable[[PatchGrid], Hidden]]] = {
    "All but one of four": lambda grid: indices(mask_patterns.one_of_four(grid)),
    "A block": lambda grid: indices(mask_patterns.block(grid)),
    "Right half": lambda grid: indices(mask_patterns.right_half(grid)),
    "Nothing": lambda _: (),
}
