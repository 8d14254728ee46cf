"""BertViz on the page: its own JavaScript on this trace, each view in its own frame."""

from app.inference import TextTrace
from app.views.attention.state import HeadId
from core.trace import AttentionKind


def bertviz_panel(traced: TextTrace, kind: AttentionKind, heads: tuple[HeadId, ...]) -> None:
    """Filled in with the BertViz module."""
