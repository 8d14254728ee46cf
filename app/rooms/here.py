"""The rooms of this server."""

from functools import cache
from typing import Final

from app.rooms.database import Database
from app.rooms.guesses import AGAIN, OPENED, REOPEN, WRONG, Bucket
from app.rooms.store import Store
from app.services import settings

CODES: Final = Bucket(WRONG, AGAIN)
OPENINGS: Final = Bucket(OPENED, REOPEN)


@cache
def store() -> Store:
    return Store(Database(settings.rooms()))
