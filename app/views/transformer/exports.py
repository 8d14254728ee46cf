"""This page's quiet row."""

from functools import partial

from app.ui import export_bar
from app.ui.export_bar import Table
from app.views.transformer import state

__all__ = ["Table", "export_row"]

export_row = partial(export_bar.export_row, state)
