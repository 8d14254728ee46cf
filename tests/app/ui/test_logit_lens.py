"""One numbering of layers for every lens, and one table."""

import numpy as np
import pytest

from app.ui.logit_lens import layer_name, layer_number, lens_table, rank_curve, state_of


def test_the_embedding_is_the_input_and_blocks_count_from_0():
    assert [layer_number(state) for state in range(3)] == ["input", "0", "1"]
    assert [layer_name(state) for state in range(3)] == ["input", "layer 0", "layer 1"]
    assert all(state_of(layer_number(state)) == state for state in range(100))


@pytest.mark.parametrize("given", ["", "-1", "embeddings", "²", "1234567", "1.5", "Input"])
def test_what_is_no_layer(given: str):
    assert state_of(given) is None


def test_the_last_layer_stands_on_top():
    first, shades = np.array([[0, 1], [1, 1], [2, 0]]), np.arange(6, dtype=np.float32) / 10
    table = lens_table(
        first,
        shades.reshape(3, 2),
        ("a", "b", "c"),
        states=(0, 2, 5),
        columns=("x", "y"),
        note=lambda row, column: f"{row}.{column}",
        marked=first == 1,
        label="lens",
    )
    assert table.rows == ("4", "1", "input")
    assert table.cells == (("c", "a"), ("b", "b"), ("a", "b"))
    assert table.notes[0] == ("2.0", "2.1")
    np.testing.assert_allclose(table.shades[-1], [0, 0.1])
    assert table.marked is not None
    assert table.marked.tolist() == [[False, False], [True, True], [False, True]]


def test_a_rank_goes_by_the_layers_names():
    curve = rank_curve("cat", np.array([40, 7, 1]), [0.001, 0.1, 0.6])
    assert curve.x == ("input", "0", "1")
    assert curve.hover[1] == "cat, layer 0: rank 7, P = 0.100"
