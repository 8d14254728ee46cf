"""What a head would write for each token, and which tokens it pairs."""

from functools import partial
from typing import Final

from app.services import direct_logits
from app.ui import circuits, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, prompt_input
from app.views.gpt.state import MODEL, TEXT
from core.trace import AttentionKind

PARAMS: Final = circuits.CircuitParams.of(Scope("gpt", "circuits"), (0, 6))


def render() -> Figure | None:
    """Prompt, model."""
    opened = prompt_input()
    return None if opened is None else partial(_figure, opened)


def _figure(opened: Opened) -> Export | None:
    place = answer()
    with controls():
        head = PARAMS.choices(opened.card.layers, opened.card.heads)
    chosen = PARAMS.tokens.value.strip() or TEXT.value
    found = progress.outcome(direct_logits.circuits(opened.card.id, chosen, *head), opened.card.id)
    if found is None:
        return None
    shown = circuits.Shown(
        opened.card, opened.vocabulary, found, head, AttentionKind.DECODER, chosen, opened.facts
    )
    return circuits.figure(PARAMS, shown, place)


VIEW: Final = View("circuits", "Circuits", (MODEL, TEXT, *PARAMS.every), render)
