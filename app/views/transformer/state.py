"""What the Transformer page remembers, in its session and in its link."""

from typing import Final

from app import links, translating

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


VIEW = links.choice("view", list(VIEWS))
MODEL = links.text("model", translating.EMBEDDED)
TEXT = links.text("text", "The cat is sleeping on the sofa because it is tired.")
PREFIX = links.Param("said", (), _parse_ids, _write_ids)  # tokens that the reader chose
LAYER = links.number("layer", -1, 99, -1)  # −1: all
HEAD = links.number("head", -1, 255, -1)  # −1: the mean
STEP = links.number("step", 0, 511, 0)
BEAMS = links.number("beams", 1, translating.MOST_BEAMS, 4)
ALPHA = links.number("alpha", -translating.LARGEST_PENALTY, translating.LARGEST_PENALTY, 0.6)
NORMALISATION = links.choice("norm", list(NORMALISATIONS))
WORD_MARGIN = links.number("wordmargin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
HYPOTHESIS_MARGIN = links.number("margin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
PRUNED = links.choice("pruned", ["shown", "hidden"])
DEPTH = links.number("depth", 0, 511, 511)  # tokens that the tree shows; 511: all
NODE = links.number("node", -1, 20_000, -1)
PART = links.text("part", "")
KIND = links.choice("kind", ["encoder", "decoder", "cross"])
WHICH = links.number("block", 0, 99, 0)  # the layer of Figure 1 and of multi-head attention
ONE_HEAD = links.number("onehead", 0, 255, 0)
CELL = links.Param(
    "cell",
    None,
    lambda given: ids if (ids := _parse_ids(given)) and len(ids) == 2 else None,
    lambda cell: _write_ids(cell or ()),
)
SPECIAL = links.choice("special", ["shown", "hidden"])
TARGET = links.text("target", "Die Katze schläft auf dem Sofa, weil sie müde ist.")
SMOOTHING = links.number("smoothing", 0.0, 0.9, 0.1)
AT = links.number("at", 0, 511, 0)  # the target position whose candidates are shown

PARAMS = (
    VIEW, MODEL, TEXT, PREFIX, LAYER, HEAD, STEP, BEAMS, ALPHA, NORMALISATION, WORD_MARGIN,
    HYPOTHESIS_MARGIN, PRUNED, DEPTH, NODE, PART, KIND, WHICH, ONE_HEAD, CELL, SPECIAL, TARGET,
    SMOOTHING, AT,
)  # fmt: skip


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def asked(*, own_target: bool = False) -> translating.Asked:
    """What the reader wants translated, greedily or (own_target) as the reader has it."""
    model, text = get(MODEL), get(TEXT)
    if own_target:
        return translating.Asked(model, text, target=get(TARGET), smoothing=get(SMOOTHING))
    return translating.Asked(model, text, prefix=get(PREFIX))


def search() -> translating.SearchChoice:
    """How the reader wants the search."""
    return translating.SearchChoice(
        beams=get(BEAMS),
        length_penalty=get(ALPHA),
        normalisation=get(NORMALISATION),
        word_margin=get(WORD_MARGIN) or None,
        hypothesis_margin=get(HYPOTHESIS_MARGIN) or None,
    )
