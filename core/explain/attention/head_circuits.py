"""A head's two circuits on chosen tokens: what it would write for each, and which go together.

Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits",
https://transformer-circuits.pub/2021/framework: a head's OV circuit W_E W^V W^O W_U says what it
does to the logits where it attends to a token, its QK circuit W_E W^Q (W^K)ᵀ W_Eᵀ where it attends.
Here they are those of a model in which nothing but the embeddings and this one head writes: real
norms before the head; those behind it frozen at the scale of the embedding and the head's own
words (`frozen_path`). Left out: positions, and all that other heads and feed-forward layers add.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32, Int64

from core.explain.attribution.logit_attribution import PushedTokens, pushed_tokens
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class HeadCircuits:
    """Of one head, among chosen tokens."""

    tokens: tuple[str, ...]
    ids: Int64[np.ndarray, " token"]
    ov: Float32[np.ndarray, "source written"]  # beside its mean over the vocabulary
    ranks: Int64[np.ndarray, " source"]  # of each token itself in what is written for it; 1: first
    up: PushedTokens  # of the whole vocabulary, a source each
    down: PushedTokens
    qk: Float32[np.ndarray, "query key"]  # scaled scores
    symmetric_share: float  # of W^Q (W^K)ᵀ: see core.blocks.qk_circuit

    @property
    def preferred(self) -> Int64[np.ndarray, " query"]:
        """The key that each query scores highest."""
        return self.qk.argmax(axis=1)

    @property
    def nbytes(self) -> int:
        sides = (self.up, self.down)
        return 2 * self.ov.nbytes + sum(one.ids.nbytes + one.logits.nbytes for one in sides)


def head_circuits(
    tokens: tuple[str, ...],
    ids: Int64[np.ndarray, " token"],
    written: Float[np.ndarray, "token width"],
    unembedding: Float[np.ndarray, "vocabulary width"],
    scores: Float[np.ndarray, "token token"],
    symmetric_share: float,
) -> HeadCircuits:
    """written: what the head writes for each token, as the unembedding reads it."""
    logits = written.astype(np.float32) @ unembedding.T
    logits -= logits.mean(axis=1, keepdims=True)
    own = logits[np.arange(len(ids)), ids]
    up, down = pushed_tokens(written, unembedding)
    return HeadCircuits(
        tokens=tokens,
        ids=read_only(ids),
        ov=read_only(logits[:, ids]),
        ranks=read_only(1 + (logits > own[:, None]).sum(axis=1)),
        up=up,
        down=down,
        qk=read_only(scores.astype(np.float32)),
        symmetric_share=symmetric_share,
    )
