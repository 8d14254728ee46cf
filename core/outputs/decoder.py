"""What a decoder answers besides traces: immutable values, without torch."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

import numpy as np
from jaxtyping import Bool, Float32, Int64

from core.trace import Encoding

Stopped = Literal["end", "length", "context"]
START: Final = "⟨s⟩"
DELIMITER: Final = "$"
EXTRACT: Final = "⟨e⟩"
NEW: Final = (START, DELIMITER, EXTRACT)
LM_WEIGHT: Final = 0.5  # λ of Radford et al. 2018, section 4.1
MOST_ANSWERS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class NextStep:
    """One forward pass as a decoder uses it: what may come, and where it looked to know."""

    encoding: Encoding  # of the prompt and what followed it; without places in a text
    prompt_length: int  # tokens of the prompt
    prompt: str  # as the tokenizer writes it back
    continuation: str  # what followed it
    log_probabilities: Float32[np.ndarray, " chosen"]  # ln P of each token that followed it
    ranks: tuple[int, ...]  # theirs: 1 for the model's first choice
    logits: Float32[np.ndarray, " vocabulary"]  # of the token after the last
    attention: Float32[np.ndarray, "layer head key"]  # the last token's rows
    limit: int  # tokens that the model can read
    end_ids: frozenset[int]  # tokens that end a text

    @property
    def nbytes(self) -> int:
        return self.logits.nbytes + self.attention.nbytes

    @property
    def bits(self) -> float:
        """−log2 P of what followed the prompt."""
        return -float(self.log_probabilities.sum(dtype=np.float64)) / float(np.log(2))

    @property
    def is_full(self) -> bool:
        """Whether a further token could not be read."""
        return len(self.encoding) >= self.limit


@dataclass(frozen=True, slots=True, eq=False)
class GenerationStep:
    """One chosen token."""

    token: str
    id: int
    probability: float  # with which it was chosen, after temperature and cuts
    raw_probability: float  # softmax of the model's own logits
    rank: int  # among the model's own logits, 1 for the largest
    n_kept: int  # tokens that the cuts left
    logits: Float32[np.ndarray, " vocabulary"]
    attention: Float32[np.ndarray, "layer head key"]  # rows of the token before the chosen one


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A continuation, and why it stopped: an end token, the asked length, or no more room."""

    text: str  # the continuation alone
    prompt: Encoding
    steps: tuple[GenerationStep, ...]
    stopped: Stopped

    @property
    def nbytes(self) -> int:
        return sum(step.logits.nbytes + step.attention.nbytes for step in self.steps)


@dataclass(frozen=True, slots=True)
class TokenInventory:
    """What sequences of tokens can be made of."""

    plain: tuple[int, ...]  # all ids but special ones
    start: int | None  # stands before a text: the start token, or the end of the text before
    limit: int  # tokens that the model can read


@dataclass(frozen=True, slots=True, eq=False)
class ContinuationScore:
    """How probable a given continuation is, token by token."""

    tokens: tuple[str, ...]
    log_probabilities: Float32[np.ndarray, " token"]  # natural logarithm
    ranks: tuple[int, ...]  # 1: the model would have chosen it greedily
    prompt_length: int  # tokens before it
    first_choice: int  # the id that the model would have begun with

    @property
    def probability(self) -> float:
        return float(np.exp(self.log_probabilities.sum(dtype=np.float64)))


class Task(StrEnum):
    """The four kinds of the paper's figure 1."""

    CLASSIFICATION = "classification"
    ENTAILMENT = "entailment"
    SIMILARITY = "similarity"
    MULTIPLE_CHOICE = "multiple-choice"


CLASSES: Final = {
    Task.CLASSIFICATION: ("negative", "positive"),
    Task.ENTAILMENT: ("entailment", "neutral", "contradiction"),
    Task.SIMILARITY: ("different", "same meaning"),
}


@dataclass(frozen=True, slots=True, eq=False)
class TaskSequence:
    """One sequence as the model reads it."""

    tokens: tuple[str, ...]
    ids: Int64[np.ndarray, " token"]  # those of new tokens come after the vocabulary
    is_new: Bool[np.ndarray, " token"]  # start, delimiter, extract: no pre-training saw them
    state: Float32[np.ndarray, " d_model"]  # of the extract token, after the last layer
    lm_loss: float  # mean −ln P of the tokens after the start, over the vocabulary and the new


@dataclass(frozen=True, slots=True, eq=False)
class FineTuningStart:
    """The forward pass before the first update."""

    task: Task
    sequences: tuple[TaskSequence, ...]
    classes: tuple[str, ...]
    head: Float32[np.ndarray, "d_model output"]  # W_y, drawn at random; one output for answers
    logits: Float32[np.ndarray, " class"]
    probabilities: Float32[np.ndarray, " class"]
    new_parameters: int  # W_y and the embeddings of the new tokens

    @property
    def lm_loss(self) -> float:
        """L1: the mean over the sequences."""
        return float(np.mean([sequence.lm_loss for sequence in self.sequences]))

    def loss(self, label: int) -> float:
        """L3 = L2 + λ L1, in nats, for the true class."""
        return -float(np.log(self.probabilities[label])) + LM_WEIGHT * self.lm_loss
