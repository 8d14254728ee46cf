"""A frame must give back exactly what went in: numbers are printed from it."""

import json
import struct
import zlib

import numpy as np
import pytest

from app.components.frame import pack, unpack


def test_arrays_and_header_come_back_bit_for_bit():
    weights = np.array([[0.1, 1e-38, 0.0], [np.pi, -2.5, 1.0]], dtype=np.float32)
    codes = np.arange(7, dtype=np.uint8)
    header, arrays = unpack(
        pack({"tokens": ["Ġit", "</script>", "🦊"]}, {"codes": codes, "weights": weights})
    )
    assert header == {"tokens": ["Ġit", "</script>", "🦊"]}
    np.testing.assert_array_equal(arrays["codes"], codes)
    assert arrays["weights"].tobytes() == weights.tobytes()


def test_layout_is_the_documented_one():
    frame = pack({"a": 1}, {"first": np.zeros(3, np.uint8), "second": np.ones(2, np.float32)})
    (length,) = struct.unpack("<I", frame[:4])
    header = json.loads(frame[4 : 4 + length])
    assert [entry["offset"] for entry in header["arrays"]] == [0, 8]  # aligned to 8 bytes
    assert zlib.decompress(frame[4 + length :])[8:] == np.ones(2, "<f4").tobytes()


def test_array_that_is_not_contiguous_is_packed_in_row_order():
    transposed = np.arange(6, dtype=np.int32).reshape(2, 3).T
    np.testing.assert_array_equal(unpack(pack({}, {"x": transposed}))[1]["x"], transposed)


def test_empty_array_survives():
    assert unpack(pack({}, {"x": np.zeros((0, 4), np.float32)}))[1]["x"].shape == (0, 4)


def test_other_dtypes_are_refused_by_name():
    with pytest.raises(ValueError, match="'x' is float64; a frame carries uint8, int32, float32"):
        pack({}, {"x": np.zeros(1)})


def test_nan_in_the_header_is_refused():
    with pytest.raises(ValueError, match="Out of range float values"):
        pack({"scale": float("nan")}, {})


@pytest.mark.parametrize("level", [1, 4, 6])
@pytest.mark.parametrize(
    "sizes", [(), (0,), (5,), (50_000,), (50_000, 3), (3, 50_000, 0, 7, 60_000, 60_001), (300_000,)]
)
def test_one_zlib_stream_whatever_was_deflated_before(sizes: tuple[int, ...], level: int):
    """Pieces that are kept, small ones between them, and one too large to be kept."""
    generator = np.random.default_rng(3)
    arrays = {str(at): generator.integers(0, 9, size, np.uint8) for at, size in enumerate(sizes)}
    first, again = (pack({}, arrays, level=level) for _ in range(2))
    assert first == again
    (length,) = struct.unpack("<I", first[:4])
    stream = zlib.decompressobj()
    payload = stream.decompress(first[4 + length :])  # raises where the checksum is wrong
    assert stream.eof
    assert not stream.unused_data
    assert len(payload) == sum(sizes) + _padding(sizes)
    for name, array in arrays.items():
        np.testing.assert_array_equal(unpack(first)[1][name], array)


def _padding(sizes: tuple[int, ...]) -> int:
    """Bytes that align each array to 8."""
    at = padded = 0
    for size in sizes:
        padded += -at % 8
        at += -at % 8 + size
    return padded


def test_a_picture_is_deflated_once(monkeypatch: pytest.MonkeyPatch):
    picture = np.random.default_rng(4).integers(0, 255, (64, 64, 3), np.uint8)
    made: list[int] = []
    deflate = zlib.compressobj
    monkeypatch.setattr(zlib, "compressobj", lambda *how: made.append(1) or deflate(*how))
    for value in range(3):
        pack({}, {"picture": picture, "values": np.full(4, value, np.float32)})
    assert len(made) == 1  # so few values stay as they are
