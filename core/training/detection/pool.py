"""Scenes drawn once, shown many times: turned and mirrored, so that few look alike."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor

from core.data.synthetic_scenes import MOST_OBJECTS, make_scene


@dataclass(frozen=True, slots=True)
class Pool:
    """Pictures with their objects; places behind a scene's last object are not `present`."""

    pictures: UInt8[Tensor, "scene 3 side side"]
    boxes: Float[Tensor, "scene object 4"]
    labels: Int[Tensor, "scene object"]
    present: Bool[Tensor, "scene object"]

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, chosen: Int[Tensor, " chosen"]) -> "Pool":
        return Pool(
            self.pictures[chosen], self.boxes[chosen], self.labels[chosen], self.present[chosen]
        )

    def to(self, device: str) -> "Pool":
        return Pool(
            *(part.to(device) for part in (self.pictures, self.boxes, self.labels, self.present))
        )


def draw_pool(seeds: range, side: int) -> Pool:
    """The scenes of these seeds: a millisecond each."""
    pictures = np.zeros((len(seeds), side, side, 3), dtype=np.uint8)
    boxes = np.full((len(seeds), MOST_OBJECTS, 4), 0.5, dtype=np.float32)
    labels = np.zeros((len(seeds), MOST_OBJECTS), dtype=np.int64)
    present = np.zeros((len(seeds), MOST_OBJECTS), dtype=bool)
    for row, seed in enumerate(seeds):
        scene = make_scene(seed)
        count = len(scene.shapes)
        pictures[row] = scene.draw(side)
        boxes[row, :count] = scene.boxes
        labels[row, :count] = scene.labels
        present[row, :count] = True
    as_tensors = (torch.from_numpy(array) for array in (boxes, labels, present))
    return Pool(torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous(), *as_tensors)


def turned(batch: Pool) -> Pool:
    """The whole batch in one of the square's eight symmetries, drawn at random; boxes go along."""
    pictures, boxes = batch.pictures, batch.boxes.clone()
    left, top, corner = (torch.rand(3) < 0.5).tolist()
    if left:
        pictures, boxes[..., 0] = pictures.flip(3), 1 - boxes[..., 0]
    if top:
        pictures, boxes[..., 1] = pictures.flip(2), 1 - boxes[..., 1]
    if corner:
        pictures, boxes = pictures.transpose(2, 3), boxes[..., [1, 0, 3, 2]]
    return Pool(pictures, boxes, batch.labels, batch.present)
