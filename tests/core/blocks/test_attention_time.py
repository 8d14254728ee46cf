"""The measurement runs, counts what it says, and its slope is a slope."""

import json
import sys

import numpy as np
import pytest

from core.blocks import attention_time
from core.blocks.attention_time import default_lengths, fitted_exponent, measure, measure_apart


def test_a_power_law_gives_its_exponent_back():
    n = np.array([64.0, 1024.0, 2048.0, 4096.0])
    seconds = 3e-9 * n**1.7
    seconds[0] = 1.0  # below the fitted range
    assert fitted_exponent(n, seconds) == pytest.approx((1.7, 3e-9))


def test_one_length_has_no_slope():
    with pytest.raises(ValueError, match="two lengths of at least 1024"):
        fitted_exponent(np.array([64.0, 1024.0]), np.ones(2))


def test_the_lengths_are_whole_and_grow_by_the_root_of_two():
    lengths = default_lengths("cpu")
    assert lengths[0] == 64
    assert lengths[-1] == 4096
    assert lengths[2::2] == tuple(2 * length for length in lengths[:-2:2])


def test_a_short_measurement_in_this_process():
    shares: list[float] = []
    times = measure(shares.append, lengths=(32, 512))
    assert shares == [0.5, 1.0]
    assert times.lengths.tolist() == [32, 512]
    for series in (times.explicit, times.fused, times.feed_forward):
        assert 0 < series[0] < series[1]
    assert times.machine


def test_the_times_of_another_process_come_back_whole(monkeypatch: pytest.MonkeyPatch, tmp_path):
    series = {name: [1.0, 2.0] for name in attention_time.SERIES}
    said = [{"share": 0.5}, series | {"machine": "a machine", "device": "cpu"}]
    script = tmp_path / "stand_in.py"
    script.write_text(f"print({chr(10).join(map(json.dumps, said))!r})")
    monkeypatch.setattr(attention_time, "COMMAND", (sys.executable, str(script)))
    shares: list[float] = []
    times = measure_apart(shares.append)
    assert shares == [0.5]
    assert times.fused.tolist() == [1, 2]
    assert (times.machine, times.device) == ("a machine", "cpu")


def test_a_process_that_dies_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attention_time, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.raises(RuntimeError, match="ended with 3 and no times"):
        measure_apart([].append)


def test_the_last_faster_length_decides():
    lengths, slow = np.array([1.0, 2, 3, 4, 5]), np.full(5, 1.0)
    times = attention_time.AttentionTimes(lengths, slow, slow, slow, "here", "cpu")
    assert times.slower_from(np.array([0.5, 2, 0.5, 2, 2])) == 4
    assert times.slower_from(np.array([2.0] * 5)) == 1
    assert times.slower_from(np.array([2, 2, 2, 2, 0.5])) is None
