"""One token's numbers, step by step: the projection, its norm, the position, the token."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.outputs.patch_embedding import PatchEmbedding
from core.outputs.vision import SeenPicture

TOLERANCE: Final = 1e-3  # of the sum that should be the token


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A model's embedding of the picture, and the tokens that enter its first block."""

    title: str  # of the model
    seen: SeenPicture
    embedding: PatchEmbedding
    tokens: np.ndarray | None  # (token, d_model)

    @property
    def width(self) -> int:
        return self.embedding.projected.shape[1]

    def rows(self, token: int) -> dict[str, np.ndarray]:
        """The token's numbers, from the projection (or what was learned) to the token."""
        embedding, first = self.embedding, len(self.seen.prefix)
        if token < first:
            return self._learned(token)
        patch = token - first
        rows = {"projection": embedding.projected[patch]}
        if embedding.norm:
            rows[embedding.norm] = embedding.embedded[patch]
        if embedding.positions is not None:
            rows["+position"] = embedding.positions[patch]
        if self.tokens is not None:
            rows["=token"] = self.tokens[token]
        return rows

    @property
    def is_plain_sum(self) -> bool:
        """Whether nothing but a position is added on the way to the first block."""
        tokens = self.tokens
        return tokens is None or self.embedding.is_plain_sum(tokens, tolerance=TOLERANCE)

    def _learned(self, token: int) -> dict[str, np.ndarray]:
        if self.tokens is None:
            return {}
        positions = self.embedding.prefix_positions
        if positions is None or not self.is_plain_sum:
            return {"token": self.tokens[token]}
        position = positions[token]
        return {
            "learned": self.tokens[token] - position,
            "+position": position,
            "=token": self.tokens[token],
        }
