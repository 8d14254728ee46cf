"""What every view of this page shares: its name in links, how parameters are read, the input.

Each view module holds its own parameters; their names in links must differ across views.
"""

from typing import Any, Final

from app import links
from app.seeing import SAMPLES

PAGE: Final = "vision"
MODEL = links.text("m", "vit-mini")
PICTURE = links.choice("picture", list(SAMPLES))
LAYER = links.number("layer", 0, 199, 0)
HEAD = links.number("head", 0, 199, 0)
TOKEN = links.number("token", 0, 9999, 0)  # prefix tokens first, then patches row by row
SHARED = (MODEL, PICTURE, LAYER, HEAD, TOKEN)


def get(param: links.Param) -> Any:
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
