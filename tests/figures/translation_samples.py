"""Figures of a decoder: its steps, and a beam search."""

import numpy as np

from app.components.beam_tree import BeamTree, Column, Ending, Node, Place, beam_tree_frame
from app.components.decoder_steps import DecoderSteps, Word, decoder_steps_frame
from app.components.selection import Seed
from tests.figures.harness import CLICKS
from tests.figures.strange_texts import CAPTION, HOSTILE

STEPS = DecoderSteps(
    source=("▁I", HOSTILE, "</s>"),
    fed=("<s>", "▁Ich", "▁bin"),
    labels=("▁Ich", "▁bin", "</s>"),
    label_ids=(7, 9, 1),
    candidates=(
        (Word(7, "▁Ich", 0.9, 4.0), Word(8, "▁Du", 0.1, 1.8)),
        (Word(9, "▁bin", 0.75, 3.0), Word(5, HOSTILE, 0.25, 1.9)),
        (Word(1, "</s>", 1.0, 9.0),),
    ),
    weights=np.array([[0.75, 0.25, 0], [0.5, 0.375, 0.125], [0, 0, 1]], dtype=np.float32),
    heads="layer 0, head 1",
    label="Decoding",
    caption=CAPTION,
)
FIRST_WORDS = (
    Node(1, 0, "▁Ja", 0.1, 0.1, 0.1, "live"),
    Node(2, 0, HOSTILE, 2.5, 2.5, 2.5, "outside"),
)
SECOND_WORDS = (
    Node(3, 1, "</s>", 0.2, 0.3, 0.15, "finished"),
    Node(4, 1, "!", 1.0, 1.1, 0.55, "live"),
)
TREE = BeamTree(
    columns=(Column(1.0, FIRST_WORDS), Column(2.0, SECOND_WORDS)),
    endings=(Ending(3, "Ja"),),
    beams=2,
    penalty="|Y|^1",
    label="Beam search",
    caption=CAPTION,
)


def decoding(step: int = 1) -> bytes:
    return decoder_steps_frame(STEPS, seed=Seed(step), clicks=CLICKS)


def tree() -> bytes:
    return beam_tree_frame(TREE, seed=Seed(Place(2, -1)))
