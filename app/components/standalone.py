"""Any figure as one offline HTML file: the same view.js on embedded data."""

from __future__ import annotations


def standalone_page(title: str, component: str, frame: bytes, caption: str) -> str:
    """An HTML page that mounts `component` ("head_view") on `frame`; no request leaves it."""
    raise NotImplementedError
