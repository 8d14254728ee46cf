"""Which rank of what a training changed is shipped, and how it is written.

See `low_rank`: the least rank whose loss, measured on text that is not held out, keeps what the
change is worth.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import Tensor
from transformers import PreTrainedModel

from core.models.text.folded import UPDATE_FILE, changed, delta
from core.trace.whole_file import write_whole
from core.training.minilm.low_rank import (
    KEPT,
    PROJECTED_EVERY,
    PROJECTED_FROM,
    Update,
    least_rank,
)

log = logging.getLogger("rank")
TIED = ("cls.predictions.decoder.weight", "cls.predictions.decoder.bias")  # told elsewhere
Weights = dict[str, Tensor]
SHIPPED = (  # for the cards
    "What is shipped is not the trained weights but {base} plus factors BA of what changed (Hu et "
    "al. 2022, https://arxiv.org/abs/2106.09685; a matrix whose factors would be no smaller is "
    "kept whole), of the least rank that keeps "
    f"{KEPT:.1%} of what the change is worth, or of the largest that was tried. From "
    f"{PROJECTED_FROM:.0%} of the training on, the change was brought back to the nearest of that "
    f"rank every {PROJECTED_EVERY} steps. Every figure was measured on what is shipped."
)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The update that ships, with the losses (nats) that it was chosen by."""

    rank: int
    update: Weights
    shipped: float
    trained: float
    without: float  # with the base's weights, where it has any
    energy: float  # the share of the change's squared norm that is shipped


def ship_rank(
    model: PreTrainedModel,
    base: Weights,
    trained: Weights,
    loss: Callable[[], float],
    *,
    ranks: Sequence[int],
    folder: Path,
) -> Chosen:
    """Write the update of the least of the ranks that keeps what the change is worth.

    loss: the model's own, with the weights that it has; it has others afterwards.
    """
    model.eval()

    def loss_of(weights: Weights) -> float:
        model.load_state_dict(weights, strict=False)
        return loss()

    chosen = _chosen(base, trained, loss_of, ranks=ranks)
    write_update(chosen.update, model.config, type(model).__name__, folder)
    return chosen


def _chosen(
    base: Weights, trained: Weights, loss_of: Callable[[Weights], float], *, ranks: Sequence[int]
) -> Chosen:
    update = Update(base, trained, largest=ranks[-1])
    losses: dict[int, float] = {}

    def loss_at(rank: int) -> float:
        shipped = update.tensors(rank)
        folded = {name: base[name] + delta(shipped, name) for name in changed(shipped)}
        losses[rank] = loss_of({**base, **folded})
        log.info("rank %d: loss %.4f", rank, losses[rank])
        return losses[rank]

    full = loss_of(trained)
    none = loss_of(base)
    log.info("loss %.4f as trained, %.4f with the base's weights", full, none)
    rank = least_rank(loss_at, without=none, trained=full, ranks=ranks)
    return Chosen(rank, update.tensors(rank), losses[rank], full, none, update.energy_kept(rank))


def write_update(update: Weights, config: Any, architecture: str, folder: Path) -> None:
    """The factors, and the config of the model that they make with their base."""
    write_whole(folder / UPDATE_FILE, lambda file: file.write(save(update)))
    own = {"architectures": [architecture], "dtype": "float32"}
    told = json.dumps(config.to_dict() | own, indent=1, sort_keys=True)
    write_whole(folder / "config.json", lambda file: file.write(f"{told}\n".encode()))
