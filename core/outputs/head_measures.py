"""What heads are asked about one text, and what those of one kind do on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.explain.attention.head_roles import RoleMasses


@dataclass(frozen=True, slots=True)
class HeadMeasures:
    """Measures of the same maps."""

    weights: RoleMasses
    written: RoleMasses | None  # by α‖f(x)‖; None where the model hides its values or W^O
    offsets: RoleMasses | None = None  # by relative position; None where single roles were asked

    @property
    def nbytes(self) -> int:
        every = (self.weights, self.written, self.offsets)
        return sum(one.nbytes for one in every if one is not None)


@dataclass(frozen=True, slots=True)
class WordedText:
    """A text whose words are known; for a translator, its translation, too."""

    text: str
    spans: tuple[tuple[int, int], ...]  # characters [start, end) of each word
    target: str | None = None  # its words are what spaces part

    @property
    def given(self) -> Mapping[str, str | None]:
        """What a model's `trace_many` takes."""
        return {"text": self.text} | ({} if self.target is None else {"target": self.target})
