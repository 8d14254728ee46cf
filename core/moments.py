"""What an embedded model kept of its training: arrays at several moments, snapshots.npz."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float32, Float64, Int64

from core.errors import InputError
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """One of the kept arrays, at every moment of the training."""

    values: Float32[np.ndarray, "moment *shape"]
    steps: Int64[np.ndarray, " moment"]  # optimiser steps done
    fractions: Float64[np.ndarray, " moment"]  # share of the training done, 0 to 1

    @property
    def nbytes(self) -> int:
        return self.values.nbytes


def read_moments(path: Path, name: str) -> Moments | None:
    """An array of the file, or None if it keeps none of that name. Raises InputError if broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if name not in file:
                return None
            return Moments(
                read_only(file[name].astype(np.float32)),
                file["steps"].astype(np.int64),
                file["fractions"].astype(np.float64),
            )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} can't be read as snapshots: {error}. Copy it again.") from error
