"""The set loss: match predictions to objects, then score the pairs.

Carion et al. 2020, equations 1 and 2 and section 4, https://arxiv.org/abs/2005.12872.
`core.explain.objectives.hungarian_matching` says the same of one scene, number by number; a test
compares the two.
"""

import torch
from jaxtyping import Bool, Float, Int
from scipy.optimize import linear_sum_assignment
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.explain.objectives.hungarian_matching import GIOU_WEIGHT, L1_WEIGHT, NO_OBJECT_WEIGHT
from core.models.vision.detr_network import Detections


def set_loss(
    found: Detections,
    boxes: Float[Tensor, "batch object 4"],
    labels: Int[Tensor, "batch object"],
    present: Bool[Tensor, "batch object"],
) -> Float[Tensor, ""]:
    """Sum over the decoder layers, each matched by itself; empty places of `boxes` don't count."""
    layers, batch, slots, classes = found.logits.shape
    with torch.no_grad():
        costs = matching_costs(found, boxes, labels).masked_fill(~present[None, :, None, :], 0.0)
        chosen = assign(costs, present)  # (layer, batch, object): a slot, or 0 where nothing is
    chosen = chosen.to(boxes.device)
    targets = torch.full((layers, batch, slots), classes - 1, device=boxes.device)
    layer, row, thing = present.expand(layers, -1, -1).nonzero(as_tuple=True)
    slot = chosen[layer, row, thing]
    targets[layer, row, slot] = labels[row, thing]
    weights = torch.ones(classes, device=boxes.device)
    weights[-1] = NO_OBJECT_WEIGHT
    named = cross_entropy(found.logits.flatten(0, 2), targets.flatten(), weight=weights)
    predicted, true = found.boxes[layer, row, slot], boxes[row, thing]
    apart = (predicted - true).abs().sum(-1)
    outside = 1 - generalised_iou(predicted, true)
    objects = max(1, int(present.sum()))
    return layers * named + (L1_WEIGHT * apart + GIOU_WEIGHT * outside).sum() / objects


def matching_costs(
    found: Detections, boxes: Float[Tensor, "batch object 4"], labels: Int[Tensor, "batch object"]
) -> Float[Tensor, "layer batch slot object"]:
    """−p(class) + 5·L1 + 2·(1 − GIoU) of every slot with every object."""
    probabilities = found.logits.softmax(-1)
    index = labels[None, :, None, :].expand(*probabilities.shape[:3], -1)
    named = -probabilities.gather(-1, index)
    predicted, true = found.boxes[..., :, None, :], boxes[None, :, None]
    apart = (predicted - true).abs().sum(-1)
    return named + L1_WEIGHT * apart + GIOU_WEIGHT * (1 - generalised_iou(predicted, true))


def assign(
    costs: Float[Tensor, "layer batch slot object"], present: Bool[Tensor, "batch object"]
) -> Int[Tensor, "layer batch object"]:
    """The cheapest slot for every object, no slot twice. Objects come first in `present`."""
    table = costs.cpu().numpy()
    counts = present.sum(-1).tolist()
    chosen = torch.zeros(costs.shape[0], costs.shape[1], costs.shape[3], dtype=torch.long)
    for layer in range(costs.shape[0]):
        for row, count in enumerate(counts):
            slots, things = linear_sum_assignment(table[layer, row, :, :count])
            chosen[layer, row, torch.from_numpy(things)] = torch.from_numpy(slots)
    return chosen


def generalised_iou(
    one: Float[Tensor, "*#pairs 4"], other: Float[Tensor, "*#pairs 4"]
) -> Float[Tensor, "*pairs"]:
    """Rezatofighi et al. 2019, algorithm 1, https://arxiv.org/abs/1902.09630."""
    low, high = one[..., :2] - one[..., 2:] / 2, one[..., :2] + one[..., 2:] / 2
    low_2, high_2 = other[..., :2] - other[..., 2:] / 2, other[..., :2] + other[..., 2:] / 2
    shared = (torch.minimum(high, high_2) - torch.maximum(low, low_2)).clamp(min=0).prod(-1)
    union = (high - low).prod(-1) + (high_2 - low_2).prod(-1) - shared
    around = (torch.maximum(high, high_2) - torch.minimum(low, low_2)).prod(-1)
    return shared / union - (around - union) / around
