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
        said, vocabulary = told(self.model, self.text, wait)
        offered = sorted(said.top(OFFERED), key=lambda token: vocabulary[token].strip(MARKS))
        return largest(
            [visible(vocabulary[token].lstrip(MARKS)) for token in offered],
            list(map(said.probability, offered)),
            "probability",
        )


def told(model: str, text: str, wait: Wait) -> tuple[TokenDistribution, tuple[str, ...]]:
    """What the model says at the mask or behind the text, and its vocabulary."""
    said = wait(silencing.predictions(asked(model, text, wait), ()))[0]
    every = encoder if is_encoder(model) else decoder
    return said, wait(every.vocabulary(model))
