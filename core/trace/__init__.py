"""What a forward pass leaves behind, as immutable values, and the glossary of their axes."""

from core.trace.attention_layer import (
    MASKED,
    ROW_SUM_TOLERANCE,
    AttentionKind,
    AttentionLayer,
    read_only,
    softmax,
)
from core.trace.encoding import Encoding, PatchGrid
from core.trace.sink import SINK, has_sink, refuse_sink, whole_rows, with_sink
from core.trace.trace import Trace

__all__ = [
    "MASKED",
    "ROW_SUM_TOLERANCE",
    "SINK",
    "AttentionKind",
    "AttentionLayer",
    "Encoding",
    "PatchGrid",
    "Trace",
    "has_sink",
    "read_only",
    "refuse_sink",
    "softmax",
    "whole_rows",
    "with_sink",
]
