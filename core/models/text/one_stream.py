"""One residual stream a position: what every view of hidden states stands on."""

from collections.abc import Mapping

import numpy as np

from core.errors import InputError
from core.trace import AttentionKind

States = Mapping[AttentionKind, tuple[np.ndarray, ...]]


def one_stream(title: str, states: States) -> States:
    """The states of one text. Raises InputError for a model that keeps several streams apart.

    Hyper-connections (Zhu et al. 2024, https://arxiv.org/abs/2409.19606) carry a position as
    several vectors, mixed anew at every layer.
    """
    for state in (state for of_kind in states.values() for state in of_kind):
        if state.ndim != 2:
            raise InputError(
                f"{title}: its hidden states are {' × '.join(map(str, state.shape))} numbers, "
                f"{state.shape[1]} streams a token instead of one (hyper-connections), so what its "
                "views tell of a token's one vector has no meaning here. This model can't be "
                "shown; choose another."
            )
    return states
