"""Which heads are silent, and what is looked at: one view's parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.ui.cell_params import Cells
from app.ui.head_names import Naming
from app.ui.param import Param
from app.ui.params import Choice, Flag, Number, Scope, Text
from app.ui.silence.patching import Patching
from app.ui.token_choice import OWN
from core.interventions import HeadFill, SilenceHead
from core.targets import LogitContrast, LogitTarget, Measured
from core.trace import AttentionKind

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


@dataclass(frozen=True)
class Silence:
    """Of one view; nothing is computed while `open` is off."""

    scope: Scope
    open: Flag
    heads: Cells
    edges: Text  # blocked ones, as typed
    instead: Choice[HeadFill]
    answer: Number[int]  # token ids
    against: Number[int]
    sweep: Flag
    effect: Choice[str]
    names: Naming  # the page's
    kind: Choice[str] | None  # of attention, where a model has several
    patching: Patching | None  # from another sentence, where the view offers it

    @classmethod
    def of(
        cls,
        scope: Scope,
        names: Naming,
        kinds: Mapping[str, str] | None = None,
        other: str | None = None,
    ) -> "Silence":
        """kinds: names by `AttentionKind`; the first is the default. other: a sentence to patch
        from; None: nothing is patched there.
        """
        return cls(
            scope,
            scope.flag("silence"),
            scope.cells("silent"),
            scope.text("blocked"),
            scope.choice("instead", FILLS),
            scope.whole("answer", OWN, 9_999_999, OWN),
            scope.whole("against", OWN, 9_999_999, OWN),
            scope.flag("sweep"),
            scope.choice("effect", EFFECTS),
            names,
            None if kinds is None else scope.choice("kind", kinds),
            None if other is None else Patching.of(scope, other),
        )

    @property
    def params(self) -> Sequence[Param[Any]]:
        return (
            *(self.open, self.heads, self.edges, self.instead, self.answer),
            *(self.against, self.sweep, self.effect, *self.names.params),
            *(() if self.kind is None else (self.kind,)),
            *(() if self.patching is None else self.patching.params),
        )

    def silent(self, kind: AttentionKind) -> tuple[SilenceHead, ...]:
        """What the model is run with, of heads."""
        fill = self.instead.value
        return tuple(SilenceHead(*head, kind, fill) for head in self.heads.value)

    def words(self, *, blocked: bool) -> str:
        """In one line, for captions; "" while nothing is changed. blocked: whether any edge is."""
        of = "" if self.kind is None else f"{self.kind.names[self.kind.value]}, "
        heads = ", ".join(f"layer {layer} head {head}" for layer, head in self.heads.value)
        parts = [f"silenced: {heads} (in their place {FILLS[self.instead.value]})"] * bool(heads)
        parts += [f"blocked edges: {self.edges.value}"] * blocked
        return of * bool(parts) + "; ".join(parts)

    def quantity(self, position: int, answer: int, against: int) -> Measured:
        """What a sweep measures."""
        match self.effect.value:
            case "logit":
                return LogitContrast(position, answer)
            case "difference":
                return LogitContrast(position, answer, against)
            case _:
                return LogitTarget(position, answer)
