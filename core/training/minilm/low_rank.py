"""What the training changed, as factors: ΔW = W − W₀ ≈ BA by singular value decomposition.

Hu et al. 2022, https://arxiv.org/abs/2106.09685. The rank is the least that keeps a share of what
the update is worth: of the loss that falls from the base's own weights, under the trained head,
to the trained ones.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from core.models.text.folded import DOWN, UP, WHOLE

KEPT = 0.99  # of the fall of the loss
RANKS = (16, 32, 64, 96, 128, 160, 192, 224, 256)  # tried from the least on; more would not ship


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


def least_rank(
    loss_at: Callable[[int], float], *, without: float, trained: float, ranks: Sequence[int]
) -> int:
    """The first rank whose loss keeps KEPT of the fall from `without` to `trained`; else the last.

    Example: without 5, trained 3, KEPT 0.99 -> the first rank with a loss of at most 3.02.
    """
    wanted = without - KEPT * (without - trained)
    return next((rank for rank in ranks if loss_at(rank) <= wanted), ranks[-1])
