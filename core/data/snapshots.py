"""What an embedded model kept of its training: arrays at several moments, snapshots.npz."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float32, Float64, Int64

from core.errors import InputError
from core.trace import read_only

AT = "_at"  # “positions_at” says at which of the moments “positions” were kept; else at all


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """One of the kept arrays, at the moments of the training at which it was kept."""

    values: Float32[np.ndarray, "moment *shape"]
    steps: Int64[np.ndarray, " moment"]  # optimiser steps done
    fractions: Float64[np.ndarray, " moment"]  # share of the training done, 0 to 1

    @property
    def nbytes(self) -> int:
        return self.values.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How a training went: its loss, and figures on held-out data at every moment."""

    loss_curve: Float32[np.ndarray, "point 2"]  # (share of the training done, mean loss around it)
    metrics: Moments  # (moment, metric)
    metric_names: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]]  # what the maps are of: tokens, sentence, picture, …

    @property
    def nbytes(self) -> int:
        return self.loss_curve.nbytes + self.metrics.nbytes


def read_moments(path: Path, name: str) -> Moments | None:
    """An array of the file, or None if it keeps none of that name. Raises InputError if broken."""
    with _opened(path) as file:
        return _moments(file, name) if name in file else None


def read_course(path: Path) -> Course:
    """The file's loss curve, figures and texts. Raises InputError if broken."""
    with _opened(path) as file:
        texts = {name: file[name] for name in file if file[name].dtype.kind == "U"}
        return Course(
            read_only(file["loss_curve"].astype(np.float32)),
            _moments(file, "metrics"),
            tuple(texts.pop("metric_names").tolist()),
            {name: tuple(np.atleast_1d(text).tolist()) for name, text in texts.items()},
        )


def _moments(file: Mapping[str, np.ndarray], name: str) -> Moments:
    at = file[name + AT] if name + AT in file else slice(None)
    return Moments(
        read_only(file[name].astype(np.float32)),
        file["steps"].astype(np.int64)[at],
        file["fractions"].astype(np.float64)[at],
    )


@contextmanager
def _opened(path: Path) -> Generator[Mapping[str, np.ndarray]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            yield file
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} can't be read as snapshots: {error}. Copy it again.") from error
