"""One question: its options in the figure's place, the reader's answer, the model's beside it."""

import math
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress, room
from app.ui.prediction.guesses import Guess, guesses
from app.ui.prediction.options import chosen, offer
from core.errors import InputError

if TYPE_CHECKING:
    from app.services.questions import Answers, Wait

Value = TypeVar("Value")


class _Told(Exception):  # noqa: N818
    """The reader knows why there is no answer."""


def answered(answers: "Callable[[Wait], Answers]", model: str = "") -> "Answers | None":
    """The models' answers; None after saying why there are none."""

    def wait(future: Future[Value], /) -> Value:
        found = progress.outcome(future, model)
        if found is None:
            raise _Told
        return found

    try:
        return answers(wait)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
    except _Told:
        pass
    return None


@dataclass(frozen=True, eq=False)
class Asking:
    """A question to the reader; until it is answered it has the figure's place."""

    name: Hashable  # the same for the same question
    words: str  # the question, in Markdown
    answers: "Answers"
    key: str  # of what is clicked
    poll: str  # its name in a room

    @cached_property
    def vote(self) -> room.Vote | None:
        """In a room everybody has one, and the teacher shows the answer."""
        return room.asked(self.poll, len(self.answers.options))

    @property
    def guess(self) -> Guess | None:
        """What the reader said, perhaps by this run's click; None while it is still to be said."""
        if self.vote is not None:
            if not self.vote.closed:
                return None
            self._keep(self.vote.mine)
        if self.name not in guesses():
            option = chosen(self.answers, self.key)
            if option is None:
                return None
            self._keep(option)
        return guesses()[self.name]

    def draw(self) -> None:
        """The question and all that can be said."""
        with st.container(key="lesson-question"):
            st.markdown(f"## {self.words}")
            if self.vote is not None:
                self.vote.draw(self.words, self.answers, self.key)
                return
            offer(self.answers, self.words, self.key)
            st.caption("Click what you expect. The page opens then, with what the model says.")

    def give_up(self) -> None:
        """The reader doesn't know, and wants to see; a teacher's room sees, too. For callbacks."""
        room.end(self.poll)
        self._keep(None)

    @property
    def gives_up_by(self) -> str:
        """What the button says that does so."""
        return "I don’t know" if self.vote is None else "Reveal"

    def _keep(self, option: int | None) -> None:
        right = option is not None and self.answers.is_right(option)
        said = verdict(self.answers, option, right=right), surprise(self.answers, option)
        votes = room.results(self.poll, self.answers.options)
        guesses()[self.name] = Guess(option, right, " ".join(filter(None, (*said, votes))))


def verdict(answers: "Answers", option: int | None, *, right: bool) -> str:
    """Right or wrong, with the model's number, in Markdown."""
    answer, value = plain(answers.options[answers.right]), answers.value
    if answers.amount is not None:
        told = f"**{value}** ({answers.measure})"
    else:
        told = f"**{answer}** ({answers.measure} {value})"
    if option is None:
        return f"The model: {told}."
    mine = plain(answers.options[option])
    if option == answers.right and answers.amount is None:
        return f":material/check: **{mine}**, as you said ({answers.measure} {value})."
    note = answers.note(option)
    mine = f"{mine} ({note})" if note else mine
    said = ":material/check: You said" if right else "You said"
    return f"{said} {mine}. The model: {told}."


def surprise(answers: "Answers", option: int | None) -> str:
    """How surprised one may be: the answer's information, −log₂ p (Shannon 1948), or chance."""
    count = len(answers.options)
    if not answers.shares:
        right = len(answers.accepted)
        return f"By chance {right} of {count} answers {'is' if right == 1 else 'are'} right."
    bits = f"That is {_bits(answers.values[answers.right])} bits of surprise"
    if option is None or option == answers.right:
        return f"{bits}; an even choice among {count} has {three(math.log2(count))}."
    return f"{bits}; yours would have been {_bits(answers.values[option])}."


def _bits(share: float) -> str:
    return three(-math.log2(share)) if share > 0 else "∞"
