"""What a search for a translation leaves behind: every hypothesis that it looked at.

Scores are Σ −log P in nats: at least 0, and smaller is better. Values, without torch.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.trace import Encoding

MOST_BEAMS: Final = 16
LARGEST_PENALTY: Final = 5.0  # α, in either direction


class Normalisation(StrEnum):
    """What a finished hypothesis's score is divided by."""

    LENGTH = "length"  # |Y|^α, as transformers' generate
    WU = "wu"  # ((5 + |Y|) / 6)^α, Wu et al. 2016, equation 14


class Fate(StrEnum):
    """What became of a candidate in the step that made it."""

    LIVE = "live"
    FINISHED = "finished"  # it ends, and ranked within the beam
    LIMIT = "limit"  # cut off at the longest length that is allowed
    OUTSIDE = "outside"  # not among the best `beams`
    WORD_MARGIN = "word-margin"  # its word is too much worse than the step's best word
    HYPOTHESIS_MARGIN = "hypothesis-margin"  # too much worse than the best finished hypothesis


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to search. Margins are in nats; None: off.

    word_margin: only words whose log P lies within it of the step's best word are considered.
    hypothesis_margin: once a hypothesis is finished, all whose normalised score (of a live one,
        at its present length) is worse than the best finished by more than this are dropped.
    Both are Wu et al. 2016, section 7, who use 3.0.
    """

    beams: int
    limit: int  # tokens, the end included
    length_penalty: float = 0.6
    normalisation: Normalisation = Normalisation.LENGTH
    word_margin: float | None = None
    hypothesis_margin: float | None = None

    def penalty(self, length: int) -> float:
        """What the score of `length` tokens (the end counts) is divided by."""
        base = length if self.normalisation == Normalisation.LENGTH else (5 + length) / 6
        return base**self.length_penalty


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A candidate with its words."""

    node: int
    parent: int
    token: str
    token_id: int
    word_score: float  # −log P of its last token, nats
    score: float  # Σ −log P
    normalised: float  # score ÷ penalty
    fate: Fate


@dataclass(frozen=True, slots=True)
class BeamStep:
    """The candidates of one more token, best score first; live ones are in the next step's beam."""

    length: int
    penalty: float  # what scores of this length are divided by
    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A hypothesis that came to its end, or to the limit."""

    node: int
    text: str
    tokens: tuple[str, ...]
    score: float
    normalised: float


@dataclass(frozen=True, slots=True)
class Translation:
    """The best finished hypothesis, and the whole search.

    score is Σ −log P in nats over all its tokens, the end included: smaller is better.
    normalised is score ÷ penalty(|Y|), which the search minimises; transformers'
    `sequences_scores` is −normalised.
    """

    text: str
    tokens: tuple[str, ...]  # the end included, if it ended
    score: float
    normalised: float
    steps: tuple[BeamStep, ...]
    finished: tuple[Finished, ...]  # best first, at most `beams`
    settings: SearchSettings
    source: Encoding

    @property
    def nbytes(self) -> int:
        return 300 * sum(len(step.hypotheses) for step in self.steps)
