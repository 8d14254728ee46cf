"""What comes next? A causal model word by word: its choice, its attention, its layers, its uses."""

from typing import Final

from app.ui.page import Page
from app.views.gpt import (
    beside,
    circuits,
    direct_logits,
    generate,
    induction,
    layers,
    neurons,
    next_word,
    shots,
    surprise,
    tuning,
    which_words,
)

PAGE: Final = Page(
    "gpt",
    "Which word comes next?",
    (
        next_word.VIEW,
        generate.VIEW,
        surprise.VIEW,
        layers.VIEW,
        which_words.VIEW,
        direct_logits.VIEW,
        neurons.VIEW,
        circuits.VIEW,
        induction.VIEW,
        shots.VIEW,
        tuning.VIEW,
        beside.VIEW,
    ),
)
