"""The Swin view's own state: model, block, head, patch; and one selection for several maps."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from app.components.mount import reported
from app.ui.page_params import Scope
from app.views.vision.state import PICTURE

MEAN: Final = -1  # the mean of all heads
MIDDLE: Final = -1  # a patch in a window's corner, near the picture's centre

HERE: Final = Scope("vision", "swin")
MODEL = HERE.text("model", "swin-mini")
BLOCK = HERE.whole("layer", 0, 199, 0)
HEAD = HERE.whole("head", MEAN, 199, MEAN)
PATCH = HERE.whole("patch", MIDDLE, 99_999, MIDDLE)  # on the first stage's grid
FLOW = HERE.flag("rollout")  # reach painted with it
PARAMS: Final = (MODEL, PICTURE, BLOCK, HEAD, PATCH, FLOW)
SEEN: Final = HERE.key("reports")


def newest_report(keys: Sequence[str]) -> tuple[str, int] | None:
    """Which of several maps the reader has just clicked, and which of its patches."""
    seen: dict[str, object] = st.session_state.setdefault(SEEN, {})
    found = None
    for key in keys:
        report = reported(key, "patch")
        given = dict(report) if isinstance(report, Mapping) else None
        if given is not None and given != seen.get(key):
            seen[key] = given
            patch = given.get("value")
            found = (key, patch) if type(patch) is int and patch >= 0 else found
    return found
