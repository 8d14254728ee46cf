"""What one forward pass leaves behind: immutable values, and the words for them.

Glossary, used everywhere in the project:

* *query*, *key*, *value*: the three projections of Vaswani et al. 2017, section 3.2.
  In a map, rows are queries (who looks) and columns are keys (who is looked at).
* *scores*: query · key × scale + bias, before the softmax. *Weights*: after it; each
  row sums to one, or to less where a learned *sink* takes the rest (`core.trace.sink`).
  *Logits*: outputs over a vocabulary or over classes.
* *bias*: what is added to the scores: a mask (−inf where looking is forbidden), or
  relative positions (T5, Swin).
* *kind*: encoder self-attention, decoder self-attention, or cross-attention (queries
  from the decoder, keys from the encoder).
* *position*: the place of a token, patch or prefix token in a sequence, from 0.

Traces have no batch axis and hold read-only float32 NumPy arrays, never torch tensors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from jaxtyping import Float32
from typing_extensions import override

from core.trace.attention_layer import AttentionKind, AttentionLayer
from core.trace.encoding import Encoding, PatchGrid
from core.trace.fit import refuse_misfit
from core.trace.residual_stream import Block

OF_LAYER: Final = tuple(entry.name for entry in fields(AttentionLayer))


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Trace:
    """One forward pass of one model on one input.

    Making one raises InputError for maps that don't fit the input's tokens or patches.
    """

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
        refuse_misfit(self)
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
        arrays += [getattr(layer, name) for name in OF_LAYER]
        arrays += [] if layer.windows is None else [layer.windows.weights, layer.windows.bias]
    for block in (block for of_stack in (trace.blocks or {}).values() for block in of_stack):
        arrays += [a for s in block.sublayers for a in (s.received, s.output, s.normed)]
    arrays.append(trace.logits)
    kept = [cast("np.ndarray", array) for array in arrays if isinstance(array, np.ndarray)]
    unique = {id(array): array.nbytes for array in kept}
    return sum(unique.values())
