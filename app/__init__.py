"""Glassformer's pages; and `show`, which draws their figures in a notebook."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.notebook import show

__all__ = ["show"]


def __getattr__(name: str) -> Any:
    """`show` brings the core with it, which a start's check of the settings does not need."""
    if name != "show":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from app.notebook import show

    return show
