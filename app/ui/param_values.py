"""How values of more than one number are written into links: "3.1", "3.1,5.11", "4,6"."""

from collections.abc import Collection, Sequence
from typing import Final, cast

MOST_NUMBERS: Final = 400  # read from one parameter of a link
Cell = tuple[int, int]


def read_cell(given: str) -> Cell | None:
    """ "3.1" → (3, 1); None for anything else."""
    try:
        row, column = (int(part) for part in given.split("."))
    except ValueError:
        return None
    return (row, column) if row >= 0 and column >= 0 else None


def write_cell(cell: Cell | None) -> str:
    return "" if cell is None else f"{cell[0]}.{cell[1]}"


def read_cells(given: str) -> tuple[Cell, ...] | None:
    """ "3.1,5.11" → ((3, 1), (5, 11)); None for anything else."""
    cells = tuple(map(read_cell, given.split(",")[:MOST_NUMBERS]))
    return None if None in cells else cast("tuple[Cell, ...]", cells)


def write_cells(cells: Sequence[Cell]) -> str:
    return ",".join(map(write_cell, cells))


def every_cell(counts: Sequence[int]) -> list[Cell]:
    """All of a table whose rows have so many: every head of layers."""
    return [(row, column) for row, count in enumerate(counts) for column in range(count)]


def span(cells: Collection[Cell]) -> str:
    """Which there are, in words: "0.0 to 5.11"."""
    return f"{write_cell(min(cells))} to {write_cell(max(cells))}" if cells else "none"


def read_numbers(given: str, below: int) -> tuple[int, ...] | None:
    """ "4,6" → (4, 6); "" → (); None for anything else."""
    try:
        numbers = tuple(int(part) for part in given.split(",")[:MOST_NUMBERS] if part)
    except ValueError:
        return None
    return numbers if all(0 <= number < below for number in numbers) else None


def write_numbers(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
