"""Colours with a meaning, and projector mode: the one place where they are defined."""

from __future__ import annotations


def apply(projector: bool) -> None:
    """Give the page and its components the project's CSS variables; call once a run."""
    raise NotImplementedError
