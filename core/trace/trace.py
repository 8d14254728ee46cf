"""What one forward pass leaves behind: immutable values, and the words for them.

Glossary, used everywhere in the project:

* *query*, *key*, *value*: the three projections of Vaswani et al. 2017, section 3.2.
  In a map, rows are queries (who looks) and columns are keys (who is looked at).
* *scores*: query · key × scale + bias, before the softmax. *Weights*: after it; each
  row sums to one. *Logits*: outputs over a vocabulary or over classes.
* *bias*: what is added to the scores: a mask (−inf where looking is forbidden), or
  relative positions (T5, Swin).
* *kind*: encoder self-attention, decoder self-attention, or cross-attention (queries
  from the decoder, keys from the encoder).
* *position*: the place of a token, patch or prefix token in a sequence, from 0.

Traces have no batch axis and hold read-only float32 NumPy arrays, never torch tensors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int64
from typing_extensions import override

from core.trace.residual_stream import Block
from core.trace.windows import Windows

ROW_SUM_TOLERANCE = 1e-3
MASKED = -1e30  # transformers masks with the dtype's minimum, timm with -inf: both lie below


class AttentionKind(StrEnum):
    """Which of the paper's three uses of attention made a map."""

    ENCODER = "encoder"
    DECODER = "decoder"
    CROSS = "cross"


