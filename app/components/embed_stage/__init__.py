"""A page in another's frame: the answer and the figure alone, as large as the frame allows."""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.style.theme import EMBEDDED

_mount: Final = register("embed_stage")


def embed_stage(*, controls: bool) -> None:
    """Draws nothing; once a run, before the page. controls: what a reader can change stays too."""
    _mount(key=f"{EMBEDDED}-controls" if controls else EMBEDDED, data=pack({}, {}))
