"""What values of many arrays share: none of them can be written to, all of them are counted."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from core.trace import read_only


class ReadOnlyArrays:
    """A base of frozen dataclasses with slots."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, array in self._arrays():
            object.__setattr__(self, name, read_only(array))

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays that are fields."""
        return sum(array.nbytes for _, array in self._arrays())

    def _arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        values: Any = self
        for field in fields(values):
            value: Any = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                yield field.name, value
