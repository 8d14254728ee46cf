"""Which models there are: one answer for every page.

Those on board come first, then the directories that the server's owner named, then what a reader
of their own machine asked for (app/services/any_model.py), then the hub's.
"""

import os
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Final

from core.catalog import CATALOG, Family, ModelCard, Origin
from core.catalog.checkpoints import card_sheet, is_on_board, locate, weights_hash
from core.errors import InputError

OWN_CHECKPOINTS: Final = "GLASSFORMER_CHECKPOINTS"  # directories, separated as in PATH
DEFAULT: Final = "minilm-l6"
TEXTS: Final = (Family.TEXT_ENCODER, Family.TEXT_DECODER, Family.TRANSLATOR)
PICTURES: Final = (Family.VISION, Family.MASKED_AUTOENCODER)
ADDED: Final[dict[str, ModelCard]] = {}
ADDING: Final = Lock()


@dataclass(frozen=True)
class Offer:
    """All models, and what is wrong with the server's own directories."""

    cards: tuple[ModelCard, ...]
    problems: tuple[str, ...]


@cache
def offer() -> Offer:
    """Read once: neither the disk nor the environment is asked again."""
    on_board = [card for card in CATALOG if is_on_board(card)]
    own: list[ModelCard] = []
    problems: list[str] = []
    for directory in filter(None, os.environ.get(OWN_CHECKPOINTS, "").split(os.pathsep)):
        try:
            own.append(locate(directory)[0])
        except InputError as error:
            problems.append(str(error))
    elsewhere = [card for card in CATALOG if card not in on_board and needs_network(card)]
    return Offer((*on_board, *own, *elsewhere), tuple(problems))


def cards(*families: Family) -> tuple[ModelCard, ...]:
    """The models of these families."""
    return tuple(card for card in _every() if card.family in families)


def add(card: ModelCard) -> None:
    """Offer one more model, to every page, as long as this process runs."""
    with ADDING:
        ADDED[card.id] = card


def _every() -> tuple[ModelCard, ...]:
    known = offer().cards
    if not ADDED:
        return known
    with ADDING:
        added = tuple(ADDED.values())
    here = sum(not needs_network(card) for card in known)
    return (*known[:here], *added, *known[here:])


def problems() -> tuple[str, ...]:
    """What is wrong with the server's own directories."""
    return offer().problems


def card_of(model_id: str) -> ModelCard | None:
    """A model that is offered, or None."""
    return next((card for card in _every() if card.id == model_id), None)


def needs_network(card: ModelCard) -> bool:
    """Whether opening the model may have to download it."""
    downloaded = card.origin in (Origin.HUB, Origin.PACKAGE)
    return downloaded and not is_on_board(card)


def is_complete(card: ModelCard) -> bool:
    """Whether an opened model would add nothing to its card: that of a text model on board."""
    shipped = card.origin in (Origin.EMBEDDED, Origin.PACKAGE) and not needs_network(card)
    return shipped and card.family in TEXTS


def default(family: Family, preferred: str) -> str:
    """The preferred model if it is at hand, else the first that is, else the first of all."""
    of_family = cards(family)
    at_hand = [card.id for card in of_family if not needs_network(card)]
    if preferred in at_hand:
        return preferred
    return (at_hand or [card.id for card in of_family] or [preferred])[0]


def swins() -> tuple[ModelCard, ...]:
    """Every model that attends in shifted windows."""
    return tuple(filter(is_swin, cards(Family.VISION)))


def is_swin(card: ModelCard) -> bool:
    """Told by the architecture that its config or its catalog entry names."""
    return card.family == Family.VISION and (card.architecture or "").startswith("swin")


def fine_tuned() -> ModelCard | None:
    """A model on board whose training began with another one on board."""
    on_board = {card.id: card for card in CATALOG if is_on_board(card)}
    return next((card for card in on_board.values() if card.starts_from in on_board), None)


@cache
def hash_of(model_id: str) -> str:
    """SHA-256 of the weights of a model that has been opened."""
    return weights_hash(locate(model_id)[1])


def embedded_sheets() -> dict[str, dict[str, Any]]:
    """card.json of every embedded model on board, by title."""
    embedded = [card for card in CATALOG if card.origin == Origin.EMBEDDED and is_on_board(card)]
    return {card.title: card_sheet(card) for card in embedded}
