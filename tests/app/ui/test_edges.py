"""Edges as a reader or a link names them."""

import pytest

from app.services.silencing import Heads
from app.ui.silence.edges import MOST, read_edges
from core.errors import InputError
from core.trace import AttentionKind


def test_not_more_than_can_be_blocked_at_once():
    heads = Heads(AttentionKind.ENCODER, 40, MOST // 40)
    assert len(read_edges("*.*.4.6", heads)) == MOST
    assert len(read_edges("*.*.4.6 0.0.4.6", heads)) == MOST  # each once
    with pytest.raises(InputError, match=f"{MOST + 1} edges are more than the {MOST}"):
        read_edges("*.*.4.6, 0.0.1.1", heads)


@pytest.mark.parametrize("place", range(4))
def test_a_number_of_thousands_of_digits_is_no_edge(place: int):
    parts = ["0"] * 4
    parts[place] = "9" * 5000
    with pytest.raises(InputError, match="is no edge of this model"):
        read_edges(".".join(parts), Heads(AttentionKind.ENCODER, 2, 2))