def read_only(array: np.ndarray) -> np.ndarray:
    """A contiguous, read-only copy that shares no memory with the model's buffers."""
    copy = np.array(array, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def softmax(scores: Float32[np.ndarray, "*axes"]) -> Float32[np.ndarray, "*axes"]:
    """Softmax over the last axis; a masked score (-inf) gives exactly zero."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    np.exp(shifted, out=shifted)
    shifted /= shifted.sum(axis=-1, keepdims=True)
    return shifted


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


@dataclass(frozen=True, slots=True, eq=False)
class AttentionLayer:
    """The attention of one layer: what went in, from which the weights follow.

    Queries, keys and values are as the attention saw them (rotary positions applied).
    They are None where a model writes out its own softmax and only the weights were
    caught. Grouped keys (Llama) are kept once per group; `keys` repeats them.
    """

    index: int
    kind: AttentionKind
    scale: float
    queries: Float32[np.ndarray, "head query d_head"] | None = None
    grouped_keys: Float32[np.ndarray, "group key d_head"] | None = None
    grouped_values: Float32[np.ndarray, "group key d_value"] | None = None
    bias: Float32[np.ndarray, "#head #query #key"] | None = None
    recorded_weights: Float32[np.ndarray, "head query key"] | None = None
    gradients: Float32[np.ndarray, "head query key"] | None = None  # of the answer asked about
    query_grid: PatchGrid | None = None
    key_grid: PatchGrid | None = None
    windows: Windows | None = None  # Swin: then all above is in the picture's order, bias there

    @property
    def n_heads(self) -> int:
        if self.windows is not None:
            return self.windows.weights.shape[1]
        source = self.recorded_weights if self.queries is None else self.queries
        if source is None:
            raise ValueError(f"layer {self.index} has neither queries nor recorded weights")
        return source.shape[0]

    @property
    def keys(self) -> Float32[np.ndarray, "head key d_head"] | None:
        return self._repeated(self.grouped_keys)

    @property
    def values(self) -> Float32[np.ndarray, "head key d_value"] | None:
        return self._repeated(self.grouped_values)

    @property
    def scores(self) -> Float32[np.ndarray, "head query key"] | None:
        """query · key × scale + bias; None where only the weights were caught."""
        if self.queries is None or self.keys is None:
            return None
        if self.windows is not None:
            return self.windows.scores(self.queries, self.keys, self.scale)
        scores = np.matmul(self.queries, self.keys.swapaxes(-1, -2))
        scores *= np.float32(self.scale)
        return scores if self.bias is None else scores + self.bias

    @property
    def weights(self) -> Float32[np.ndarray, "head query key"]:
        """Softmax of the scores. Computed at each call: keep it, or let the engine."""
        if self.windows is not None:
            return self.windows.whole()
        if self.recorded_weights is not None:
            return self.recorded_weights
        scores = self.scores
        if scores is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        return self._checked(softmax(scores))

    def row(self, query: int) -> Float32[np.ndarray, "head key"]:
        """Where one query looks, for every head, without computing the other rows."""
        if self.windows is not None:
            return self.windows.row(query)
        if self.recorded_weights is not None:
            return self.recorded_weights[:, query]
        if self.queries is None or self.keys is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        scores = np.einsum("hd,hkd->hk", self.queries[:, query], self.keys)
        scores *= np.float32(self.scale)
        if self.bias is not None:
            scores = scores + self.bias[:, query if self.bias.shape[1] > 1 else 0]
        return self._checked(softmax(scores))

    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which keys the mask lets each query see, in at least one head."""
        if self.windows is not None:
            return self.windows.allowed_pairs()
        if self.bias is None:
            return np.ones(self.map_shape, dtype=bool)
        return np.broadcast_to((self.bias > MASKED).any(axis=0), self.map_shape)

    @property
    def map_shape(self) -> tuple[int, int]:
        """Queries and keys."""
        if self.windows is not None:
            n_patches = self.windows.partition.n_patches
            return n_patches, n_patches
        if self.recorded_weights is not None:
            return self.recorded_weights.shape[1], self.recorded_weights.shape[2]
        if self.queries is None or self.grouped_keys is None:
            raise ValueError(f"layer {self.index} has neither scores nor recorded weights")
        return self.queries.shape[1], self.grouped_keys.shape[1]

    def _repeated(self, grouped: np.ndarray | None) -> np.ndarray | None:
        if grouped is None or grouped.shape[0] == self.n_heads:
            return grouped
        return np.repeat(grouped, self.n_heads // grouped.shape[0], axis=0)

    def _checked(self, weights: np.ndarray) -> np.ndarray:
        sums = weights.sum(axis=-1)
        off = np.abs(sums - 1) > ROW_SUM_TOLERANCE
        if off.any() or np.isnan(sums).any():
            raise ValueError(
                f"{self.kind} layer {self.index}: a row of weights sums to "
                f"{sums.flat[int(np.argmax(np.abs(sums - 1)))]}, not to one"
            )
        weights.setflags(write=False)
        return weights


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace:
    """One forward pass of one model on one input."""

    model_id: str
    layers: Mapping[AttentionKind, tuple[AttentionLayer, ...]]
    states: Mapping[AttentionKind, tuple[Float32[np.ndarray, "_position _d_model"], ...]]
    encoding: Encoding | None = None
    target_encoding: Encoding | None = None
    logits: Float32[np.ndarray, "*positions output"] | None = None
    patches: PatchGrid | None = None
    blocks: Mapping[AttentionKind, tuple[Block, ...]] | None = None
    pool: AttentionLayer | None = None  # one latent query reads all patches out (SigLIP)
    nbytes: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nbytes", _bytes_of(self))

    @override
    def __repr__(self) -> str:
        from core.trace.summary import summary

        return summary(self)

    def save(self, path: str | Path) -> None:
        """Write it as a .npz file that `Trace.open` and NumPy read; see `core.trace.files`."""
        from core.trace.files import save_trace

        save_trace(self, Path(path))

    @classmethod
    def open(cls, path: str | Path) -> "Trace":
        """A trace that was saved. Raises InputError for any other file."""
        from core.trace.files import open_trace

        return open_trace(Path(path))

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        return tuple(self.layers)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The input's tokens: the encoder's, or a decoder-only model's."""
        return () if self.encoding is None else self.encoding.tokens

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """The decoder's input, start token included; empty without a second stack."""
        return () if self.target_encoding is None else self.target_encoding.tokens

    def n_layers(self, kind: AttentionKind | None = None) -> int:
        return len(self.layers[self._kind(kind)])

    def n_heads(self, kind: AttentionKind | None = None, layer: int = 0) -> int:
        return self.layers[self._kind(kind)][layer].n_heads

    def attention(self, layer: int, *, kind: AttentionKind | None = None) -> AttentionLayer:
        """One layer's attention, counted from 0; `kind` may be left out where there is one."""
        of_kind = self.layers[self._kind(kind)]
        if not 0 <= layer < len(of_kind):
            raise ValueError(f"{self.model_id} has layers 0 to {len(of_kind) - 1}, not {layer}")
        return of_kind[layer]

    def query_encoding(self, kind: AttentionKind) -> Encoding | None:
        """The tokens that the rows of a kind's maps stand for."""
        two_stacks = self.target_encoding is not None
        return self.target_encoding if two_stacks and kind != "encoder" else self.encoding

    def key_encoding(self, kind: AttentionKind) -> Encoding | None:
        """The tokens that the columns of a kind's maps stand for."""
        two_stacks = self.target_encoding is not None
        return self.target_encoding if two_stacks and kind == "decoder" else self.encoding

    def hidden_states(
        self, stack: AttentionKind | None = None
    ) -> tuple[Float32[np.ndarray, "_position _d_model"], ...]:
        """The embeddings, then every layer's output, of the encoder or the decoder."""
        if stack is None and len(self.states) > 1:
            raise ValueError(f"say which stack: {', '.join(self.states)}")
        if not self.states or (stack is not None and stack not in self.states):
            raise ValueError(
                f"{self.model_id} keeps no hidden states{f' of {stack}' * bool(stack)}"
            )
        return self.states[next(iter(self.states)) if stack is None else stack]

    def block(self, layer: int, stack: AttentionKind | None = None) -> Block:
        """What a layer's sublayers did; of a trace that was asked for with `blocks=True`."""
        if self.blocks is None:
            raise ValueError("this trace has no blocks: ask for it with trace(…, blocks=True)")
        if stack is None and len(self.blocks) > 1:
            raise ValueError(f"say which stack: {', '.join(self.blocks)}")
        of_stack = self.blocks[next(iter(self.blocks)) if stack is None else stack]
        if not 0 <= layer < len(of_stack):
            raise ValueError(f"{self.model_id} has layers 0 to {len(of_stack) - 1}, not {layer}")
        return of_stack[layer]

    def _kind(self, kind: AttentionKind | None) -> AttentionKind:
        if kind is None and len(self.layers) > 1:
            raise ValueError(f"say which kind of attention: {', '.join(self.layers)}")
        if kind is not None and kind not in self.layers:
            raise ValueError(f"{self.model_id} has {', '.join(self.layers)} attention, not {kind}")
        return next(iter(self.layers)) if kind is None else AttentionKind(kind)


def _bytes_of(trace: Trace) -> int:
    """Bytes of all arrays; a mask that layers share counts once."""
    arrays: list[Any] = [array for states in trace.states.values() for array in states]
    pooling = () if trace.pool is None else (trace.pool,)
    for layer in (*pooling, *(layer for of_kind in trace.layers.values() for layer in of_kind)):
        arrays += [getattr(layer, entry.name) for entry in fields(layer)]
        arrays += [] if layer.windows is None else [layer.windows.weights, layer.windows.bias]
    for block in (block for of_stack in (trace.blocks or {}).values() for block in of_stack):
        arrays += [a for s in block.sublayers for a in (s.received, s.output, s.normed)]
    arrays.append(trace.logits)
    unique = {id(array): array.nbytes for array in arrays if isinstance(array, np.ndarray)}
    return sum(unique.values())
