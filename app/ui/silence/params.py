"""Which heads are silent, and what is looked at: one view's parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.ui.param import Param
from app.ui.params import Cell, Choice, Flag, Number, Scope
from core.interventions import HeadFill, SilenceHead
from core.targets import LogitContrast, LogitTarget, Measured

FILLS: Final[dict[HeadFill, str]] = {
    "zero": "zero",
    "mean": "its mean over the text",
    "uniform": "even attention",
}
EFFECTS: Final = {
    "probability": "probability",
    "logit": "logit",
    "difference": "logit difference",
}
OWN: Final = -1  # the answer that the view itself has; the likeliest other token


@dataclass(frozen=True)
class Silence:
    """Of one view; nothing is computed while `open` is off."""

    scope: Scope
    open: Flag
    heads: Param[tuple[Cell, ...]]
    instead: Choice[HeadFill]
    answer: Number[int]  # token ids
    against: Number[int]
    sweep: Flag
    effect: Choice[str]

    @classmethod
    def of(cls, scope: Scope) -> "Silence":
        return cls(
            scope,
            scope.flag("silence"),
            scope.cells("silent"),
            scope.choice("instead", FILLS),
            scope.whole("answer", OWN, 9_999_999, OWN),
            scope.whole("against", OWN, 9_999_999, OWN),
            scope.flag("sweep"),
            scope.choice("effect", EFFECTS),
        )

    @property
    def params(self) -> Sequence[Param[Any]]:
        return (
            *(self.open, self.heads, self.instead, self.answer),
            *(self.against, self.sweep, self.effect),
        )

    @property
    def changes(self) -> tuple[SilenceHead, ...]:
        """What the model is run with."""
        fill = self.instead.value
        return tuple(SilenceHead(layer, head, fill=fill) for layer, head in self.heads.value)

    @property
    def words(self) -> str:
        """In one line, for captions; "" while every head speaks."""
        heads = ", ".join(f"layer {layer} head {head}" for layer, head in self.heads.value)
        return f"silenced: {heads} (in their place {FILLS[self.instead.value]})" if heads else ""

    def quantity(self, position: int, answer: int, against: int) -> Measured:
        """What a sweep measures."""
        match self.effect.value:
            case "logit":
                return LogitContrast(position, answer)
            case "difference":
                return LogitContrast(position, answer, against)
            case _:
                return LogitTarget(position, answer)
