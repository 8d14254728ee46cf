"""When each token was made, and when its last use was merged away.

A merge takes its two parts' uses from them, so a token may be in the vocabulary and stand
nowhere in the corpus any more: a step on the way to a longer one.
"""

from dataclasses import dataclass

from core.tokenization.bpe.training import BPETraining


@dataclass(frozen=True, slots=True)
class Lifetime:
    """One token of a training's vocabulary."""

    id: int
    token: str
    born: int
    """Number of merges after which it is there: 0 for an initial symbol."""
    uses_at_birth: int
    """How often it stood in the running text then."""
    died: int | None
    """Number of merges after which it stood nowhere; None while it stands somewhere."""
    swallowed_by: str | None
    """The token into which its last use went."""
    uses: int
    """How often it stands in the end."""

    @property
    def lasted(self) -> int | None:
        """Merges from birth to death."""
        return None if self.died is None else self.died - self.born


def lifetimes(training: BPETraining) -> tuple[Lifetime, ...]:
    """Every token that the corpus ever held, in order of ids."""
    log = training.log
    uses = list(training.state_at(0).token_counts())
    at_birth = list(uses)
    died: dict[int, int] = {}
    for number, (step, slot) in enumerate(zip(training.steps, log.merged, strict=True), start=1):
        for part in (int(log.left[slot]), int(log.right[slot])):
            uses[part] -= step.replacements
            if not uses[part]:
                died[part] = number
        uses.append(step.replacements)
        at_birth.append(step.replacements)
    return tuple(
        Lifetime(
            id=token,
            token=name,
            born=max(0, token - training.n_initial + 1),
            uses_at_birth=at_birth[token],
            died=died.get(token),
            swallowed_by=training.steps[died[token] - 1].token if token in died else None,
            uses=uses[token],
        )
        for token, name in enumerate(training.vocabulary)
        if at_birth[token]
    )
