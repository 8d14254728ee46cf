"""This page's quiet row."""

from functools import partial

from app.ui import export_bar
from app.ui.export_bar import Table
from app.views.bert import state

__all__ = ["Table", "export_row", "link_row"]

export_row = partial(export_bar.export_row, state)
link_row = partial(export_bar.link_row, state)
