"""What the page about trainings remembers, in its session and in its link."""

from typing import Any, Final

from app.ui import params
from app.ui.snapshot_slider import END

PAGE: Final = "learning"
DEFAULT: Final = "bert-mini"


def _parse_head(given: str) -> tuple[int, int] | None:
    try:
        layer, head = (int(part) for part in given.split("."))
    except ValueError:
        return None
    return (layer, head) if layer >= 0 and head >= 0 else None


MODEL = params.text("model", DEFAULT)
MAPS = params.text("maps")  # which of the kept maps; empty: the model's first
MOMENT = params.number("at", END, 999, END)
HEAD = params.Param("head", None, _parse_head, lambda head: f"{head[0]}.{head[1]}")
PARAMS: Final = (MODEL, MAPS, MOMENT, HEAD)


def get(param: params.Param) -> Any:
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
