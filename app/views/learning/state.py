"""What the page about trainings remembers, in its session and in its link."""

from typing import Any, Final

from app import links
from app.moment_slider import END

PAGE: Final = "learning"
DEFAULT: Final = "bert-mini"


def _parse_head(given: str) -> tuple[int, int] | None:
    try:
        layer, head = (int(part) for part in given.split("."))
    except ValueError:
        return None
    return (layer, head) if layer >= 0 and head >= 0 else None


MODEL = links.text("model", DEFAULT)
MAPS = links.text("maps")  # which of the kept maps; empty: the model's first
MOMENT = links.number("at", END, 999, END)
HEAD = links.Param("head", None, _parse_head, lambda head: f"{head[0]}.{head[1]}")
PARAMS: Final = (MODEL, MAPS, MOMENT, HEAD)


def get(param: links.Param) -> Any:
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
