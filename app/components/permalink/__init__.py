"""The page's state in the address bar, and quiet buttons: "Copy link", "Copy iframe"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicks

_mount: Final = register("permalink")


@dataclass(frozen=True, slots=True)
class Entry:
    """The history entry that a frame belongs to."""

    step: int = 0  # above the browser's own, it makes a new entry; else it replaces what is there
    stay: int = 0  # the reader's visit to the page: what was asked before it counts no more
    heard: int = 0  # the last of this stay's Backs that the frame knows of


def permalink(
    params: Mapping[str, str],
    entry: Entry,
    *,
    too_long: str | None = None,
    oembed: str = "",
    framed: bool = False,
    key: str = "permalink",
) -> None:
    """Write `params` into the URL and offer to copy it.

    The reader's Back to an entry of this page is a click: {"step": its number, "search": its
    query, "count": how many there were}. Until a frame has heard of it, none is written: one that
    was made before would end the entries that Forward goes to.
    `too_long`: a sentence that says what the link leaves out, shown beside the button.
    `oembed`: where “Copy iframe” asks for one. `framed`: the page stands in one itself, where the
    way to the app takes the buttons' place.
    """
    header = {"params": list(params.items()), "too_long": too_long or "", **asdict(entry)}
    header |= {"oembed": oembed, "framed": framed}
    _mount(key=key, data=pack(header | {"clicks": clicks(key, "Back")}, {}))
