"""Rooms whose clock a test turns."""

from dataclasses import dataclass, field
from pathlib import Path

from app.rooms.database import Database
from app.rooms.store import Store


@dataclass
class Clock:
    """The server's."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Opened:
    """A store with one room."""

    file: Path | None = None
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.store = Store(Database(self.file, self.clock))
        self.code, self.teacher = self.store.open()
