"""What every view of this page shares: its name in links, and how its parameters are read.

Each view module holds its own parameters; their names in links must differ across views.
"""

from typing import Final

from app.ui import params

PAGE: Final = "blocks"
MODEL: Final = params.text("model", "bert-mini")
TEXT: Final = params.text("text", "The animal didn't cross the street because it was too tired.")


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
