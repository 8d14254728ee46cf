"""What can be asked of an engine, as values."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any


class BusyError(Exception):
    """The queue is full: the reader waits a moment and asks again."""


@dataclass(frozen=True)
class Request:
    """One call of a model's public method. Equal requests are computed once.

    Arguments must be hashable; the key holds every one of them.
    """

    model_id: str
    method: str
    arguments: Mapping[str, Hashable] = field(default_factory=dict[str, Hashable])

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What makes two requests equal."""
        return self.model_id, self.method, tuple(sorted(self.arguments.items()))

    def __hash__(self) -> int:
        return hash(self.key)


def bytes_of(value: Any) -> int:
    """The bytes that a result keeps alive; small values count as one kilobyte."""
    return max(1024, int(getattr(value, "nbytes", 0)))
