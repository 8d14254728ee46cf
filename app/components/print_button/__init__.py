"""Prints the page, once the figures in its frames are drawn."""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("print_button")


def print_button() -> None:
    """The button, and how many figures are ready."""
    _mount(key="print-button", data=pack({}, {}))
