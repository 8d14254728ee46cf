"""What the decoder's and the tree's figures report is user input; their frames hold all numbers."""

import json

import numpy as np
import pytest

from app.components.beam_tree import (
    BeamTree,
    Column,
    Ending,
    Node,
    Place,
    beam_tree_frame,
    read_place,
)
from app.components.decoder_steps import (
    DecoderSteps,
    Word,
    decoder_steps_frame,
    read_word,
)
from app.components.frame import unpack
from app.components.selection import Seed, read_index
from app.components.standalone import standalone_page

STEPS = DecoderSteps(
    source=("▁I", "</s>"),
    fed=("<s>", "▁Ich"),
    labels=("▁Ich", "</s>"),
    label_ids=(7, 1),
    candidates=(
        (Word(7, "▁Ich", 0.9, 4.0), Word(8, "▁Du", 0.1, 1.8)),
        (Word(1, "</s>", 1.0, 9.0),),
    ),
    weights=np.float32([[0.75, 0.25], [0.5, 0.5]]),
    heads="layer 0, head 1",
    label="Decoding",
)
OFFERED = [{one.id for one in row} for row in STEPS.candidates]
TREE = BeamTree(
    columns=(
        Column(1.0, (Node(1, 0, "</script>", 0.1, 0.1, 0.1, "live"),)),
        Column(2.0, (Node(2, 1, "</s>", 0.2, 0.3, 0.15, "finished"),)),
    ),
    endings=(Ending(2, "Ja"),),
    beams=1,
    penalty="|Y|^1",
    label="Beam search",
)


def test_steps_and_words_are_read():
    assert read_index(1, 1) == 1
    assert read_word([0, 8], OFFERED) == (0, 8)


@pytest.mark.parametrize("nonsense", [None, True, -1, 2, 0.5, "1", [1]])
def test_nonsense_steps_are_ignored(nonsense):
    assert read_index(nonsense, 1) is None


@pytest.mark.parametrize("nonsense", [None, 8, [0], [0, 1], [2, 1], [-1, 1], ["0", 8], [0, 8, 8]])
def test_words_that_were_not_on_offer_are_ignored(nonsense):
    assert read_word(nonsense, OFFERED) is None


@pytest.mark.parametrize("nonsense", [None, 1, [1], [3, 0], [-1, 0], [1, 3], [1, -2], ["1", 0]])
def test_nonsense_places_are_ignored(nonsense):
    assert read_place(nonsense, 2, 2) is None


def test_places_are_read():
    assert read_place([2, -1], 2, 2) == Place(2, -1)


def test_frames_hold_exact_numbers():
    header, arrays = unpack(decoder_steps_frame(STEPS, seed=Seed(1)))
    np.testing.assert_array_equal(arrays["weights"], STEPS.weights)
    assert header["candidates"][0][1] == [8, "▁Du", 0.1, 1.8]
    header, arrays = unpack(beam_tree_frame(TREE, seed=Seed(Place(2, 1))))
    tree = json.loads(arrays["tree"].tobytes().decode("utf-8"))
    assert tree["columns"][1]["nodes"] == [[2, 1, "</s>", 0.2, 0.3, 0.15, "finished"]]
    assert header["selection"] == {"serial": 1, "value": [2, 1], "visit": ""}


def test_shapes_that_do_not_fit_are_a_bug():
    with pytest.raises(ValueError, match="weights are"):
        DecoderSteps(**{name: getattr(STEPS, name) for name in STEPS.__slots__} | {"fed": ("<s>",)})


def test_offline_pages_close_no_tag_with_a_token():
    page = standalone_page("t", "beam_tree", beam_tree_frame(TREE, seed=Seed(Place(2, -1))), "c")
    assert page.count("</script>") == 2
    assert standalone_page("t", "decoder_steps", decoder_steps_frame(STEPS, seed=Seed(0)), "c")
