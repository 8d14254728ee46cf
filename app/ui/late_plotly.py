"""Plotly's `go`, imported with the first chart: no first screen needs it, a start would wait."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go
else:

    class _Late:
        def __getattr__(self, name: str) -> Any:
            import_module("pandas")  # plotly would use it half imported by another reader's table
            return getattr(import_module("plotly.graph_objects"), name)

    go = _Late()

__all__ = ["go"]
