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
