"""What the attention page remembers, in its session and in its link."""

from dataclasses import dataclass

from app.components.head_view import Display
from app.services import engine
from app.ui import params
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


MODEL = params.text("model", engine.DEFAULT_MODEL)
TEXT = params.text("text", engine.DEFAULT_TEXT)
PAIR = params.text("pair")
TARGET = params.text("target")
KIND = params.choice("kind", [kind.value for kind in AttentionKind])
HEADS = params.Param("heads", (), parse_heads, write_heads)
MEAN = params.flag("mean")
LAYOUT = params.choice("layout", ["both", "lines", "heatmap"])
DIRECTION = params.choice("direction", ["from", "to"])
SCALE = params.choice("scale", ["linear", "sqrt", "log"])
SHARED = params.flag("shared")
THRESHOLD = params.number("min", 0.0, 1.0, 0.0)
TOP_K = params.number("top", 0, 20, 0)
HIDE_SPECIAL = params.flag("nospecial")
HIDE_PUNCTUATION = params.flag("nopunct")
RENORMALISE = params.flag("renorm")
WORDS = params.flag("words")
CELL = params.Param("cell", None, parse_cell, write_cell)  # (query, key), as tokens
PIN = params.number("pin", -1, 511, -1)
FRONT = params.number("front", 0, MOST_OVERLAID - 1, 0)  # which overlaid map the heatmap shows
BERTVIZ = params.choice("bertviz", ["off", "head", "model", "neuron"])

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


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
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
