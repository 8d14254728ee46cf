"""What writing on leaves behind: one step, and a whole continuation."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float32

from core.trace import Encoding

Stopped = Literal["end", "length", "context"]


@dataclass(frozen=True, slots=True, eq=False)
class NextStep:
    """One forward pass as a decoder uses it: what may come, and where it looked to know."""

    encoding: Encoding  # of the prompt and what followed it; without places in a text
    prompt_length: int  # tokens of the prompt
    prompt: str  # as the tokenizer writes it back
    continuation: str  # what followed it
    logits: Float32[np.ndarray, " vocabulary"]  # of the token after the last
    attention: Float32[np.ndarray, "layer head key"]  # the last token's rows
    limit: int  # tokens that the model can read

    @property
    def nbytes(self) -> int:
        return self.logits.nbytes + self.attention.nbytes

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


@dataclass(frozen=True, slots=True, eq=False)
class ContinuationScore:
    """How probable a given continuation is, token by token."""

    tokens: tuple[str, ...]
    log_probabilities: Float32[np.ndarray, " token"]  # natural logarithm
    ranks: tuple[int, ...]  # 1: the model would have chosen it greedily
    prompt_length: int  # tokens before it

    @property
    def probability(self) -> float:
        return float(np.exp(self.log_probabilities.sum(dtype=np.float64)))


def end_ids(module: Any) -> frozenset[int]:
    """The tokens that end a text, as the model's own generation settings name them."""
    settings: Any = getattr(module, "generation_config", None) or module.config
    given = settings.eos_token_id
    return frozenset(given if isinstance(given, list) else [] if given is None else [given])
