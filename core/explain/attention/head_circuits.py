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
    """Of one head, among chosen tokens: each attended to, written, a query and a key.

    In cross-attention positions of the encoder are attended to, and are the keys.
    """

    sources: tuple[str, ...]  # attended to, keys
    tokens: tuple[str, ...]  # written, queries
    source_ids: Int64[np.ndarray, " source"]
    ids: Int64[np.ndarray, " token"]
    ov: Float32[np.ndarray, "source token"]  # beside its mean over the vocabulary
    ranks: Int64[np.ndarray, "source token"]  # among all that is written for a source; 1: first
    up: PushedTokens  # of the whole vocabulary, a source each
    down: PushedTokens
    qk: Float32[np.ndarray, "token source"]  # scaled scores
    symmetric_share: float | None  # of W^Q (W^K)ᵀ: see core.blocks.qk_circuit; None: cross

    @property
    def preferred(self) -> Int64[np.ndarray, " token"]:
        """The key that each query scores highest."""
        return self.qk.argmax(axis=1)

    @property
    def nbytes(self) -> int:
        sides = (self.up, self.down)
        own = self.ov.nbytes + self.ranks.nbytes + self.qk.nbytes
        return own + sum(one.ids.nbytes + one.logits.nbytes for one in sides)


def head_circuits(
    sources: tuple[str, ...],
    tokens: tuple[str, ...],
    source_ids: Int64[np.ndarray, " source"],
    ids: Int64[np.ndarray, " token"],
    written: Float[np.ndarray, "source width"],
    unembedding: Float[np.ndarray, "vocabulary width"],
    scores: Float[np.ndarray, "token source"],
    symmetric_share: float | None,
) -> HeadCircuits:
    """written: what the head writes for each source, as the unembedding reads it."""
    logits = written.astype(np.float32) @ unembedding.T
    logits -= logits.mean(axis=1, keepdims=True)
    ov = logits[:, ids]
    up, down = pushed_tokens(written, unembedding)
    ahead = [(logits > one[:, None]).sum(axis=1) for one in ov.T]
    return HeadCircuits(
        sources=sources,
        tokens=tokens,
        source_ids=read_only(source_ids),
        ids=read_only(ids),
        ov=read_only(ov),
        ranks=read_only(1 + np.stack(ahead, axis=1)),
        up=up,
        down=down,
        qk=read_only(scores.astype(np.float32)),
        symmetric_share=symmetric_share,
    )
