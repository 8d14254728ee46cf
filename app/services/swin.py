"""The door to models that attend in shifted windows: which there are, and their weights' biases."""

from concurrent.futures import Future
from functools import cache
from typing import Any

from app.services import engine, vision
from core.catalog import Family, ModelCard, Origin
from core.catalog.checkpoints import locate, read_json
from core.engine import Request
from core.errors import InputError


@cache
def is_swin(card: ModelCard) -> bool:
    """Told by the name of the architecture, without opening the weights."""
    if card.family != Family.VISION:
        return False
    if card.origin == Origin.HUB:
        return "swin" in f"{card.id} {card.repository}".lower()
    try:
        _, folder = locate(card.id)
        return "swin" in str(read_json(folder / "config.json").get("architecture", "")).lower()
    except InputError:
        return False


def swins() -> tuple[ModelCard, ...]:
    """Every Swin that can be chosen, those that need a network last."""
    return tuple(card for card in vision.cards((Family.VISION,)) if is_swin(card))


def relative_biases(model_id: str) -> Future[Any]:
    """B by layer, as (head, 2M − 1, 2M − 1); the future raises InputError for a model without."""
    return engine.engine().submit(Request(model_id, "relative_biases", {}))
