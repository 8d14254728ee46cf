"""DETR in small: a few convolutions, a Transformer, one box and one class for every object query.

Carion et al. 2020, "End-to-End Object Detection with Transformers", section 3.2 and appendix A,
https://arxiv.org/abs/2005.12872. As there, positions are added to the queries and keys of every
attention layer, and each decoder layer's output is read by the same heads. Otherwise than there:
layer norms come first, and every object query learns a reference point, its first guess of a centre
(Meng et al. 2021, "Conditional DETR", https://arxiv.org/abs/2108.06152), which saves most steps.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

TEMPERATURE = 20.0  # of the positions' wavelengths: a coarse grid needs no long ones
LEAST = 1e-4  # from the logarithm's end


@dataclass(frozen=True, slots=True)
class Detections:
    """What every decoder layer says; the last class is “no object”."""

    logits: Float[Tensor, "layer batch slot class"]
    boxes: Float[Tensor, "layer batch slot 4"]  # centre x, centre y, width, height, in 0..1


class Attention(nn.Module):
    """Multi-head attention whose positions go into queries and keys alone."""

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.to_query = nn.Linear(d_model, d_model)
        self.to_key = nn.Linear(d_model, d_model)
        self.to_value = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(
        self,
        queries: Float[Tensor, "batch query d_model"],
        keys: Float[Tensor, "batch key d_model"],
        values: Float[Tensor, "batch key d_model"],
    ) -> Float[Tensor, "batch query d_model"]:
        attended = scaled_dot_product_attention(
            self._split(self.to_query(queries)),
            self._split(self.to_key(keys)),
            self._split(self.to_value(values)),
        )
        return self.out(attended.transpose(1, 2).flatten(2))

    def _split(self, projected: Tensor) -> Tensor:
        batch, positions, _ = projected.shape
        return projected.view(batch, positions, self.heads, -1).transpose(1, 2)


class FeedForward(nn.Sequential):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class EncoderLayer(nn.Module):
    """Every place of the picture looks at every other."""

    def __init__(self, d_model: int, heads: int, d_ff: int) -> None:
        super().__init__()
        self.self_attention = Attention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))

    def forward(
        self, tokens: Float[Tensor, "batch token d_model"], places: Float[Tensor, "token d_model"]
    ) -> Float[Tensor, "batch token d_model"]:
        normed = self.norms[0](tokens)
        placed = normed + places
        tokens = tokens + self.self_attention(placed, placed, normed)
        return tokens + self.feed_forward(self.norms[1](tokens))


class DecoderLayer(nn.Module):
    """The object queries look at one another, then at the picture."""

    def __init__(self, d_model: int, heads: int, d_ff: int) -> None:
        super().__init__()
        self.self_attention = Attention(d_model, heads)
        self.cross_attention = Attention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))

    def forward(
        self,
        slots: Float[Tensor, "batch slot d_model"],
        slot_places: Float[Tensor, "slot d_model"],
        memory: Float[Tensor, "batch token d_model"],
        places: Float[Tensor, "token d_model"],
    ) -> Float[Tensor, "batch slot d_model"]:
        normed = self.norms[0](slots)
        placed = normed + slot_places
        slots = slots + self.self_attention(placed, placed, normed)
        asking = self.norms[1](slots) + slot_places
        slots = slots + self.cross_attention(asking, memory + places, memory)
        return slots + self.feed_forward(self.norms[2](slots))


class DetrNetwork(nn.Module):
    """Pictures in, `slots` boxes with class logits out, from every decoder layer."""

    places: Tensor

    def __init__(
        self,
        *,
        classes: int,
        picture_size: int,
        widths: Sequence[int],
        d_model: int,
        heads: int,
        d_ff: int,
        encoder_layers: int,
        decoder_layers: int,
        slots: int,
    ) -> None:
        super().__init__()
        self.picture_size = picture_size
        self.rows = picture_size // 2 ** len(widths)
        self.backbone = backbone(widths)
        self.project = nn.Conv2d(widths[-1], d_model, 1)
        self.encoder = nn.ModuleList(
            EncoderLayer(d_model, heads, d_ff) for _ in range(encoder_layers)
        )
        self.memory_norm = nn.LayerNorm(d_model)
        self.decoder = nn.ModuleList(
            DecoderLayer(d_model, heads, d_ff) for _ in range(decoder_layers)
        )
        self.slot_norm = nn.LayerNorm(d_model)
        self.slot_content = nn.Parameter(torch.randn(slots, d_model) * 0.02)
        self.reference = nn.Parameter(spread_points(slots))  # before the sigmoid
        self.to_class = nn.Linear(d_model, classes + 1)
        self.to_box = nn.Sequential(
            nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, d_model), nn.ReLU()
        )
        self.to_size = nn.Linear(d_model, 4)
        nn.init.zeros_(self.to_size.weight)
        nn.init.zeros_(self.to_size.bias)
        self.d_model, self.heads = d_model, heads
        centres = (torch.arange(self.rows) + 0.5) / self.rows
        y, x = torch.meshgrid(centres, centres, indexing="ij")
        points = torch.stack([x, y], dim=-1).reshape(-1, 2)
        self.register_buffer("places", sine_places(points, d_model), persistent=False)

    @property
    def device(self) -> torch.device:
        return self.reference.device

    def prepared(
        self, pictures: UInt8[Tensor, "batch 3 height width"]
    ) -> Float[Tensor, "batch 3 height width"]:
        """What the network reads of a picture."""
        return normalised(pictures)

    def forward(self, pixels: Float[Tensor, "batch 3 height width"]) -> Detections:
        tokens = self.project(self.backbone(pixels)).flatten(2).transpose(1, 2)
        for layer in self.encoder:
            tokens = layer(tokens, self.places)
        memory = self.memory_norm(tokens)
        slot_places = sine_places(self.reference.sigmoid(), self.d_model)
        slots = self.slot_content.expand(len(pixels), -1, -1)
        outputs: list[Tensor] = []
        for layer in self.decoder:
            slots = layer(slots, slot_places, memory, self.places)
            outputs.append(slots)
        read = self.slot_norm(torch.stack(outputs))
        offset = self.to_size(self.to_box(read)).float()
        first = torch.cat([self.reference, torch.full_like(self.reference, -1.2)], dim=-1)
        return Detections(self.to_class(read).float(), (offset + first).sigmoid())


def normalised(
    pictures: UInt8[Tensor, "batch 3 height width"],
) -> Float[Tensor, "batch 3 height width"]:
    """Colours from −1 to 1."""
    return pictures.float() / 127.5 - 1


def backbone(widths: Sequence[int]) -> nn.Sequential:
    """Each stage halves the picture, then looks once more."""
    layers: list[nn.Module] = []
    before = 3
    for width in widths:
        for given, stride in ((before, 2), (width, 1)):
            layers += [
                nn.Conv2d(given, width, 3, stride=stride, padding=1, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ]
        before = width
    return nn.Sequential(*layers)


def sine_places(points: Float[Tensor, "point 2"], d_model: int) -> Float[Tensor, "point d_model"]:
    """Sinusoids of x in the first half of the features, of y in the second: appendix A.4."""
    steps = torch.arange(d_model // 4, device=points.device, dtype=torch.float32)
    frequencies = 2 * math.pi * 4 / TEMPERATURE ** (steps / (d_model // 4))
    angles = points[..., None] * frequencies  # (point, 2, step)
    return torch.cat([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def spread_points(slots: int) -> Float[Tensor, "slot 2"]:
    """Starting points over the picture, before the sigmoid: a Halton sequence, bases 2 and 3."""
    points = torch.tensor([[_halton(i, 2), _halton(i, 3)] for i in range(1, slots + 1)])
    points = points.clamp(LEAST, 1 - LEAST)
    return (points / (1 - points)).log()


def _halton(index: int, base: int) -> float:
    share, value = 1.0, 0.0
    while index:
        share /= base
        value += share * (index % base)
        index //= base
    return value
