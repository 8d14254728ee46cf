"""What does BERT put where a word is missing? Its input, its two tasks, its vectors, its uses."""

from typing import Final

from app.ui.page import Page
from app.views.bert import (
    circuits,
    direct_logits,
    fine_tuning,
    input_sum,
    inputs,
    layer_by_layer,
    masked_words,
    neurons,
    next_sentence,
    pretraining,
    which_words,
    words_in_context,
)

PAGE: Final = Page(
    "bert",
    "What does BERT put where a word is missing?",
    (
        masked_words.VIEW,
        layer_by_layer.VIEW,
        which_words.VIEW,
        direct_logits.VIEW,
        neurons.VIEW,
        circuits.VIEW,
        input_sum.VIEW,
        pretraining.VIEW,
        next_sentence.VIEW,
        words_in_context.VIEW,
        fine_tuning.VIEW,
    ),
    entered=inputs.show_first_example,
)
