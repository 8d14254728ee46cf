"""One byte frame for a component's data: metadata as JSON, arrays as raw bytes.

u32 little-endian length of the header · header (JSON, UTF-8) · zlib stream of
the arrays' bytes. The header's "arrays" says name, dtype, shape and offset.
`unpack` in components/draw.js is the other side.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def pack(header: Mapping[str, object], arrays: Mapping[str, np.ndarray], *, level: int = 6) -> bytes:
    """Pack `header` (plain JSON values) and `arrays` into one frame."""
    raise NotImplementedError


def unpack(frame: bytes) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    """The header and the arrays of a frame."""
    raise NotImplementedError
