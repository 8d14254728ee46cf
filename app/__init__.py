"""Glassformer's pages; and `show`, which draws their figures in a notebook."""

from app.notebook import show

__all__ = ["show"]
