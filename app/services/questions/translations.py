"""Questions on a translation that is being written: which token comes next?"""

from dataclasses import dataclass
from typing import Final

from app.services import translator
from app.services.questions.answers import Answers, Wait, largest
from app.services.questions.texts import MARKS
from app.style.visible_space import visible

OFFERED: Final = 5


@dataclass(frozen=True, slots=True)
class NextTranslated:
    """Which token does the decoder write after `target`? Of its likeliest ones."""

    model: str
    text: str
    target: str

    def answers(self, wait: Wait) -> Answers:
        asked = translator.Asked(self.model, self.text, target=self.target)
        said = wait(translator.decode(asked)).candidates[-1][:OFFERED]  # where the target ends
        offered = sorted(said, key=lambda one: one.token)
        return largest(
            [visible(one.token.lstrip(MARKS)) for one in offered],
            [one.probability for one in offered],
            "probability",
            shares=True,
        )
