"""What the attention page remembers, in its session and in its link."""

from dataclasses import dataclass

from app import inference, links
from app.components.head_view import Display
from core.trace import AttentionKind

PAGE = "attention"
HeadId = tuple[int, int]  # (layer, head), counted from 0
MOST_HEADS = 400  # read from a link
MOST_OVERLAID = 16  # heads drawn over each other


def parse_heads(given: str) -> tuple[HeadId, ...] | None:
    """ "3.1,5.11" → ((3, 1), (5, 11)); None for anything else."""
    try:
        pairs = [entry.split(".") for entry in given.split(",")[:MOST_HEADS]]
        return tuple((abs(int(layer)), abs(int(head))) for layer, head in pairs)
    except ValueError:
        return None


def write_heads(heads: tuple[HeadId, ...]) -> str:
    return ",".join(f"{layer}.{head}" for layer, head in heads)


def parse_cell(given: str) -> tuple[int, int] | None:
    heads = parse_heads(given)
    return heads[0] if heads else None


def write_cell(cell: tuple[int, int] | None) -> str:
    return "" if cell is None else write_heads((cell,))


MODEL = links.text("model", inference.DEFAULT_MODEL)
TEXT = links.text("text", inference.DEFAULT_TEXT)
PAIR = links.text("pair")
TARGET = links.text("target")
KIND = links.choice("kind", [kind.value for kind in AttentionKind])
HEADS = links.Param("heads", (), parse_heads, write_heads)
MEAN = links.flag("mean")
LAYOUT = links.choice("layout", ["both", "lines", "heatmap"])
DIRECTION = links.choice("direction", ["from", "to"])
SCALE = links.choice("scale", ["linear", "sqrt", "log"])
SHARED = links.flag("shared")
THRESHOLD = links.number("min", 0.0, 1.0, 0.0)
TOP_K = links.number("top", 0, 20, 0)
HIDE_SPECIAL = links.flag("nospecial")
HIDE_PUNCTUATION = links.flag("nopunct")
RENORMALISE = links.flag("renorm")
WORDS = links.flag("words")
CELL = links.Param("cell", None, parse_cell, write_cell)  # (query, key), as tokens
PIN = links.number("pin", -1, 511, -1)
FRONT = links.number("front", 0, MOST_OVERLAID - 1, 0)  # which overlaid map the heatmap shows
BERTVIZ = links.choice("bertviz", ["off", "head", "model", "neuron"])

PARAMS = (
    MODEL,
    TEXT,
    PAIR,
    TARGET,
    KIND,
    HEADS,
    MEAN,
    LAYOUT,
    DIRECTION,
    SCALE,
    SHARED,
    THRESHOLD,
    TOP_K,
    HIDE_SPECIAL,
    HIDE_PUNCTUATION,
    RENORMALISE,
    WORDS,
    CELL,
    PIN,
    FRONT,
    BERTVIZ,
)


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


@dataclass(frozen=True)
class Reduction:
    """Which tokens are left out, and whether pieces are merged to words."""

    words: bool
    without_special: bool
    without_punctuation: bool
    renormalise: bool


def reduction() -> Reduction:
    return Reduction(get(WORDS), get(HIDE_SPECIAL), get(HIDE_PUNCTUATION), get(RENORMALISE))


def display(largest_weight: float) -> Display:
    """How the maps are drawn; `largest_weight` tops the shared colour scale."""
    return Display(
        layout=get(LAYOUT),
        direction=get(DIRECTION),
        scale=get(SCALE),
        maximum=largest_weight if get(SHARED) else None,
        threshold=get(THRESHOLD),
        top_k=get(TOP_K) or None,
    )
