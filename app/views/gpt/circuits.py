"""What a head would write for each token, and which tokens it pairs."""

from functools import partial
from typing import Final

from app.ui import circuits
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
        head = PARAMS.choices(opened.card)
    return circuits.figure(
        PARAMS,
        opened.card,
        opened.vocabulary,
        TEXT.value,
        head,
        AttentionKind.DECODER,
        opened.facts,
        place,
    )


VIEW: Final = View("circuits", "Circuits", (MODEL, TEXT, *PARAMS.every), render)
