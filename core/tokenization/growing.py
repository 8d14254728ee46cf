"""An array that grows at its end, at a constant cost for each element."""

from typing import Any

import numpy as np
import numpy.typing as npt


class GrowingArray:
    """Numbers in a buffer that doubles; `view` is the filled part and may be written to."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._buffer = np.zeros(1024, dtype=dtype)
        self._size = 0
        self.view = self._buffer[:0]

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Add values at the end; views taken before stay as they are, but may be old."""
        size = self._size + len(values)
        if size > len(self._buffer):
            grown = np.zeros(max(size, 2 * len(self._buffer)), dtype=self._buffer.dtype)
            grown[: self._size] = self._buffer[: self._size]
            self._buffer = grown
        self._buffer[self._size : size] = values
        self._size = size
        self.view = self._buffer[:size]

    def __len__(self) -> int:
        return self._size

    def frozen(self) -> npt.NDArray[Any]:
        """A read-only copy of what came in."""
        copy = self.view.copy()
        copy.flags.writeable = False
        return copy
