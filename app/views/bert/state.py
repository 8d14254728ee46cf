"""What the BERT page remembers, in its session and in its link."""

from typing import Final

from app.ui import params as links
from core.explain.objectives.masked_lm import Rates

PAGE: Final = "bert"
VIEWS: Final = {
    "words": "Masked words",
    "layers": "Layer by layer",
    "input": "Input",
    "pretraining": "Pre-training",
    "next": "Next sentence",
    "context": "Words in context",
    "tuning": "Fine-tuning",
}
MOST_MASKS: Final = 12
MOST_SENTENCES: Final = 12
PASSAGE: Final = (
    "The lighthouse stands at the end of a long wooden pier. Every evening the keeper climbs the "
    "stairs and lights the lamp, and ships far out at sea turn towards the harbour."
)
MATCH: Final = (
    "The team won the match.",
    "He played his first match in 1994.",
    "She lit a match in the dark.",
    "He struck a match and lit his pipe.",
)
TASKS: Final = {
    "single": "Single sentence",
    "pair": "Sentence pair",
    "tagging": "Tagging",
    "answer": "Question answering",
}


def _parse_places(given: str) -> tuple[int, ...] | None:
    """ "4,6" → (4, 6); "" → (); None for anything else."""
    try:
        places = [int(part) for part in given.split(",") if part]
    except ValueError:
        return None
    return tuple(sorted(set(places))) if all(0 <= place < 512 for place in places) else None


def _write_places(places: tuple[int, ...]) -> str:
    return ",".join(map(str, places))


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


def _parse_cell(given: str) -> tuple[int, int] | None:
    try:
        row, column = (int(part) for part in given.split("."))
    except ValueError:
        return None
    return (row, column) if row >= 0 and column >= 0 else None


def _cell(name: str) -> links.Param:
    return links.Param(name, None, _parse_cell, lambda c: "" if c is None else f"{c[0]}.{c[1]}")


VIEW = links.choice("view", list(VIEWS))
MODEL = links.text("model", "bert-mini")
TEXT = links.text("text")  # without a default: a link always says which text its masks are in
PAIR = links.text("pair")
MASKS = links.Param("masks", (), _parse_places, _write_places)
FILLS = links.Param("fills", (), _parse_fills, _write_fills)
PIECES = links.flag("pieces")  # a click masks one piece, not the whole word
TOP = links.number("top", 3, 20, 6)
MASK = links.number("mask", 0, 511, 0)  # the mask whose heads or layers are shown
HEAD = _cell("head")  # (layer, head)
LENS_WORD = links.text("lens")
PART = links.choice("compare", ["sum", "token", "position", "segment", "output"])
DIMENSION = _cell("dim")  # (token, dimension)
PASSAGE_TEXT = links.text("passage", PASSAGE)
CHOSEN = links.number("chosen", 1, 60, 15)  # %
MASKED = links.number("masked", 0, 100, 80)  # % of the chosen
KEPT = links.number("kept", 0, 100, 10)
SEED = links.number("seed", 0, 9999, 1)
EPOCH = links.number("epoch", 1, 40, 1)
FIRST = links.text("first", "The man went to the store.")
SECOND = links.text("second", "He bought a gallon of milk.")
WORD = links.text("word", "match")
SENTENCES = links.text("sentences", "\n".join(MATCH))
LAYER = links.number("layer", 0, 100, 100)  # beyond the last: the last
COMPARED = _cell("words")  # two sentences
TASK = links.choice("task", list(TASKS))
LABELS = links.number("labels", 2, 100, 3)
QUESTION = links.text("question", "What does the keeper light?")
SPANS = links.choice("spans", ["given", "random"])
START = links.text("start", "0.2, 1.1, -0.5, 2.0, 1.6, -2.0")
END = links.text("end", "-1.0, 2.4, -0.3, -0.8, 2.1, 0.4")
HEAD_SEED = links.number("headseed", 0, 9999, 0)

PARAMS = (
    VIEW, MODEL, TEXT, PAIR, MASKS, FILLS, PIECES, TOP, MASK, HEAD, LENS_WORD, PART, DIMENSION,
    PASSAGE_TEXT, CHOSEN, MASKED, KEPT, SEED, EPOCH, FIRST, SECOND, WORD, SENTENCES, LAYER,
    COMPARED, TASK, LABELS, QUESTION, SPANS, START, END, HEAD_SEED,
)  # fmt: skip


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def keep(*params: links.Param) -> None:
    """Keep the values of widgets that this run of a fragment may not draw; call it first."""
    for param in params:
        put(param, get(param))


def rates() -> Rates:
    """The shares of the present draw; what is neither masked nor kept is random."""
    masked = get(MASKED) / 100
    kept = min(get(KEPT) / 100, 1 - masked)
    return Rates(get(CHOSEN) / 100, masked, kept, 1 - masked - kept)
