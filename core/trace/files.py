"""A trace as a file."""

from pathlib import Path
from typing import Final

from core.trace.archive import Archive
from core.trace.attention_layer import AttentionKind, AttentionLayer
from core.trace.encoding import Encoding, PatchGrid
from core.trace.residual_stream import Block, Part, Sublayer
from core.trace.trace import Trace
from core.trace.windows import WindowPartition, Windows

CLASSES: Final = (
    *(Trace, AttentionLayer, AttentionKind, Encoding, PatchGrid),
    *(Block, Sublayer, Part, Windows, WindowPartition),
)
TRACES: Final = Archive("trace", "Trace.save", CLASSES)


def save_trace(trace: Trace, path: Path) -> None:
    """Exactly this file name."""
    TRACES.save(trace, path, {"model": trace.model_id})


def open_trace(path: Path) -> Trace:
    """Raises InputError for a file that is missing, cut off, of a later format, or made up."""
    trace, _ = TRACES.open(path)
    if not isinstance(trace, Trace):
        raise TRACES.refusal(path, f"a {type(trace).__name__}")
    return trace
