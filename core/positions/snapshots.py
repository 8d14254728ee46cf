"""A table of positions through a training: snapshots.npz of an embedded model."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float32, Float64, Int64

from core.errors import InputError
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Snapshots:
    """The first positions' vectors at several moments; prefix tokens come first, if any."""

    positions: Float32[np.ndarray, "snapshot position d_model"]
    steps: Int64[np.ndarray, " snapshot"]  # optimiser steps done
    fractions: Float64[np.ndarray, " snapshot"]  # share of the training done, 0 to 1

    @property
    def nbytes(self) -> int:
        return self.positions.nbytes


def read_snapshots(path: Path) -> Snapshots | None:
    """The snapshots of a file, or None if it keeps no positions. Raises InputError if broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if "positions" not in file:
                return None
            positions = read_only(file["positions"].astype(np.float32))
            steps = file["steps"].astype(np.int64)
            fractions = file["fractions"].astype(np.float64)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} can't be read as snapshots: {error}. Copy it again.") from error
    positions = positions.reshape(len(positions), *positions.shape[-2:])
    return Snapshots(positions, steps, fractions)
