"""What is asked in such a view, as it stands in links."""

from dataclasses import dataclass
from typing import Any, Final

from app.ui.direct_logits import AnswerParams
from app.ui.param import Param
from app.ui.param_values import Cell
from app.ui.params import Choice, Scope
from app.ui.silence.params import FILLS
from core.explain.attribution.neuron_writes import Strength
from core.interventions import NeuronFill

STRENGTHS: Final[dict[Strength, str]] = {"write": "what they write", "activation": "activation"}
INSTEAD: Final[dict[NeuronFill, str]] = {"zero": FILLS["zero"], "mean": FILLS["mean"]}


@dataclass(frozen=True)
class NeuronParams:
    """One view's."""

    scope: Scope
    answers: AnswerParams
    by: Choice[Strength]
    neuron: Param[Cell | None]  # (layer, neuron); None: the strongest
    instead: Choice[NeuronFill]

    @classmethod
    def of(cls, scope: Scope) -> "NeuronParams":
        return cls(
            scope,
            AnswerParams.of(scope),
            scope.choice("by", STRENGTHS),
            scope.cell("neuron"),
            scope.choice("instead", INSTEAD),
        )

    def choices(self) -> None:
        """Which neurons, and what stands for the silenced one."""
        self.by.segmented("Strongest by")
        self.instead.segmented("In its place")

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return *self.answers.every, self.by, self.neuron, self.instead
