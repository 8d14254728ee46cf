"""What can be asked of an engine, as values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec

from typing_extensions import TypeVar

from core.outputs.families import opened_card
from core.trace import Trace

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer", default=Any)
Beside = Literal["states", "logits"]  # what a trace holds beside its maps
SIGNATURE: Final = cache(signature)
MAPS_ALONE: Final[frozenset[Beside]] = frozenset({"states", "logits"})


@dataclass(frozen=True, eq=False)
class Request(Generic[Answer]):
    """One question to a model: a method of a protocol of `core.outputs`, and its arguments.

    Equal requests are computed once. Arguments must be hashable; the key holds every one of them
    that is not the parameter's default.
    """

    model_id: str
    question: Callable[..., Answer]
    arguments: Mapping[str, Hashable] = field(default_factory=dict[str, Hashable])
    asker: Hashable = None  # among whom long questions take turns; no part of the key
    without: frozenset[Beside] = frozenset()  # of a trace: what need not travel to who asks

    @classmethod
    def of(
        cls,
        question: Callable[Concatenate[Any, Parameters], Answer],
        model_id: str,
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Request[Answer]:
        """`Request.of(Encoder.fill_mask, "bert-mini", "It is [MASK].")`."""
        parameters = SIGNATURE(question)
        given = parameters.bind(None, *args, **kwargs).arguments
        model, *_ = given
        arguments = {
            name: value
            for name, value in given.items()
            if name != model and not _is_default(value, parameters.parameters[name])
        }
        return Request(model_id, question, arguments)

    @property
    def name(self) -> str:
        """The question's name, by which a model answers it."""
        return self.question.__name__

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """What makes two requests equal."""
        whole = self.model_id, self.name, tuple(sorted(self.arguments.items()))
        return (*whole, *sorted(self.without)) if self.without else whole

    @property
    def whole(self) -> Request[Answer]:
        """The same, and nothing is left out."""
        return replace(self, without=frozenset()) if self.without else self

    def needed(self, answer: Answer) -> Answer:
        """Of an answer, what was asked for."""
        if not self.without or not isinstance(answer, Trace):
            return answer
        return replace(
            answer,
            states={} if "states" in self.without else answer.states,
            logits=None if "logits" in self.without else answer.logits,
        )

    def answer(self, model: Any) -> Answer:
        """Ask an opened model."""
        if self.question is opened_card:
            return model.card
        return getattr(model, self.name)(**self.arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Request) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _is_default(value: object, parameter: Parameter) -> bool:
    default = parameter.default
    return value is default or (type(value) is type(default) and value == default)


def bytes_of(value: Any) -> int:
    """The bytes that a result keeps alive; small values count as one kilobyte."""
    return max(1024, int(getattr(value, "nbytes", 0)))
