"""What the training changed, as factors: ΔW = W − W₀ ≈ BA by singular value decomposition.

Hu et al. 2022, https://arxiv.org/abs/2106.09685. The rank is the least that keeps a share of what
the update is worth: of the loss that falls from the base's own weights, under the trained head,
to the trained ones.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from core.models.text.folded import DOWN, UP, WHOLE

KEPT = 0.999  # of the fall of the loss
RANKS = (16, 32, 64, 96, 128, 160, 192)  # tried from the least on; more would not ship
PROJECTED_FROM, PROJECTED_EVERY = 0.5, 100  # a share of the training; steps


class Update:
    """The decomposed difference between trained weights and their base's."""

    def __init__(
        self, base: Mapping[str, Tensor], trained: Mapping[str, Tensor], *, largest: int
    ) -> None:
        """`base` and `trained` name their tensors alike; what `base` lacks is new.

        largest: rank that will be asked for; a matrix that has no more is kept whole.
        """
        self._new = {name: value for name, value in trained.items() if name not in base}
        self._whole: dict[str, Tensor] = {}
        self._parts: dict[str, tuple[Tensor, Tensor, Tensor]] = {}
        for name in sorted(base.keys() & trained.keys()):
            difference = trained[name].float() - base[name].float()
            if not difference.any():
                continue  # what is not named is the base's
            if difference.ndim == 2 and min(difference.shape) > largest:
                left, values, right = torch.linalg.svd(difference, full_matrices=False)
                self._parts[name] = left, values, right
            else:
                self._whole[name] = difference

    def tensors(self, rank: int) -> dict[str, Tensor]:
        """What is shipped, in fp16, as `core.models.text.folded` reads it."""
        made = self._new | {name + WHOLE: value for name, value in self._whole.items()}
        for name, (left, values, right) in self._parts.items():
            if _is_whole(left, right, rank):
                made[name + WHOLE] = (left * values) @ right
                continue
            root = values[:rank].sqrt()  # halves of Σ on both sides: fp16 holds both well
            made[name + UP] = left[:, :rank] * root
            made[name + DOWN] = root[:, None] * right[:rank]
        return {name: value.half().contiguous() for name, value in made.items()}

    def energy_kept(self, rank: int) -> float:
        """The share of ‖ΔW‖², over all matrices together, that a rank keeps."""
        kept = sum(
            float(values[: None if _is_whole(left, right, rank) else rank].square().sum())
            for left, values, right in self._parts.values()
        )
        return kept / sum(float(values.square().sum()) for _, values, _ in self._parts.values())


def _is_whole(left: Tensor, right: Tensor, rank: int) -> bool:
    """Whether its factors would be no smaller than the matrix."""
    rows, columns = left.shape[0], right.shape[1]
    return rank * (rows + columns) >= rows * columns


class LowRank:
    """Keeps what a training changes within the rank that will be shipped.

    Gradient steps lead out of the matrices of that rank, a projection leads back to the nearest
    (Jain, Meka & Dhillon 2010, https://arxiv.org/abs/0909.5457): the last steps make good what a
    single cut at the end would cost.
    """

    def __init__(self, model: nn.Module, *, rank: int) -> None:
        """The model's matrices as they are now are the base; those without a gradient stay."""
        self._rank = rank
        self._matrices = [
            (parameter, parameter.detach().clone())
            for parameter in model.parameters()
            if parameter.requires_grad
            and parameter.ndim == 2
            and rank * sum(parameter.shape) < parameter.numel()
        ]

    @torch.no_grad()
    def project(self) -> None:
        for parameter, base in self._matrices:
            parameter.copy_(base + nearest(parameter - base, self._rank))


def nearest(matrix: Tensor, rank: int) -> Tensor:
    """The nearest matrix of no higher rank, by squared error (Eckart & Young 1936)."""
    tall = matrix if matrix.shape[0] >= matrix.shape[1] else matrix.T
    # The right singular vectors are the small square's eigenvectors: no SVD of the vocabulary.
    right = torch.linalg.eigh((tall.T @ tall).double())[1][:, -rank:].to(matrix.dtype)
    low = (tall @ right) @ right.T
    return low if tall is matrix else low.T


def least_rank(
    loss_at: Callable[[int], float], *, without: float, trained: float, ranks: Sequence[int]
) -> int:
    """The first rank whose loss keeps KEPT of the fall from `without` to `trained`; else the last.

    Example: without 5, trained 3, KEPT 0.999 -> the first rank with a loss of at most 3.002.
    """
    wanted = without - KEPT * (without - trained)
    return next((rank for rank in ranks if loss_at(rank) <= wanted), ranks[-1])
