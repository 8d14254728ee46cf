"""A question on a head's circuits: what does it write where it attends to a token?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.services.questions.answers import Answers, Wait, largest
from app.style.visible_space import visible
from core.explain.attention.head_circuits import HeadCircuits

OFFERED: Final = (3, 2)  # of the tokens that it pushes up and down most


@dataclass(frozen=True, slots=True, eq=False)
class PushedToken:
    """Whose logit does the head push up most, where it attends to the token `source`?"""

    found: HeadCircuits
    vocabulary: Sequence[str]
    source: int

    def answers(self, wait: Wait) -> Answers:  # noqa: ARG002
        offered: dict[str, float] = {}
        for side, count in zip((self.found.up, self.found.down), OFFERED, strict=True):
            for rank in range(count):
                token = int(side.ids[self.source, rank])
                offered[visible(self.vocabulary[token])] = float(side.logits[self.source, rank])
        names = sorted(offered)
        return largest(names, [offered[name] for name in names], "logit above the mean")
