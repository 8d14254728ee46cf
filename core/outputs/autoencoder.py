"""What a masked autoencoder answers: pictures with hidden patches painted. Values, no torch.

He et al. 2022, https://arxiv.org/abs/2111.06377. Colours are from 0 to 1; patches count row by
row; errors are mean squared differences of colours.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from core.errors import InputError
from core.trace import PatchGrid, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Reconstruction:
    """A picture as the model saw it, what was hidden, and what the model says; colours 0 to 1."""

    picture: Float32[np.ndarray, "height width 3"]  # resized and cropped for the model
    hidden: Bool[np.ndarray, "row column"]
    predicted: Float32[np.ndarray, "height width 3"]  # every patch, visible ones too; unclipped
    errors: Float32[np.ndarray, "row column"]  # mean squared error of each patch
    grid: PatchGrid

    def __post_init__(self) -> None:
        for name in ("picture", "hidden", "predicted", "errors"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def pasted(self) -> Float32[np.ndarray, "height width 3"]:
        """The visible patches as they are, the predictions in the hidden ones."""
        return np.where(self._hidden_pixels[..., None], self.predicted, self.picture)

    @property
    def error(self) -> float | None:
        """Mean squared error over the hidden patches; None where none is hidden."""
        return float(self.errors[self.hidden].mean()) if self.hidden.any() else None

    @property
    def flat_error(self) -> float | None:
        """What one colour in all hidden patches would give: the mean of the visible ones.

        None where nothing is hidden, or nothing is visible.
        """
        at = self._hidden_pixels
        if not at.any() or at.all():
            return None
        mean: np.ndarray = self.picture[~at].mean(axis=0)
        return float(np.mean((self.picture[at] - mean) ** 2))

    @property
    def ranks(self) -> Int[np.ndarray, "row column"]:
        """Of each hidden patch among them, 1 for the largest error; equals share the better one.

        0 at visible patches.
        """
        # a second, for this alone
        from scipy.stats import rankdata  # pyright: ignore[reportUnknownVariableType]

        ranks = np.zeros(self.errors.shape, dtype=np.int64)
        ranks[self.hidden] = rankdata(-self.errors[self.hidden], method="min")
        return ranks

    @property
    def nbytes(self) -> int:
        arrays = (self.picture, self.hidden, self.predicted, self.errors)
        return sum(array.nbytes for array in arrays)

    @property
    def _hidden_pixels(self) -> Bool[np.ndarray, "height width"]:
        patch = (len(self.picture) // self.grid.rows, self.picture.shape[1] // self.grid.columns)
        return np.kron(self.hidden, np.ones(patch, dtype=bool))


@dataclass(frozen=True, slots=True, eq=False)
class ErrorByRatio:
    """The error at hidden patches, for several shares of them and several draws of each."""

    ratios: tuple[float, ...]
    seeds: tuple[int, ...]
    errors: Float32[np.ndarray, "seed ratio"]  # NaN where a share is too small to hide a patch
    flat: Float32[np.ndarray, "seed ratio"]  # `Reconstruction.flat_error`; NaN where it is None

    def __post_init__(self) -> None:
        for name in ("errors", "flat"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def hides(self) -> Bool[np.ndarray, " ratio"]:
        """Which shares are large enough to hide a patch."""
        return np.asarray(~np.isnan(self.errors).any(axis=0))

    @property
    def mean_errors(self) -> Float[np.ndarray, " ratio"]:
        """Over the draws."""
        return self.errors.mean(axis=0, dtype=np.float64)

    @property
    def mean_flat(self) -> Float[np.ndarray, " ratio"]:
        """Over the draws; NaN where one of them has none."""
        return self.flat.mean(axis=0, dtype=np.float64)

    @property
    def nbytes(self) -> int:
        return self.errors.nbytes + self.flat.nbytes


def random_mask(grid: PatchGrid, ratio: float, seed: int) -> Bool[np.ndarray, "row column"]:
    """So large a share of the patches, rounded to whole ones, drawn without replacement.

    With the same seed a larger share hides the same patches and more.
    """
    if not 0.0 <= ratio <= 1.0:
        raise InputError(f"The share of hidden patches is {ratio:g}; give one from 0 to 1.")
    order = np.random.default_rng(seed).permutation(grid.n_patches)
    hidden = np.zeros(order.size, dtype=bool)
    hidden[order[: round(ratio * order.size)]] = True
    return hidden.reshape(grid.rows, grid.columns)


def mask_of(grid: PatchGrid, hidden: tuple[int, ...]) -> Bool[np.ndarray, "row column"]:
    """The mask that hides these patches. Raises InputError for one outside the grid."""
    n_patches = grid.n_patches
    if outside := [index for index in hidden if not 0 <= index < n_patches]:
        raise InputError(
            f"There is no patch {outside[0]}: this model's count from 0 to {n_patches - 1}."
        )
    mask = np.zeros(n_patches, dtype=bool)
    mask[list(hidden)] = True
    return mask.reshape(grid.rows, grid.columns)
