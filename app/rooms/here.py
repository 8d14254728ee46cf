"""The rooms of this server."""

from functools import cache
from typing import Final

from app.rooms.guesses import AGAIN, OPENED, REOPEN, WRONG, Bucket
from app.rooms.in_sqlite import InSqlite
from app.rooms.store import Store
from app.services import settings

CODES: Final = Bucket(WRONG, AGAIN)
OPENINGS: Final = Bucket(OPENED, REOPEN)


@cache
def store() -> Store:
    """Raises AwayError; the next call tries again."""
    return Store(InSqlite(settings.rooms()))
