"""A model that is not in the catalog: a folder of this machine, or any repository of the hub.

Only where the reader is the machine's owner: app/ui/any_model.py asks first.
"""

from dataclasses import replace
from pathlib import Path

from app.services import engine, models
from core.catalog import CATALOG, ModelCard, Origin
from core.catalog.any_hub import HubModel, is_hub_id, look_up, on_this_machine
from core.catalog.checkpoints import locate
from core.engine import Job, Lane
from core.errors import InputError
from core.long_work import Report
from core.models.foreseen import refuse_unshowable


def is_path(wish: str) -> bool:
    """Whether it is written as a folder, which need not be there."""
    return wish.startswith(("/", "./", "../", "~")) or Path(wish).is_absolute()


def may_be_model(wish: str) -> bool:
    """Whether it is written as a folder or as a repository of the hub."""
    return is_path(wish) or is_hub_id(wish)


def at_hand(wish: str) -> ModelCard | None:
    """The model, offered from now on, if no network is needed to know it.

    A repository of the catalog is the catalog's model. Raises InputError for a folder that is not
    there or can't be used.
    """
    known = next((card for card in CATALOG if card.repository == wish), None)
    card = models.card_of(known.id if known else wish)
    if card is None and is_path(wish):
        card = _in_folder(wish)
    if card is None and is_hub_id(wish) and (found := on_this_machine(wish)):
        card, folder = found
        refuse_unshowable(card, folder)
        card = replace(card, origin=Origin.DIRECTORY)
    if card is not None and models.card_of(card.id) is None:
        models.add(card)
    return card


def look(repository: str) -> Job[HubModel]:
    """Ask the hub what a model is, and whether it could be shown; nothing is downloaded."""

    def work(_: Report) -> HubModel:
        found = look_up(repository)
        refuse_unshowable(found.card, found.folder)
        return found

    return engine.start(("hub", repository), work, Lane.LOOKUPS)


def _in_folder(wish: str) -> ModelCard:
    folder = Path(wish).expanduser().resolve()
    if (card := models.card_of(str(folder))) is not None:
        return card
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder} on this machine.")
    card, _ = locate(folder)
    refuse_unshowable(card, folder)
    return card
