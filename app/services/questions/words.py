"""Questions on words: which comes next, or stands behind the mask?"""

from dataclasses import dataclass
from typing import Final

from app.services import decoder, encoder, silencing
from app.services.questions.answers import Answers, Wait, largest
from app.services.questions.texts import MARKS, asked, is_encoder
from app.style.visible_space import visible
from core.explain.predictions.token_distribution import TokenDistribution

OFFERED: Final = 5  # words to choose from


@dataclass(frozen=True, slots=True)
class LikeliestWord:
    """Which word comes next, or stands behind the mask? Of the model's likeliest ones."""

    model: str
    text: str

    def answers(self, wait: Wait) -> Answers:
        return WordAt(asked(self.model, self.text, wait)).answers(wait)


@dataclass(frozen=True, slots=True)
class WordAt:
    """The same at any place of a text, perhaps with other tokens in it: of a view's own state."""

    at: silencing.Question

    def answers(self, wait: Wait) -> Answers:
        said, vocabulary = said_at(self.at, wait)
        offered = sorted(said.top(OFFERED), key=lambda token: vocabulary[token].strip(MARKS))
        return largest(
            [visible(vocabulary[token].lstrip(MARKS)) for token in offered],
            list(map(said.probability, offered)),
            "probability",
            shares=True,
        )


def told(model: str, text: str, wait: Wait) -> tuple[TokenDistribution, tuple[str, ...]]:
    """What the model says at the mask or behind the text, and its vocabulary."""
    return said_at(asked(model, text, wait), wait)


def said_at(at: silencing.Question, wait: Wait) -> tuple[TokenDistribution, tuple[str, ...]]:
    """What the model says there, and its vocabulary."""
    said = wait(silencing.predictions(at, ()))[0]
    every = encoder if is_encoder(at.model_id) else decoder
    return said, wait(every.vocabulary(at.model_id))
