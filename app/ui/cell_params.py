"""Parameters that are places counted from 0, "3.1": a head in its layer, a query and a key."""

from collections.abc import Collection

from app.ui.param import Param
from app.ui.param_values import (
    Cell,
    read_cell,
    read_cells,
    span,
    write_cell,
    write_cells,
)


class OneCell(Param[Cell | None]):
    """One of them, or none."""

    def __init__(self, scope: str, name: str) -> None:
        form = "two whole numbers from 0, such as 3.1"
        super().__init__(scope, name, None, read_cell, write_cell, form)

    def among(self, there: Collection[Cell]) -> Cell | None:
        """The value; none where a link or another model had what is not there."""
        self.allow(span(there))
        if self.value is not None and self.value not in there:
            self.reset()
        return self.value


class Cells(Param[tuple[Cell, ...]]):
    """Several: "3.1,5.11"."""

    def __init__(self, scope: str, name: str) -> None:
        form = "pairs of whole numbers from 0, such as 3.1,5.11"
        super().__init__(scope, name, (), read_cells, write_cells, form)

    def among(self, there: Collection[Cell]) -> tuple[Cell, ...]:
        """Those of the value that there are; a link or another model may have had others."""
        self.allow(span(there))
        known = tuple(cell for cell in self.value if cell in there)
        if known != self.value:
            self.put(known)
        return known
