"""One byte frame for a component's data: metadata as JSON, arrays as raw bytes.

    u32, little-endian: length of the header
    header: JSON in UTF-8; "arrays" lists name, dtype, shape and byte offset, and "crc"
            is the arrays' checksum: equal headers mean equal frames
    payload: one zlib stream with the arrays' bytes, each aligned to 8 bytes; what was packed
            lately (a picture) is not deflated again

`unpack` in components/data.js is the other side. Streamlit hands a component raw
bytes only as its whole data, which is why metadata and arrays share one string.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np

ALIGNMENT: Final = 8  # bytes: what a Float64Array view asks of its offset
KEPT: Final = range(4096, 2**20)  # bytes: pictures, which many readers look at
SMALL: Final = 1024  # bytes: fewer take longer to deflate than to send
STREAM: Final = b"\x78\x01"  # what a zlib stream begins with
NOTHING_MORE: Final = b"\x03\x00"  # a last block, empty
DTYPES: Final = ("uint8", "int32", "float32")  # what data.js can view


def pack(
    header: Mapping[str, object], arrays: Mapping[str, np.ndarray], *, level: int = 6
) -> bytes:
    """Pack `header` (plain JSON values and dataclasses of them) and `arrays` into one frame.

    `level` is zlib's: 6 for codes, 1 for float32, which hardly compress.
    """
    described: list[dict[str, object]] = []
    payload = bytearray()
    pieces: list[tuple[bytes, bool]] = []
    for name, array in arrays.items():
        if array.dtype.name not in DTYPES:
            raise ValueError(
                f"array {name!r} is {array.dtype.name}; a frame carries {', '.join(DTYPES)}"
            )
        padding = bytes(-len(payload) % ALIGNMENT)
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        pieces += (padding, False), (data, array.dtype == np.uint8 and len(data) in KEPT)
        payload += padding
        described.append(
            {"name": name, "dtype": array.dtype.name, "shape": array.shape, "offset": len(payload)}
        )
        payload += data
    # allow_nan=False: NaN and Infinity are no JSON, and the browser would refuse them.
    described_header = {**header, "arrays": described, "crc": zlib.crc32(payload)}
    text = json.dumps(described_header, allow_nan=False, separators=(",", ":"), default=_by_name)
    encoded = text.encode()
    return struct.pack("<I", len(encoded)) + encoded + _compressed(payload, pieces, level)


def _compressed(payload: bytearray, pieces: Sequence[tuple[bytes, bool]], level: int) -> bytes:
    """One zlib stream (RFC 1950): its header, deflated pieces, the end and the checksum of all.

    A piece that is marked is kept as deflated.
    """
    deflated: list[bytes] = []
    for kept, run in groupby(pieces, itemgetter(1)):
        if kept:
            deflated += (_deflated_once(piece, level) for piece, _ in run)
        elif joined := b"".join(piece for piece, _ in run):
            deflated.append(_stored(joined) if len(joined) < SMALL else _deflated(joined, level))
    return b"".join([STREAM, *deflated, NOTHING_MORE, struct.pack(">I", zlib.adler32(payload))])


def _stored(piece: bytes) -> bytes:
    """One block as it is (RFC 1951, 3.2.4)."""
    return struct.pack("<BHH", 0, len(piece), len(piece) ^ 0xFFFF) + piece


def _deflated(piece: bytes, level: int) -> bytes:
    """Blocks that stand for themselves, and end at a byte's end."""
    deflate = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflate.compress(piece) + deflate.flush(zlib.Z_FULL_FLUSH)


_deflated_once = lru_cache(maxsize=64)(_deflated)


def _by_name(record: Any) -> dict[str, Any]:
    """A dataclass's fields, as they are: `asdict` would copy what is written out at once."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def unpack(frame: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a frame, as the browser reads them."""
    (length,) = struct.unpack_from("<I", frame)
    header: dict[str, Any] = json.loads(frame[4 : 4 + length])
    del header["crc"]
    payload = zlib.decompress(frame[4 + length :])
    arrays = {
        entry["name"]: np.frombuffer(
            payload, entry["dtype"], count=math.prod(entry["shape"]), offset=entry["offset"]
        ).reshape(entry["shape"])
        for entry in header.pop("arrays")
    }
    return header, arrays
