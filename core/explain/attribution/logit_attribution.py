"""Direct logit attribution: what every head, MLP and bias of a text model writes to a logit.

The residual stream at a position is a sum: the embeddings, and what each sublayer adds. Carried to
the unembedding with frozen scales (`frozen_path`) it stays one, and a logit is linear in that:
Elhage et al. 2021, https://transformer-circuits.pub/2021/framework, "Zero-Layer Transformers" and
after; Wang et al. 2022, https://arxiv.org/abs/2211.00593, section 3. *Direct*: what a term does by
way of later layers counts for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Float, Float32, Float64, Int64

from core.explain.attribution.frozen_path import FrozenPath
from core.targets import LogitContrast
from core.trace import AttentionLayer, read_only
from core.trace.residual_stream import Block, Part

PUSHED = 10  # tokens up, and as many down, kept of each term


class Writer(StrEnum):
    """What writes a term."""

    EMBEDDINGS = "embeddings"  # what enters layer 0
    ATTENTION = "attention"  # one head of self-attention
    CROSS = "cross"  # one head of cross-attention
    MLP = "mlp"
    BIAS = "bias"  # of a layer: the biases of W^O, and the offsets of its norms (post-LN)
    READOUT = "readout"  # the offsets of all that follows the last layer, the unembedding's bias


@dataclass(frozen=True, slots=True)
class Term:
    """One summand."""

    writer: Writer
    layer: int | None = None
    head: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AttentionWrites:
    """The attention of one kind, a layer each, and how its heads write."""

    layers: Sequence[AttentionLayer]
    outputs: Sequence[Float[np.ndarray, "head d_value d_model"]]  # W^O
    biases: Sequence[Float[np.ndarray, " d_model"]]


@dataclass(frozen=True, slots=True, eq=False)
class ResidualTerms:
    """What the unembedding reads at one position, as a sum."""

    terms: tuple[Term, ...]
    vectors: Float64[np.ndarray, "term width"]


@dataclass(frozen=True, slots=True, eq=False)
class PushedTokens:
    """The tokens whose logits a term raises or lowers most, beside its mean over the vocabulary."""

    ids: Int64[np.ndarray, "term rank"]
    logits: Float32[np.ndarray, "term rank"]


@dataclass(frozen=True, slots=True, eq=False)
class LogitAttribution:
    """One logit, or a difference of two, and its terms."""

    target: LogitContrast
    logit: float  # the model's own
    terms: tuple[Term, ...]
    values: Float64[np.ndarray, " term"]
    up: PushedTokens
    down: PushedTokens
    gated: bool  # an activation is frozen, too (BERT's head)
    post_norm: bool  # norms between the layers are frozen, too

    @property
    def total(self) -> float:
        return float(self.values.sum())

    @property
    def residue(self) -> float:
        """What the terms leave over: rounding alone, if the model is what it is taken for."""
        return self.logit - self.total

    @property
    def nbytes(self) -> int:
        tokens = (self.up, self.down)
        return self.values.nbytes + sum(one.ids.nbytes + one.logits.nbytes for one in tokens)

    def of(self, writer: Writer) -> dict[Term, float]:
        """The terms of one writer."""
        pairs = zip(self.terms, self.values.tolist(), strict=True)
        return {term: value for term, value in pairs if term.writer == writer}


def head_outputs(
    layer: AttentionLayer, outputs: Float[np.ndarray, "head d_value d_model"], position: int
) -> Float64[np.ndarray, "head d_model"]:
    """What every head adds at a position: Σ_j α_j v_j W^O, its bias left out.

    Raises ValueError for a layer whose values were not caught.
    """
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    mixed = np.einsum("hk,hkd->hd", layer.row(position), layer.values, dtype=np.float64)
    return np.einsum("hd,hdm->hm", mixed, outputs)


def residual_terms(
    blocks: Sequence[Block],
    attention: Mapping[Part, AttentionWrites],
    path: FrozenPath,
    position: int,
) -> ResidualTerms:
    """Every term at a position, carried to the unembedding."""
    start = blocks[0].sublayers[0].received[position][None]
    terms = [Term(Writer.EMBEDDINGS)]
    vectors = [path.carried(start, -1)]
    index = 0
    for layer, block in enumerate(blocks):
        biases = np.zeros_like(vectors[0])
        for sublayer in block.sublayers:
            if sublayer.part == Part.MLP:
                terms.append(Term(Writer.MLP, layer))
                added = sublayer.output[position][None]
            else:
                writes = attention[sublayer.part]
                added = head_outputs(writes.layers[layer], writes.outputs[layer], position)
                writer = Writer(sublayer.part)
                terms += [Term(writer, layer, head) for head in range(len(added))]
                biases += path.carried(writes.biases[layer][None], index)
            vectors.append(path.carried(added, index))
            offset = path.norm_offset(index)
            biases += 0 if offset is None else offset
            index += 1
        terms.append(Term(Writer.BIAS, layer))
        vectors.append(biases)
    last = path.readout_offset()
    terms.append(Term(Writer.READOUT))
    vectors.append(np.zeros_like(vectors[0]) if last is None else last)
    return ResidualTerms(tuple(terms), np.concatenate(vectors))


def pushed_tokens(
    vectors: Float[np.ndarray, "term width"],
    unembedding: Float[np.ndarray, "vocabulary width"],
    count: int = PUSHED,
) -> tuple[PushedTokens, PushedTokens]:
    """The tokens that each vector raises most, and lowers most, strongest first.

    Beside its mean over the vocabulary: a softmax does not see what is added to all tokens.
    """
    logits = vectors.astype(np.float32) @ unembedding.T
    logits -= logits.mean(axis=1, keepdims=True)
    return _largest(logits, count), _largest(logits, count, sign=-1)


def logit_attribution(
    found: ResidualTerms,
    unembedding: Float[np.ndarray, "vocabulary width"],
    bias: Float[np.ndarray, " vocabulary"],
    target: LogitContrast,
    logits: Float[np.ndarray, " vocabulary"],
    path: FrozenPath,
) -> LogitAttribution:
    """The terms of the target's logit, or of the difference. logits: the model's own, there."""
    direction, constant = unembedding[target.token].astype(np.float64), float(bias[target.token])
    logit = float(logits[target.token])
    if target.against is not None:
        direction = direction - unembedding[target.against]
        constant -= float(bias[target.against])
        logit -= float(logits[target.against])
    values = found.vectors @ direction
    values[-1] += constant
    up, down = pushed_tokens(found.vectors, unembedding)
    return LogitAttribution(
        target=target,
        logit=logit,
        terms=found.terms,
        values=read_only(values),
        up=up,
        down=down,
        gated=path.gated,
        post_norm=any(norm is not None for norm in path.norms),
    )


def _largest(
    logits: Float32[np.ndarray, "term vocabulary"], count: int, sign: int = 1
) -> PushedTokens:
    count = min(count, logits.shape[1])
    signed = sign * logits
    some = np.argpartition(-signed, count - 1, axis=1)[:, :count]
    order = np.argsort(-np.take_along_axis(signed, some, axis=1), axis=1, kind="stable")
    ids = np.take_along_axis(some, order, axis=1).astype(np.int64)
    return PushedTokens(read_only(ids), read_only(np.take_along_axis(logits, ids, axis=1)))
