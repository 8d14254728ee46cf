"""This page's quiet row."""

from functools import partial

from app import quiet_row
from app.quiet_row import Table
from app.views.bert import state

__all__ = ["Table", "export_row", "link_row"]

export_row = partial(quiet_row.export_row, state)
link_row = partial(quiet_row.link_row, state)
