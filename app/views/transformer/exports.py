"""This page's quiet row."""

from functools import partial

from app import quiet_row
from app.quiet_row import Table
from app.views.transformer import state

__all__ = ["Table", "export_row"]

export_row = partial(quiet_row.export_row, state)
