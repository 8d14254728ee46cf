"""What the attention page remembers, in its session and in its link."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from app.components.head_view import Display
from app.content.examples import ATTENTION
from app.services import models
from app.services.shown_maps import Reduction
from app.ui.head_names import Naming, OverTheirs
from app.ui.params import Param, Scope
from app.ui.silence import Silence
from core.trace import AttentionKind

HERE: Final = Scope("attention")
MOST_OVERLAID: Final = 16  # heads drawn over each other
KIND_TITLES: Final = {
    AttentionKind.ENCODER: "encoder self-attention",
    AttentionKind.DECODER: "decoder self-attention",
    AttentionKind.CROSS: "cross-attention",
}

LAYOUTS: Final[Mapping[Literal["both", "lines", "heatmap"], str]] = {
    "both": "lines and heatmap",
    "lines": "lines",
    "heatmap": "heatmap",
}
DIRECTIONS: Final[Mapping[Literal["from", "to"], str]] = {
    "from": "from: query → key",
    "to": "to: key → query",
}
BETWEENS: Final[Mapping[Literal["all", "AA", "AB", "BA", "BB"], str]] = {
    "all": "all",
    "AA": "A → A",
    "AB": "A → B",
    "BA": "B → A",
    "BB": "B → B",
}
SEGMENTS: Final = {"all": None, "AA": (0, 0), "AB": (0, 1), "BA": (1, 0), "BB": (1, 1)}
SCALES: Final[Sequence[Literal["linear", "sqrt", "log"]]] = ("linear", "sqrt", "log")

MODEL: Final = HERE.text("model", models.DEFAULT)
TEXT: Final = HERE.text("text", ATTENTION[0].text)
PAIR: Final = HERE.text("pair")
TARGET: Final = HERE.text("target")
KIND: Final = HERE.choice("kind", [kind.value for kind in AttentionKind])
HEADS: Final = HERE.cells("heads")
MEAN: Final = HERE.flag("mean")
LAYOUT: Final = HERE.choice("layout", LAYOUTS)
DIRECTION: Final = HERE.choice("direction", DIRECTIONS)
SCALE: Final = HERE.choice("scale", SCALES)
SHARED: Final = HERE.flag("shared")
THRESHOLD: Final = HERE.real("min", 0.0, 1.0, 0.0)
TOP_K: Final = HERE.whole("top", 0, 20, 0)
HIDE_SPECIAL: Final = HERE.flag("nospecial")
HIDE_PUNCTUATION: Final = HERE.flag("nopunct")
RENORMALISE: Final = HERE.flag("renorm")
WORDS: Final = HERE.flag("words")
BETWEEN: Final = HERE.choice("between", BETWEENS)  # of a pair of sentences
CELL: Final = HERE.cell("cell")  # (query, key), as tokens
PIN: Final = HERE.whole("pin", -1, 512, -1)  # a token, or the sink after 512
FRONT: Final = HERE.whole("front", 0, MOST_OVERLAID - 1, 0)  # the overlaid map of the heatmap
OWN: Final = OverTheirs(HERE, MODEL)
NAMES: Final = Naming.of(HERE, MODEL, OWN)
SILENCE: Final = Silence.of(
    HERE, NAMES, other="The animal didn't cross the street because it was too wide."
)
PREDICTED: Final = HERE.whole("predicted", -1, 512, -1)  # a token; −1: the usual one
BERTVIZ: Final = HERE.choice(
    "bertviz",
    {"off": "off", "head": "head view", "model": "model view", "neuron": "neuron view"},
)

PARAMS: Final[tuple[Param[Any], ...]] = (
    *(MODEL, TEXT, PAIR, TARGET, KIND, HEADS, MEAN, LAYOUT, DIRECTION, SCALE, SHARED, THRESHOLD),
    *(TOP_K, HIDE_SPECIAL, HIDE_PUNCTUATION, RENORMALISE, WORDS, BETWEEN, CELL, PIN, FRONT),
    *(BERTVIZ, PREDICTED, *SILENCE.params),
)


def reduction(*, pair: bool) -> Reduction:
    """pair: the text is two sentences."""
    return Reduction(
        WORDS.value,
        HIDE_SPECIAL.value,
        HIDE_PUNCTUATION.value,
        RENORMALISE.value,
        SEGMENTS[BETWEEN.value] if pair else None,
    )


def display(largest_weight: float) -> Display:
    """How the maps are drawn; `largest_weight` tops the shared colour scale."""
    return Display(
        layout=LAYOUT.value,
        direction=DIRECTION.value,
        scale=SCALE.value,
        maximum=largest_weight if SHARED.value else None,
        threshold=THRESHOLD.value,
        top_k=TOP_K.value or None,
    )
