"""The four matrices of one attention head, as values; `core.models.text.projections` reads them."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32


@dataclass(frozen=True, slots=True, eq=False)
class HeadProjections:
    """One head's matrices, for row vectors x: x W + b. A model without biases has zeros."""

    query: Float32[np.ndarray, "d_model d_head"]
    key: Float32[np.ndarray, "d_key_input d_head"]
    value: Float32[np.ndarray, "d_key_input d_value"]
    output: Float32[np.ndarray, "d_value d_model"]
    query_bias: Float32[np.ndarray, " d_head"]
    key_bias: Float32[np.ndarray, " d_head"]
    value_bias: Float32[np.ndarray, " d_value"]
    output_bias: Float32[np.ndarray, " d_model"]  # added once, to the sum of all heads

    @property
    def nbytes(self) -> int:
        return sum(getattr(self, name).nbytes for name in self.__slots__)
