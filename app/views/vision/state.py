"""What every view of this page shares: its name in links, how parameters are read, the input.

Each view module holds its own parameters; their names in links must differ across views.
"""

from typing import Any, Final

from app.services.vision import SAMPLES
from app.ui import params

PAGE: Final = "vision"
MODEL = params.text("m", "vit-mini")
PICTURE = params.choice("picture", list(SAMPLES))
LAYER = params.number("layer", 0, 199, 0)
HEAD = params.number("head", 0, 199, 0)
TOKEN = params.number("token", 0, 9999, 0)  # prefix tokens first, then patches row by row
SHARED = (MODEL, PICTURE, LAYER, HEAD, TOKEN)


def get(param: params.Param) -> Any:
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
