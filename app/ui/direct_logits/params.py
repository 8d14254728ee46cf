"""What is asked in such a view, as it stands in links."""

from dataclasses import dataclass
from typing import Any, Final

from app.ui.cell_params import OneCell
from app.ui.direct_logits.shown import Shown
from app.ui.param import Param
from app.ui.params import Number, Scope
from app.ui.token_choice import OWN, forget_other_vocabulary, token_choice

OFFERED: Final = 50  # of the likeliest tokens
ALONE: Final = "nothing: the logit itself"


@dataclass(frozen=True)
class AnswerParams:
    """Which token's logit a view takes apart, and which other's is taken from it."""

    scope: Scope
    answer: Number[int]  # token ids
    against: Number[int]

    @classmethod
    def of(cls, scope: Scope) -> "AnswerParams":
        return cls(
            scope,
            scope.whole("answer", OWN, 9_999_999, OWN),
            scope.whole("against", OWN, 9_999_999, OWN),
        )

    def chosen(self, shown: Shown) -> tuple[int, int | None]:
        """The answer, and the one that it is compared with, if any."""
        key, model = self.scope.key("answer-of"), shown.card.id
        forget_other_vocabulary(key, model, len(shown.said), self.answer, self.against)
        likeliest = shown.said.top(OFFERED)
        own = likeliest[0] if shown.own is None else shown.own
        if self.answer.value == own:
            self.answer.reset()  # a link may name what the view takes by itself
        answer = token_choice(
            self.answer,
            "Answer",
            likeliest,
            own,
            named=shown.name,
            vocabulary=shown.vocabulary,
            left_out=(own,),
        )
        if self.against.value == answer:
            self.against.reset()
        against = token_choice(
            self.against,
            "Compared with",
            likeliest,
            None,
            named=lambda token: ALONE if token is None else shown.name(token),
            vocabulary=shown.vocabulary,
            left_out=(answer,),
        )
        return answer, against

    def reset(self) -> None:
        """Another place has other answers."""
        self.answer.reset()
        self.against.reset()

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return self.answer, self.against


@dataclass(frozen=True)
class LogitParams:
    """One view's."""

    scope: Scope
    answers: AnswerParams
    term: OneCell  # of the map; None: the strongest one

    @classmethod
    def of(cls, scope: Scope) -> "LogitParams":
        return cls(scope, AnswerParams.of(scope), scope.cell("term"))

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return *self.answers.every, self.term
