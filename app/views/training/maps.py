"""The maps that trainings keep, as films: of heads on a sentence, on a picture, of offsets."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Final

import numpy as np

from app.components.head_film import HeadFilm
from app.services import training_history, vision
from app.ui import progress
from app.views.training.words import moment_line, moment_name
from core.catalog import Family, ModelCard
from core.data.snapshots import Course, Moments
from core.errors import InputError

CLASS_ATTENTION: Final = "class_attention"
BIAS: Final = "relative_position_bias"
NAMES: Final[Mapping[str, str]] = {
    "attention": "Self-attention",
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention",
    "cross": "Cross-attention",
    CLASS_ATTENTION: "Where the class token looks",
    BIAS: "Relative position bias",
}


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One kind of maps of one model, ready to be drawn."""

    name: str  # one of NAMES
    film: HeadFilm
    steps: np.ndarray  # int (moment,)
    special: np.ndarray | None  # bool (key,): the tokens that stand for no word; None: no tokens
    causal: bool

    @property
    def nbytes(self) -> int:
        return self.film.nbytes

    @property
    def is_attention(self) -> bool:
        """Whether rows sum to one: queries and keys are tokens."""
        return self.special is not None

    def of_head(self, head: tuple[int, int]) -> np.ndarray:
        """(moment, row, column) of one head."""
        return self.film.values[:, sum(self.film.heads[: head[0]]) + head[1]]


def names(card: ModelCard) -> list[str]:
    """Which maps the model kept. Raises InputError if the file is broken."""
    return [name for name in NAMES if training_history.moments(card, name) is not None]


def kept(card: ModelCard, name: str, course: Course, units: Mapping[str, str]) -> Kept | None:
    """The maps of one name, made once; None where the model's heads can't be told apart.

    Raises InputError if the file is broken or does not name the tokens.
    """
    training = training_history.moments(card, name)
    if training is None:
        return None
    heads = _heads(card, name, training)
    if heads is None:
        return None
    return training_history.derived(
        card, ("film", name, heads), lambda: _made(card, name, heads, training, course, units)
    )


def _made(
    card: ModelCard,
    name: str,
    heads: tuple[int, ...],
    training: Moments,
    course: Course,
    units: Mapping[str, str],
) -> Kept:
    values = training.values.reshape(len(training.steps), sum(heads), *_shape(name, training))
    rows, columns, titles = _labels(name, course, values.shape[-2:])
    if (len(rows), len(columns)) != values.shape[-2:]:
        raise InputError(
            f"{card.title} kept maps of {values.shape[-2:]} tokens, but names {len(rows)} and "
            f"{len(columns)} of them in its snapshots: ship it again with its recipe."
        )
    figures = course.metrics.values
    film = HeadFilm(
        values=values,
        heads=heads,
        moments=tuple(map(moment_name, training.steps)),
        lines=tuple(moment_line(course.metric_names, row, units) for row in figures),
        rows=rows,
        columns=columns,
        row_title=titles[0],
        column_title=titles[1],
        label=f"{NAMES[name]} of {card.title} through its training",
        caption=f"{card.title}, {NAMES[name].lower()}, {_subject(course)}",
        scale="diverging" if name == BIAS else "sqrt",
        hue=_hue(card, name),
        picture=training_history.picture(course.texts.get("picture", ("",))[0])
        if name == CLASS_ATTENTION
        else None,
    )
    special = np.array([_is_special(t) for t in columns]) if titles[0] == "query" else None
    return Kept(name, film, training.steps, special, causal=_hue(card, name) == "decoder")


def _heads(card: ModelCard, name: str, training: Moments) -> tuple[int, ...] | None:
    """Heads by layer: an axis of the array; Swin's stages have different numbers."""
    if name != BIAS:
        layers, heads = training.values.shape[1:3]
        return (heads,) * layers
    biases = progress.outcome(vision.relative_biases(card.id), card.id)
    if biases is None:
        return None
    heads = tuple(len(bias) for bias in biases)
    return heads if sum(heads) == training.values.shape[1] else None


def _shape(name: str, training: Moments) -> tuple[int, int]:
    """(rows, columns) of one map; patches in their places."""
    if name != CLASS_ATTENTION:
        return training.values.shape[-2], training.values.shape[-1]
    n_patches = training.values.shape[-1]
    side = isqrt(n_patches)
    return (side, side) if side * side == n_patches else (1, n_patches)


def _labels(
    name: str, course: Course, shape: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, str]]:
    """Names of rows and of columns, and what both are."""
    tokens = course.texts.get("tokens", ())
    targets = course.texts.get("target_tokens", ())
    if name in ("attention", "encoder"):
        return tokens, tokens, ("query", "key")
    if name == "decoder":
        return targets, targets, ("query", "key")
    if name == "cross":
        return targets, tokens, ("query", "key")
    rows, columns = shape
    if name == CLASS_ATTENTION:
        return _numbers(1, rows), _numbers(1, columns), ("row", "column")
    return _numbers(-(rows // 2), rows), _numbers(-(columns // 2), columns), ("down", "right")


def _numbers(first: int, count: int) -> tuple[str, ...]:
    return tuple(str(n).replace("-", "−") for n in range(first, first + count))


def _hue(card: ModelCard, name: str) -> str:
    if name in ("decoder", "cross"):
        return name
    return "decoder" if card.family == Family.TEXT_DECODER else "encoder"


def _subject(course: Course) -> str:
    """What the maps are of: “The old dog …”, or a picture's name."""
    said = [course.texts[name][0] for name in ("sentence", "target") if name in course.texts]
    return " → ".join(f"“{text}”" for text in said) or course.texts.get("picture", ("",))[0]


def _is_special(token: str) -> bool:
    return token.startswith(("[CLS", "[SEP", "<"))
