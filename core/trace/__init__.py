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
from core.trace.trace import Trace

__all__ = [
    "MASKED",
    "ROW_SUM_TOLERANCE",
    "AttentionKind",
    "AttentionLayer",
    "Encoding",
    "PatchGrid",
    "Trace",
    "read_only",
    "softmax",
]
