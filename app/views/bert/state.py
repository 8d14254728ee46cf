"""What the BERT page remembers, in its session and in its link."""

from typing import Final

from app.ui.head_names import Naming
from app.ui.param_values import read_numbers, write_numbers
from app.ui.params import Scope
from app.ui.silence import Silence
from core.explain.objectives.masked_lm import Rates

HERE: Final = Scope("bert")
MOST_MASKS: Final = 12
MOST_SENTENCES: Final = 12
PASSAGE: Final = (
    "The lighthouse stands at the end of a long wooden pier. Every evening the keeper climbs the "
    "stairs and lights the lamp, and ships far out at sea turn towards the harbour."
)
BOOK: Final = (
    "He wrote a book about birds.",
    "The book was published in 1905.",
    "We want to book a room in the hotel.",
    "You can book a table.",
)
TASKS: Final = {
    "single": "Single sentence",
    "pair": "Sentence pair",
    "tagging": "Tagging",
    "answer": "Question answering",
}


def _parse_places(given: str) -> tuple[int, ...] | None:
    """ "4,6" → (4, 6), in order, each once."""
    places = read_numbers(given, 512)
    return None if places is None else tuple(sorted(set(places)))


def _parse_fills(given: str) -> tuple[tuple[int, int], ...] | None:
    """ "4.2300" → ((4, 2300),); None for nonsense."""
    try:
        pairs = [part.split(".") for part in given.split(",") if part]
        fills = {int(place): int(token) for place, token in pairs}
    except ValueError:
        return None
    return tuple(sorted(fills.items())) if all(0 <= place < 512 for place in fills) else None


def _write_fills(fills: tuple[tuple[int, int], ...]) -> str:
    return ",".join(f"{place}.{token}" for place, token in fills)


MODEL: Final = HERE.text("model", "minilm-mlm")
TEXT: Final = HERE.text("text")  # without a default: a link always says which text its masks are in
PAIR: Final = HERE.text("pair")
MASKS: Final = HERE.custom("masks", (), _parse_places, write_numbers)
FILLS: Final = HERE.custom("fills", (), _parse_fills, _write_fills)
PIECES: Final = HERE.flag("pieces")  # a click masks one piece, not the whole word
TOP: Final = HERE.whole("top", 3, 20, 6)
FIRST_MASK: Final = -1
MASK: Final = HERE.whole("mask", FIRST_MASK, 511, FIRST_MASK)  # whose heads or layers are shown
PASSAGE_TEXT: Final = HERE.text("passage", PASSAGE)

MASKED_TEXT: Final = (MODEL, TEXT, PAIR, MASKS, FILLS, PIECES, TOP, MASK)

NAMES: Final = Naming.of(HERE, MODEL)
SILENCE: Final = Silence.of(
    Scope("bert", "words"), NAMES, other="Berlin is the capital of Germany."
)
HEAD: Final = HERE.cell("head")  # (layer, head)
LENS_WORD: Final = Scope("bert", "layers").text("word")

_INPUT: Final = Scope("bert", "input")
PART: Final = _INPUT.choice("compare", ["sum", "token", "position", "segment", "output"])
DIMENSION: Final = _INPUT.cell("cell")  # (token, dimension)

_DRAW: Final = Scope("bert", "pretraining")
CHOSEN: Final = _DRAW.whole("chosen", 1, 60, 15)  # %
MASKED: Final = _DRAW.whole("masked", 0, 100, 80)  # % of the chosen
KEPT: Final = _DRAW.whole("kept", 0, 100, 10)
SEED: Final = _DRAW.whole("seed", 0, 9999, 1)
EPOCH: Final = _DRAW.whole("epoch", 1, 40, 1)

_NEXT: Final = Scope("bert", "next")
NEXT_MODEL: Final = _NEXT.text("model", "bert-mini")  # the other one learned masked words alone
FIRST: Final = _NEXT.text("text", "The man went to the store.")
SECOND: Final = _NEXT.text("pair", "He bought a gallon of milk.")

_CONTEXT: Final = Scope("bert", "context")
WORD: Final = _CONTEXT.text("word", "book")
SENTENCES: Final = _CONTEXT.text("sentences", "\n".join(BOOK))
LAYER: Final = _CONTEXT.whole("layer", 0, 100, 100)  # a state; beyond the last: the last
COMPARED: Final = _CONTEXT.cell("cell")  # two sentences

_TUNING: Final = Scope("bert", "tuning")
TASK: Final = _TUNING.choice("task", TASKS)
LABELS: Final = _TUNING.whole("labels", 2, 100, 3)
QUESTION: Final = _TUNING.text("question", "What does the keeper light?")
SPANS: Final = _TUNING.choice(
    "scores",
    {"given": "scores that you write", "random": "a fresh, random head on this model"},
)
START: Final = _TUNING.text("start", "0.2, 1.1, -0.5, 2.0, 1.6, -2.0")
END: Final = _TUNING.text("end", "-1.0, 2.4, -0.3, -0.8, 2.1, 0.4")
HEAD_SEED: Final = _TUNING.whole("seed", 0, 9999, 0)


def rates() -> Rates:
    """The shares of the present draw; what is neither masked nor kept is random."""
    masked = MASKED.value / 100
    kept = min(KEPT.value / 100, 1 - masked)
    return Rates(CHOSEN.value / 100, masked, kept, 1 - masked - kept)
