"""Heads as text: layer.head, whole layers with a star, nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.heads_line import read_heads, write_heads
from core.errors import InputError

COUNTS = (4, 1, 3)
HEADS = [(layer, head) for layer, count in enumerate(COUNTS) for head in range(count)]


def test_heads_and_whole_layers():
    assert read_heads(" 2.1,0.3  2.1", COUNTS) == ((2, 1), (0, 3))
    assert read_heads("2.*, 0.3", COUNTS) == ((2, 0), (2, 1), (2, 2), (0, 3))
    assert read_heads("", COUNTS) == ()


@pytest.mark.parametrize(
    "wrong",
    ["7", "0", "3.0", "1.1", "*", "3.*", "-1.0", "0.1.2", "a", "0.**", "9" * 5000 + ".*"],
)
def test_what_is_no_head_says_how_heads_are_named(wrong: str):
    with pytest.raises(InputError, match=r"Heads are named layer\.head, from 0: 0\.0 to 2\.2"):
        read_heads(f"0.1, {wrong}", COUNTS)


@given(st.lists(st.sampled_from(HEADS), unique=True))
def test_what_is_written_is_read_again(heads: list[tuple[int, int]]):
    assert set(read_heads(write_heads(heads, COUNTS), COUNTS)) == set(heads)
