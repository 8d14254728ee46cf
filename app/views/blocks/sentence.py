"""A sentence and the model that reads it: the input of the parts that run a text model."""

from collections.abc import Callable

from app.services import engine, models
from app.ui import progress
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.views.blocks.state import MODEL, TEXT
from core.catalog import Family, ModelCard

FAMILIES = (Family.TEXT_ENCODER, Family.TEXT_DECODER)


def sentence_and_model(chips: Callable[[], None] = lambda: None) -> ModelCard | None:
    """The opened model's card; None after its error was shown."""
    cards = models.cards(*FAMILIES)
    with input_line(quoted(TEXT.value), model_title(MODEL, cards)):
        TEXT.line("Sentence", max_chars=300)
        card = pick_model(MODEL, cards, problems=models.problems())
        chips()
    return None if card is None else progress.outcome(engine.loaded_card(card.id), card.id)
