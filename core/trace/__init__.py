"""What a forward pass leaves behind, as immutable values, and the glossary of their axes."""

from core.trace.trace import (
    MASKED,
    ROW_SUM_TOLERANCE,
    AttentionKind,
    AttentionLayer,
    Encoding,
    PatchGrid,
    Trace,
    read_only,
    softmax,
)

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
