"""The page's state in the address bar, and a quiet "Copy link" button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicks

_mount: Final = register("permalink")


def permalink(
    params: Mapping[str, str], *, step: int = 0, too_long: str | None = None, key: str = "permalink"
) -> None:
    """Write `params` into the URL and offer to copy it.

    A `step` above the history entry's own makes a new entry; any other replaces what the entry
    says. The reader's Back to an entry of this page is a click: {"step": its number, "search": its
    query}.
    `too_long`: a sentence that says what the link leaves out, shown beside the button.
    """
    header = {"params": list(params.items()), "step": step, "too_long": too_long or ""}
    _mount(key=key, data=pack(header | {"clicks": clicks(key, "Back")}, {}))
