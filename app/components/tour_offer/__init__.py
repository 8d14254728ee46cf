"""A tour, offered to who opens the app for the first time. The browser alone keeps that it was."""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicked_value, clicks

_mount: Final = register("tour_offer")
NAME: Final = "tour-offer"


def tour_offer() -> None:
    """Over the page's lower edge, once a browser; it moves nothing."""
    _mount(key=NAME, data=pack({"clicks": clicks(NAME, "tour")}, {}))


def taken() -> bool:
    """Whether the reader said yes just now."""
    return clicked_value(NAME, lambda given: True if given is True else None) is not None
