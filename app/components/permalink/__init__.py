"""The page's state in the address bar, and a quiet "Copy link" button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("permalink")


def permalink(
    params: Mapping[str, str], *, too_long: str | None = None, key: str = "permalink"
) -> None:
    """Write `params` into the URL (replacing the history entry) and offer to copy it.

    `too_long`: a sentence that says what the link leaves out, shown beside the button.
    """
    header = {"params": list(params.items()), "too_long": too_long or ""}
    _mount(key=key, data=pack(header, {}))
