"""What the Transformer page remembers, in its session and in its link."""

from typing import Final

from app.services import translator
from app.ui import params

PAGE: Final = "transformer"
VIEWS: Final = {
    "decode": "Decode",
    "beams": "Beam search",
    "machine": "The machine",
    "heads": "Multi-head attention",
    "alignment": "Alignment",
    "forcing": "Teacher forcing",
}
NORMALISATIONS: Final = {"length": "|Y|^α", "wu": "((5 + |Y|) / 6)^α"}
MOST_PREFIX: Final = 200  # token ids in a link
LARGEST_MARGIN: Final = 20.0  # nats


def _parse_ids(given: str) -> tuple[int, ...] | None:
    """ "12,7" → (12, 7); None for nonsense."""
    try:
        ids = tuple(int(part) for part in given.split(",") if part)
    except ValueError:
        return None
    return ids[:MOST_PREFIX] if all(0 <= one < 2**24 for one in ids) else None


def _write_ids(ids: tuple[int, ...]) -> str:
    return ",".join(map(str, ids))


VIEW = params.choice("view", list(VIEWS))
MODEL = params.text("model", translator.EMBEDDED)
TEXT = params.text("text", "The cat is sleeping on the sofa because it is tired.")
PREFIX = params.Param("said", (), _parse_ids, _write_ids)  # tokens that the reader chose
LAYER = params.number("layer", -1, 99, -1)  # −1: all
HEAD = params.number("head", -1, 255, -1)  # −1: the mean
STEP = params.number("step", 0, 511, 0)
BEAMS = params.number("beams", 1, translator.MOST_BEAMS, 4)
ALPHA = params.number("alpha", -translator.LARGEST_PENALTY, translator.LARGEST_PENALTY, 0.6)
NORMALISATION = params.choice("norm", list(NORMALISATIONS))
WORD_MARGIN = params.number("wordmargin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
HYPOTHESIS_MARGIN = params.number("margin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
PRUNED = params.choice("pruned", ["shown", "hidden"])
DEPTH = params.number("depth", 0, 511, 511)  # tokens that the tree shows; 511: all
NODE = params.number("node", -1, 20_000, -1)
PART = params.text("part", "")
KIND = params.choice("kind", ["encoder", "decoder", "cross"])
WHICH = params.number("block", 0, 99, 0)  # the layer of Figure 1 and of multi-head attention
ONE_HEAD = params.number("onehead", 0, 255, 0)
CELL = params.Param(
    "cell",
    None,
    lambda given: ids if (ids := _parse_ids(given)) and len(ids) == 2 else None,
    lambda cell: _write_ids(cell or ()),
)
SPECIAL = params.choice("special", ["shown", "hidden"])
TARGET = params.text("target", "Die Katze schläft auf dem Sofa, weil sie müde ist.")
SMOOTHING = params.number("smoothing", 0.0, 0.9, 0.1)
AT = params.number("at", 0, 511, 0)  # the target position whose candidates are shown

PARAMS = (
    VIEW, MODEL, TEXT, PREFIX, LAYER, HEAD, STEP, BEAMS, ALPHA, NORMALISATION, WORD_MARGIN,
    HYPOTHESIS_MARGIN, PRUNED, DEPTH, NODE, PART, KIND, WHICH, ONE_HEAD, CELL, SPECIAL, TARGET,
    SMOOTHING, AT,
)  # fmt: skip


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def asked(*, own_target: bool = False) -> translator.Asked:
    """What the reader wants translated, greedily or (own_target) as the reader has it."""
    model, text = get(MODEL), get(TEXT)
    if own_target:
        return translator.Asked(model, text, target=get(TARGET), smoothing=get(SMOOTHING))
    return translator.Asked(model, text, prefix=get(PREFIX))


def search() -> translator.SearchChoice:
    """How the reader wants the search."""
    return translator.SearchChoice(
        beams=get(BEAMS),
        length_penalty=get(ALPHA),
        normalisation=get(NORMALISATION),
        word_margin=get(WORD_MARGIN) or None,
        hypothesis_margin=get(HYPOTHESIS_MARGIN) or None,
    )
