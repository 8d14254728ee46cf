"""The page's state in the address bar, and a quiet "Copy link" button."""

from __future__ import annotations

from collections.abc import Mapping


def permalink(params: Mapping[str, str], *, too_long: str | None = None, key: str = "permalink") -> None:
    """Write `params` into the URL (replacing the history entry) and offer to copy it.

    `too_long`: a sentence that says what the link leaves out, shown beside the button.
    """
    raise NotImplementedError
