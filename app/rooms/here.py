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
    at = settings.rooms()
    if not isinstance(at, str):
        return Store(InSqlite(at))
    from app.rooms.in_redis import InRedis  # and its client, which not every server has

    return Store(InRedis(at))
