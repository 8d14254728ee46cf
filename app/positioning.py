"""The positions page's door: models' tables, their trainings, and forwards with other positions.

Everything that needs a model is asked of the one engine; what follows from a trace is a pure
function in `core.positions`, cached by the request.
"""

import os
from concurrent.futures import Future
from contextlib import suppress
from functools import cache

from app import inference
from core.catalog import CATALOG, Family, ModelCard, Origin
from core.checkpoints import EMBEDDED_MODELS, is_on_board, locate
from core.engine import Request
from core.errors import InputError
from core.positions import PositionTable, Snapshots, read_snapshots


@cache
def vision_cards() -> tuple[ModelCard, ...]:
    """Picture models on board or among the server's own directories."""
    own: list[ModelCard] = []
    for entry in filter(None, os.environ.get(inference.OWN_CHECKPOINTS, "").split(os.pathsep)):
        with suppress(InputError):  # the text pages' picker tells what is wrong with it
            own.append(locate(entry)[0])
    on_board = (card for card in CATALOG if is_on_board(card))
    return tuple(card for card in (*on_board, *own) if card.family == Family.VISION)


def cards() -> tuple[ModelCard, ...]:
    """Every model that may have a table of positions."""
    return (*inference.text_models().cards, *vision_cards())


def table(model_id: str) -> Future[PositionTable]:
    """The model's own table; the future raises InputError for a model without one."""
    return inference.engine().submit(Request(model_id, "position_table"))


def snapshots(card: ModelCard) -> Snapshots | None:
    """The table through the training, for models trained here."""
    path = EMBEDDED_MODELS / card.id / "snapshots.npz"
    if card.origin != Origin.EMBEDDED or not path.exists():
        return None
    key = ("snapshots", card.id, path.stat().st_mtime_ns)
    return inference.engine().derived(key, lambda: read_snapshots(path))
