"""The prediction whose target is smoothed: BERT mini's at a mask, or the reader's logits."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services import encoder, engine
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.input_line import input_line, quoted
from app.ui.params import Scope
from app.ui.progress import outcome
from core.blocks.label_smoothing import LARGEST_LOGIT
from core.errors import InputError

MODEL: Final = "bert-mini"
MASK: Final = "[MASK]"
MOST_LOGITS: Final = 40

HERE: Final = Scope("blocks", "optimisation.smoothing")
SOURCE: Final = HERE.choice(
    "source", {"bert": "BERT mini's answer", "logits": "logits of your own"}
)
SHARE: Final = HERE.real("share", 0.0, 1.0, 0.1)
TEXT: Final = HERE.text("text", "paris is the capital of [MASK] .")
RIGHT: Final = HERE.text("word", "france")
LOGITS: Final = HERE.text("logits", "4, 2.5, 1, 0, -1")
RIGHT_CLASS: Final = HERE.whole("class", 0, MOST_LOGITS - 1, 0)
PARAMS: Final = (SOURCE, SHARE, TEXT, RIGHT, LOGITS, RIGHT_CLASS)
EXAMPLES: Final = {
    "Paris": (TEXT.at(TEXT.default), RIGHT.at(RIGHT.default)),
    "the store": (TEXT.at("the man went to the [MASK] to buy milk ."), RIGHT.at("store")),
    "the river": (TEXT.at("the [MASK] flows into the sea ."), RIGHT.at("river")),
}


@dataclass(frozen=True, eq=False)
class Case:
    """One prediction: its logits, what its classes are called, which one is right."""

    logits: np.ndarray  # (class,), float64
    names: tuple[str, ...]
    right: int


def choose_case() -> Case | None:
    """The controls and what they choose. Raises InputError for what can't be used."""
    own = SOURCE.value == "logits"
    said = (
        (LOGITS.value, f"class {RIGHT_CLASS.value}") if own else (quoted(TEXT.value), RIGHT.value)
    )
    with input_line(*said):
        SOURCE.segmented("A prediction")
        if own:
            LOGITS.line("Logits, separated by commas", max_chars=600)
            RIGHT_CLASS.number_input("Right class, from 0")
        else:
            TEXT.line(f"A sentence with one {MASK}", max_chars=500)
            RIGHT.line("The right word", max_chars=40)
            preset_chips(EXAMPLES, key=HERE.key("example"), label="Examples")
    with controls():
        SHARE.slider("ε, the share that is spread", step=0.01, width=300)
    if own:
        return _typed(LOGITS.value, RIGHT_CLASS.value)
    return _predicted(TEXT.value, RIGHT.value)


def _typed(text: str, place: int) -> Case:
    try:
        logits = np.array([float(part) for part in text.split(",") if part.strip()])
    except ValueError:
        raise InputError(
            f"“{text}” is no list of numbers. Write them like 4, 2.5, −1 with a hyphen for minus."
        ) from None
    if not 2 <= len(logits) <= MOST_LOGITS:
        raise InputError(f"{len(logits)} logits came; 2 to {MOST_LOGITS} are allowed.")
    if not (np.abs(logits) <= LARGEST_LOGIT).all():  # a NaN is not, either
        raise InputError(f"Each logit lies between −{LARGEST_LOGIT:,.0f} and {LARGEST_LOGIT:,.0f}.")
    if place >= len(logits):
        raise InputError(
            f"The right class is {place}, but the {len(logits)} classes count from 0 to "
            f"{len(logits) - 1}."
        )
    return Case(logits, tuple(f"class {number}" for number in range(len(logits))), place)


def _predicted(text: str, word: str) -> Case | None:
    """BERT mini's logits at the mask. Raises InputError for a text or word that can't be used."""
    names = outcome(encoder.vocabulary(MODEL), MODEL)
    _, asked = engine.request_trace(MODEL, text)
    trace = outcome(asked, MODEL)
    if names is None or trace is None:
        return None
    masks = [place for place, token in enumerate(trace.tokens) if token == MASK]
    if len(masks) != 1:
        raise InputError(
            f"The sentence has {len(masks)} {MASK}; this figure needs exactly one. Put it where "
            "the right word is missing."
        )
    token = word.strip().lower()
    if token not in names:
        raise InputError(
            f"“{word.strip()}” is not one token of BERT mini's {len(names):,}. Take a more common "
            "word, without spaces."
        )
    if trace.logits is None:
        raise ValueError("BERT mini has a masked-LM head")
    return Case(trace.logits[masks[0]].astype(np.float64), names, names.index(token))
