"""Rooms whose clock a test turns."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.rooms.database import AwayError, Database
from app.rooms.in_sqlite import InSqlite
from app.rooms.store import Store


@dataclass
class Clock:
    """The server's."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Opened:
    """A store with one room, in memory, in a file or at a Redis's address."""

    place: Path | str | None = None
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.store = self.another()
        self.code, self.teacher = self.store.open()

    def another(self) -> Store:
        """Another process's, with the same rooms."""
        if not isinstance(self.place, str):
            return Store(InSqlite(self.place, self.clock))
        from app.rooms.in_redis import InRedis

        return Store(InRedis(self.place, self.clock))

    def kept(self) -> list[Any]:
        """All that there is in the database."""
        if not isinstance(self.place, str):
            tables = ("room", "poll", "vote", "paper", "present")
            ask = self.store._base._all  # type: ignore[attr-defined]
            return [row for name in tables for row in ask(f"SELECT * FROM {name}")]
        from redis import Redis

        with Redis.from_url(self.place) as base:
            return list(base.scan_iter())


class Unsteady:
    """A database that is away when a test says so."""

    def __init__(self, base: Database) -> None:
        self._base, self.is_away = base, False

    def __getattr__(self, name: str) -> Any:
        if self.is_away:
            raise AwayError
        return getattr(self._base, name)
