"""The place whose answer is taken apart, with all that the figure says of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.services.silencing import Question
from app.style.visible_space import visible
from core.catalog import ModelCard
from core.explain.attribution.logit_attribution import Term, Writer
from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import AttentionKind, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One place of one text."""

    card: ModelCard
    question: Question
    vocabulary: Sequence[str]
    said: TokenDistribution  # there
    trace: Callable[[], Trace | None]  # asked for where a head's row is shown
    kind: AttentionKind  # of the self-attention before the answer
    where: str  # in words
    own: int | None = None  # the answer of the view; None: the likeliest token

    def name(self, token: int) -> str:
        return visible(self.vocabulary[token])

    def named(self, answer: int, against: int | None) -> str:
        """What is taken apart: one logit, or a difference."""
        if against is None:
            return f"logit of {self.name(answer)}"
        return f"logit of {self.name(answer)} − logit of {self.name(against)}"

    @property
    def text(self) -> str:
        return " / ".join(filter(None, (self.question.text[:200], self.question.pair)))


def term_name(term: Term) -> str:
    """In words."""
    match term.writer:
        case Writer.EMBEDDINGS:
            return "embeddings"
        case Writer.READOUT:
            return "readout"
        case Writer.MLP:
            return f"layer {term.layer}, MLP"
        case Writer.BIAS:
            return f"layer {term.layer}, biases"
        case Writer.ATTENTION:
            return f"layer {term.layer}, head {term.head}"
        case Writer.CROSS:
            return f"layer {term.layer}, cross-attention head {term.head}"
