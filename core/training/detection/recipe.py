"""detr-mini's steps: draw scenes, match, learn.

Carion et al. 2020, https://arxiv.org/abs/2005.12872, section 4 and appendix A.4.
"""

from typing import cast

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from core.models.vision.detr_network import Detections, DetrNetwork, normalised
from core.training.common.precision import autocast
from core.training.common.schedule import cosine
from core.training.detection.loss import assign, generalised_iou, matching_costs, set_loss
from core.training.detection.network import optimiser_of
from core.training.detection.pool import Pool, draw_pool, turned
from core.training.vision.randomness import random_state, restore_random_state

SEED = 0
FIRST_SEED = 1_000_000  # of the training's scenes; the page offers smaller ones
SCENES = 12_000
UNSEEN = 64  # scenes, for the figure of a moment
FIRST_UNSEEN = 100_000
BATCH_SIZE = 64
LEARNING_RATE = 1e-3
WARMUP = 0.05  # of the training
CLIP = 1.0  # gradient norm; the paper's is 0.1


class DetectionRecipe:
    """Scenes in, the set loss of every decoder layer out."""

    def __init__(
        self,
        network: DetrNetwork,
        *,
        device: str,
        scenes: int = SCENES,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        self.network = network.to(device)
        self.optimiser = optimiser_of(network)
        self.device = device
        self.batch_size = batch_size
        side = network.picture_size
        self._pool = draw_pool(range(FIRST_SEED, FIRST_SEED + scenes), side)
        self._unseen = draw_pool(range(FIRST_UNSEEN, FIRST_UNSEEN + UNSEEN), side).to(device)

    def step(self, fraction: float) -> float:
        chosen = torch.randint(len(self._pool), (self.batch_size,))
        batch = turned(self._pool.take(chosen)).to(self.device)
        with (
            autocast(self.device),
            sdpa_kernel(SDPBackend.MATH),  # the fused backward is four times slower on a CPU
        ):
            found = self.network(normalised(batch.pictures))
        loss = set_loss(found, batch.boxes, batch.labels, batch.present)
        loss.backward()
        rate = cosine(fraction, peak=LEARNING_RATE, warmup=WARMUP)
        self.optimiser.step(learning_rate=rate, clip=CLIP)
        return float(loss.detach())

    def state(self) -> dict[str, object]:
        return {
            "model": self.network.state_dict(),
            "optimiser": self.optimiser.state(),
            "random": random_state(self.device),
        }

    def restore(self, state: dict[str, object]) -> None:
        self.network.load_state_dict(cast("dict[str, Tensor]", state["model"]))
        self.optimiser.restore(cast("list[dict[str, object]]", state["optimiser"]))
        restore_random_state(state["random"], self.device)

    def snapshot(self) -> dict[str, Tensor]:
        """One unseen scene's boxes and classes, the reference points, and the pairs' mean IoU."""
        self.network.eval()
        with torch.inference_mode():
            found = self.network(normalised(self._unseen.pictures))
        self.network.train()
        return {
            "boxes": found.boxes[-1, 0].half().cpu(),  # (slot, 4)
            "probabilities": found.logits[-1, 0].softmax(-1).half().cpu(),  # (slot, class)
            "references": self.network.reference.detach().sigmoid().half().cpu(),  # (slot, 2)
            "metrics": torch.tensor([mean_overlap(found, self._unseen)]),
        }


def mean_overlap(found: Detections, scenes: Pool) -> float:
    """Mean generalised IoU of the objects with the slots that the matching gives them."""
    last = Detections(found.logits[-1:], found.boxes[-1:])
    boxes = found.boxes[-1]
    chosen = assign(matching_costs(last, scenes.boxes, scenes.labels), scenes.present)[0]
    chosen = chosen.to(boxes.device)
    row, thing = scenes.present.nonzero(as_tuple=True)
    overlap = generalised_iou(boxes[row, chosen[row, thing]], scenes.boxes[row, thing])
    return float(overlap.mean())
