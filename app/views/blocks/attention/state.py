"""What the six parts of “Attention from scratch” remember, in the session and in the link."""

from typing import Final

from app.services import blocks
from app.ui import params
from app.views.blocks.matrices import Matrix, matrix
from core.blocks.iterated_attention import ARRANGEMENTS, STEPS

PARTS: Final = {
    "steps": "Step by step",
    "root": "Why √d_k",
    "scores": "Two kinds of score",
    "metric": "A real head's M",
    "entropy": "Why softmax",
    "limit": "Again and again",
}
Cells = tuple[tuple[int, int], ...]

QUERIES: Final[Matrix] = (
    (1, 0, 0, 1), (0, 2, 0, 0), (3, 0, 1, 0),
    (0, 0, 2, 1), (1, 1, 0, 0), (0, 1, 1, 2),
)  # fmt: skip
KEYS: Final[Matrix] = (
    (2, 0, 0, 1), (0, 2, 0, 0), (1, 0, 1, 0),
    (0, 0, 2, 0), (1, 0, 0, 1), (0, 1, 0, 1),
)  # fmt: skip
VALUES: Final[Matrix] = (
    (4, 0, 0, 1), (0, 4, 0, 0), (0, 0, 1, 0),
    (0, 0, 4, -1), (1, -1, 0, 0), (0, 0, 1, 2),
)  # fmt: skip


def _parse_cells(given: str) -> Cells | None:
    try:
        pairs = [entry.split(".") for entry in given.split(",")[:36]]
        cells = tuple((int(query), int(key)) for query, key in pairs)
    except ValueError:
        return None
    return cells if all(0 <= q < 6 and 0 <= k < 6 for q, k in cells) else None


def _write_cells(cells: Cells) -> str:
    return ",".join(f"{query}.{key}" for query, key in cells)


def _parse_width(given: str) -> int | None:
    return next((width for width in blocks.WIDTHS if str(width) == given), None)


PART = params.choice("part", list(PARTS))

WORDS = params.text("words", "animal street it tired")
D_K = params.number("d", 1, 6, 4)
Q = matrix("q", QUERIES)
K = matrix("k", KEYS)
V = matrix("v", VALUES)
TEMPERATURE = params.number("lambda", 0.05, 10.0, 1.0)
NO_ROOT = params.flag("noroot")
MASK = params.choice("mask", ["none", "causal", "chosen"])
HIDDEN = params.Param("hide", (), _parse_cells, _write_cells)
CELL = params.Param("at", ((2, 0),), _parse_cells, _write_cells)

WIDTH = params.Param("dk", 64, _parse_width)
N_KEYS = params.number("keys", 2, 64, 16)
SEED = params.number("seed", 0, 9999, 0)

HIDDEN_UNITS = params.number("units", 1, 256, 64)
KEY_LENGTH = params.number("length", 0.1, 10.0, 4.0)

LAYER = params.number("layer", 0, 99, 0)
HEAD = params.number("head", 0, 99, 0)

SCORES = tuple(
    params.number(f"s{number}", -5.0, 5.0, default)
    for number, default in ((1, 1.0), (2, 0.5), (3, -1.0))
)
STRENGTH = params.number("mix", 0.05, 5.0, 1.0)

START = params.choice("start", list(ARRANGEMENTS))
POINTS = params.number("points", 3, 120, 40)
COOLNESS = params.number("vlambda", 0.02, 4.0, 0.5)
START_SEED = params.number("vseed", 0, 9999, 0)
STEP = params.number("step", 0, STEPS, 0)

PARAMS = (
    PART, WORDS, D_K, Q, K, V, TEMPERATURE, NO_ROOT, MASK, HIDDEN, CELL, WIDTH, N_KEYS, SEED,
    HIDDEN_UNITS, KEY_LENGTH, LAYER, HEAD, *SCORES, STRENGTH, START, POINTS,
    COOLNESS, START_SEED, STEP,
)  # fmt: skip
