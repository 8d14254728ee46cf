"""A text as tokens, and a picture as patches: what the rows and columns of maps stand for."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64


@dataclass(frozen=True)
class PatchGrid:
    """Patches of a picture, row by row, after `prefix_tokens` class or register tokens."""

    rows: int
    columns: int
    prefix_tokens: int

    @property
    def n_patches(self) -> int:
        return self.rows * self.columns

    @property
    def n_tokens(self) -> int:
        """Prefix tokens and patches."""
        return self.prefix_tokens + self.n_patches


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """What the tokenizer made of a text: one entry a token, special tokens included."""

    tokens: tuple[str, ...]
    ids: Int64[np.ndarray, " token"]
    offsets: Int64[np.ndarray, "token 2"]  # characters [start, end) of its own sentence
    words: Int64[np.ndarray, " token"]  # index of the word in its sentence; -1 for special tokens
    special: Bool[np.ndarray, " token"]
    segments: Int64[np.ndarray, " token"]  # 0: first sentence, 1: second

    def __len__(self) -> int:
        return len(self.tokens)
