"""Which models there are, and what is known of them before one is opened."""

import pytest

import core
from app.services import models
from core.catalog import CATALOG, ModelCard


@pytest.mark.parametrize("card", [*filter(models.is_complete, CATALOG)], ids=lambda card: card.id)
def test_a_complete_card_is_the_opened_models(card: ModelCard):
    assert core.load(card.id, device="cpu").card == card
