"""Which models there are, their cards, and their files on this machine.

card            what is known of a model before it is opened
embedded        the models trained here, whose facts their card.json tells
text_models     the models of texts, vision_models those of pictures: an entry a checkpoint
checkpoints     from an id to a directory whose files are checked; hub: how they come here
tokenizer_files the tokenizer alone
"""

from typing import Final

from core.catalog.card import Family, ModelCard, Origin
from core.catalog.text_models import TEXTS
from core.catalog.vision_models import PICTURES

__all__ = ["CATALOG", "Family", "ModelCard", "Origin", "bases_of", "card_of"]

CATALOG: Final = (*TEXTS, *PICTURES)


def card_of(model_id: str) -> ModelCard | None:
    """The catalog's entry with this id, or None."""
    return next((card for card in CATALOG if card.id == model_id), None)


def bases_of(card: ModelCard) -> tuple[ModelCard, ...]:
    """The models whose weights this one's files are an update to, the nearest first."""
    base = card_of(card.base)
    return () if base is None else (base, *bases_of(base))
