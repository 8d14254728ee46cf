"""Objectives: what a model is asked to predict, on one sentence; and a router of experts."""

from typing import Final

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.objectives import experts, pictures, replaced, side_by_side, spans
from app.views.blocks.parts import choose_part

LEAD: Final = "One sentence, many exams: which tokens does each objective hide, and which count?"
NAMES: Final = {
    "all": "Side by side",
    "spans": "T5's spans",
    "replaced": "Replaced tokens",
    "pictures": "Hidden patches",
    "experts": "Mixture of experts",
}
PARTS: Final = {
    "all": side_by_side,
    "spans": spans,
    "replaced": replaced,
    "pictures": pictures,
    "experts": experts,
}
PART: Final = params.choice("obj", list(NAMES))
PARAMS: Final = (PART, *(param for part in PARTS.values() for param in part.PARAMS))


def render() -> Export | None:
    """The chosen part."""
    return PARTS[choose_part(PART, NAMES)].render()
