"""How far work is that takes a while: what it reports, and whoever waits is told."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """So much is done; `total` is what was asked for, and the work may stop before."""

    stage: str
    done: float
    total: float

    @property
    def share(self) -> float:
        """From 0 to 1; 0 where nothing is known of the end."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0


Report = Callable[[Progress], None]
