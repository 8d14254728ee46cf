"""Generated pictures of coloured shapes whose boxes are known exactly: one seed, one scene.

A shape is drawn from its outline's points, and its box is the outline's extent, so the truth is
no annotator's guess. Boxes are (centre x, centre y, width, height) as shares of the picture, as
in DETR (Carion et al. 2020, https://arxiv.org/abs/2005.12872). The scene can be drawn at any size.
"""

import colorsys
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, Int64, UInt8
from PIL import Image, ImageDraw

from core.errors import InputError

SHAPES: Final = ("circle", "square", "triangle", "star")
MOST_OBJECTS = 4
SMALLEST, LARGEST = 0.09, 0.21  # radius of the circle around a shape, as a share of the side
GAP = 0.02  # between two shapes' circles, as a share of the side
ATTEMPTS = 60  # to place a shape; one that finds no room is left out
LARGEST_SEED = 2**31 - 1
SMOOTHING = 4  # drawn so many times larger, then averaged down
CIRCLE_POINTS = 96
WAVES = 5  # of the background's texture


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One object: its outline as shares of the picture, and its colour."""

    label: int  # of SHAPES
    outline: Float32[np.ndarray, "point 2"]  # x, y
    colour: tuple[int, int, int]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Centre x, centre y, width, height."""
        low, high = self.outline.min(axis=0), self.outline.max(axis=0)
        centre, size = (low + high) / 2, high - low
        return float(centre[0]), float(centre[1]), float(size[0]), float(size[1])


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One to four shapes that don't overlap, on a textured ground."""

    seed: int
    shapes: tuple[Shape, ...]

    @property
    def boxes(self) -> Float32[np.ndarray, "object 4"]:
        return np.array([shape.box for shape in self.shapes], dtype=np.float32)

    @property
    def labels(self) -> Int64[np.ndarray, " object"]:
        return np.array([shape.label for shape in self.shapes], dtype=np.int64)

    def draw(self, side: int) -> UInt8[np.ndarray, "side side 3"]:
        """The picture, so many pixels a side, edges smooth."""
        large = side * SMOOTHING
        picture = Image.fromarray(_ground(self.seed, side)).resize((large, large))
        pen = ImageDraw.Draw(picture)
        for shape in self.shapes:
            pen.polygon([(x * large, y * large) for x, y in shape.outline.tolist()], shape.colour)
        return np.asarray(picture.reduce(SMOOTHING))


def make_scene(seed: int) -> Scene:
    """The scene of this seed, always the same. Raises InputError for a seed out of range."""
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"The seed is {seed}; give a whole number from 0 to {LARGEST_SEED}.")
    chance = np.random.default_rng(seed)
    placed: list[tuple[float, float, float]] = []
    shapes: list[Shape] = []
    for _ in range(int(chance.integers(1, MOST_OBJECTS + 1))):
        radius = float(chance.uniform(SMALLEST, LARGEST))
        place = _free_place(chance, radius, placed)
        if place is None:
            continue
        placed.append((*place, radius))
        label = int(chance.integers(len(SHAPES)))
        outline = _outline(SHAPES[label], float(chance.uniform(0, 2 * math.pi)))
        shapes.append(
            Shape(label, (outline * radius + np.array(place)).astype(np.float32), _vivid(chance))
        )
    return Scene(seed, tuple(shapes))


def _free_place(
    chance: np.random.Generator, radius: float, placed: list[tuple[float, float, float]]
) -> tuple[float, float] | None:
    for _ in range(ATTEMPTS):
        x, y = chance.uniform(radius, 1 - radius, 2).tolist()
        if all(math.hypot(x - a, y - b) > radius + r + GAP for a, b, r in placed):
            return x, y
    return None


def _outline(shape: str, turn: float) -> Float32[np.ndarray, "point 2"]:
    """Points on or in the unit circle; turned by so many radians."""
    points = {"circle": CIRCLE_POINTS, "square": 4, "triangle": 3, "star": 10}[shape]
    angles = turn + np.arange(points) * 2 * math.pi / points
    reach = np.where(np.arange(points) % 2 == 1, 0.42, 1.0) if shape == "star" else np.ones(points)
    return np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1).astype(np.float32)


def _vivid(chance: np.random.Generator) -> tuple[int, int, int]:
    """A saturated colour, light or dark."""
    colour = colorsys.hsv_to_rgb(
        float(chance.random()), float(chance.uniform(0.75, 1.0)), float(chance.uniform(0.65, 1.0))
    )
    red, green, blue = (round(255 * value) for value in colour)
    return red, green, blue


def _ground(seed: int, side: int) -> UInt8[np.ndarray, "side side 3"]:
    """Two pale colours mixed by a few waves: the same texture at any size."""
    chance = np.random.default_rng((seed, 1))
    places = (np.arange(side, dtype=np.float32) + 0.5) / side
    x, y = np.meshgrid(places, places)
    mixed = np.zeros((side, side), dtype=np.float32)
    for frequency in chance.uniform(1.0, 7.0, WAVES):
        direction, phase = chance.uniform(0, 2 * math.pi, 2)
        along = math.cos(direction) * x + math.sin(direction) * y
        mixed += np.sin(2 * math.pi * frequency * along + phase, dtype=np.float32)
    share = (0.5 + mixed / (2 * WAVES))[..., None]
    one, other = (
        np.array(colorsys.hsv_to_rgb(*chance.uniform((0, 0.02, 0.62), (1, 0.18, 0.95)).tolist()))
        for _ in range(2)
    )
    return np.round(255 * (share * one + (1 - share) * other)).astype(np.uint8)
