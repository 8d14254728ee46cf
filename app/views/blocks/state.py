"""What every view of this page shares: its name in links, and how its parameters are read.

Each view module holds its own parameters; their names in links must differ across views.
"""

from typing import Final

from app import links

PAGE: Final = "blocks"
MODEL: Final = links.text("model", "bert-mini")
TEXT: Final = links.text("text", "The animal didn't cross the street because it was too tired.")


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"
