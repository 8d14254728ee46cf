"""How does a Transformer translate? Figure 1 with real shapes, decoding, beam search, alignment."""

from typing import Final

from app.ui.page import Page
from app.views.transformer import (
    alignment,
    beam,
    circuits,
    decode,
    direct_logits,
    forcing,
    heads,
    machine,
    neurons,
)

PAGE: Final = Page(
    "transformer",
    "How does a Transformer translate?",
    (
        decode.VIEW,
        beam.VIEW,
        machine.VIEW,
        heads.VIEW,
        direct_logits.VIEW,
        neurons.VIEW,
        circuits.VIEW,
        alignment.VIEW,
        forcing.VIEW,
    ),
)
