"""Multi-head attention, step by step, from a layer's input to what it adds to the stream.

Vaswani et al. 2017, section 3.2.2: MultiHead(X, Y) = Concat(head_1, …, head_h) W^O with
head_i = softmax(Q K^T / √d_k + M) V, Q = X W^Q + b, K = Y W^K + b, V = Y W^V + b. In self-attention
Y is X; in cross-attention it is the encoder's output.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float32

from core.explain.attention.score_steps import steps_of
from core.trace import AttentionLayer, read_only


@runtime_checkable
class Matrices(Protocol):
    """One head's own matrices, for row vectors."""

    @property
    def query(self) -> Float32[np.ndarray, "d_model d_head"]: ...
    @property
    def key(self) -> Float32[np.ndarray, "d_key_input d_head"]: ...
    @property
    def value(self) -> Float32[np.ndarray, "d_key_input d_value"]: ...
    @property
    def query_bias(self) -> Float32[np.ndarray, " d_head"]: ...
    @property
    def key_bias(self) -> Float32[np.ndarray, " d_head"]: ...
    @property
    def value_bias(self) -> Float32[np.ndarray, " d_value"]: ...


@dataclass(frozen=True, slots=True, eq=False)
class MultiHead:
    """Every matrix on the way; all computed here, from the weights."""

    received: Float32[np.ndarray, "query d_model"]  # X
    memory: Float32[np.ndarray, "key d_key_input"]  # Y
    queries: Float32[np.ndarray, "query d_head"]
    keys: Float32[np.ndarray, "key d_head"]
    values: Float32[np.ndarray, "key d_value"]
    products: Float32[np.ndarray, "query key"]  # Q K^T
    scaled: Float32[np.ndarray, "query key"]  # × scale
    bias: Float32[np.ndarray, "query key"]  # mask or relative positions; −inf: forbidden
    weights: Float32[np.ndarray, "query key"]
    output: Float32[np.ndarray, "query d_value"]  # Z of this head
    concatenated: Float32[np.ndarray, "query d_concatenated"]  # Z of all heads, side by side
    result: Float32[np.ndarray, "query d_model"]  # concatenated × W^O + b
    scale: float
    errors: tuple[float, float]  # largest differences from the model's own q, k, v; and result

    @property
    def nbytes(self) -> int:
        """Roughly: the widest arrays."""
        return 4 * self.result.nbytes + 5 * self.weights.nbytes


def multi_head(
    received: Float32[np.ndarray, "query d_model"],
    memory: Float32[np.ndarray, "key d_key_input"],
    layer: AttentionLayer,
    *,
    head: int,
    matrices: Matrices,
    outputs: Float32[np.ndarray, "head d_value d_model"],
    output_bias: Float32[np.ndarray, " d_model"],
    models_own: Float32[np.ndarray, "query d_model"],
) -> MultiHead:
    """Work out one head of a layer in full, and the other heads from their q, k and v.

    outputs: the rows of W^O that belong to each head. models_own: what the model's attention
    module gave. Raises ValueError for a layer whose q, k and v were not caught.
    """
    if layer.queries is None or layer.keys is None or layer.values is None:
        raise ValueError(f"layer {layer.index} has no q, k and v")
    queries = received @ matrices.query + matrices.query_bias
    keys = memory @ matrices.key + matrices.key_bias
    values = memory @ matrices.value + matrices.value_bias
    steps = steps_of(queries, keys, layer, head)
    heads = layer.weights @ layer.values  # (head, query, d_value)
    output = steps.weights @ values
    heads = np.concatenate([heads[:head], output[None], heads[head + 1 :]])
    concatenated = heads.transpose(1, 0, 2).reshape(len(queries), -1)
    result = concatenated @ outputs.reshape(concatenated.shape[1], -1) + output_bias
    caught = ((queries, layer.queries), (keys, layer.keys), (values, layer.values))
    off = max(float(np.abs(made - own[head]).max()) for made, own in caught)
    return MultiHead(
        received=received,
        memory=memory,
        queries=read_only(queries),
        keys=read_only(keys),
        values=read_only(values),
        products=steps.products,
        scaled=steps.scaled,
        bias=steps.bias,
        weights=steps.weights,
        output=read_only(output),
        concatenated=read_only(concatenated),
        result=read_only(result),
        scale=layer.scale,
        errors=(off, float(np.abs(result - models_own).max())),
    )
