"""Hidden states of a picture model: what enters its first block, and what every block gives.

timm's models don't return them, so each block tells. The hooks are put on once, when a model is
opened, and write only where the running context asks: threads that share a model never mix.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from jaxtyping import Float32
from torch import Tensor, nn

from core.capture.attention_call import read_row

_collected: ContextVar[list[Tensor] | None] = ContextVar("collected", default=None)


def watch_blocks(module: nn.Module) -> None:
    """Let every block (a module with an attention of its own, `attn`) tell what it gives."""
    blocks = [part for part in module.modules() if hasattr(part, "attn")]
    for index, block in enumerate(blocks):
        if index == 0:
            block.register_forward_pre_hook(_tell_input)
        block.register_forward_hook(_tell_output)


@contextmanager
def block_outputs() -> Generator[list[Tensor]]:
    """The states of the forward within: embeddings first, (batch, …, d_model) each."""
    states: list[Tensor] = []
    token = _collected.set(states)
    try:
        yield states
    finally:
        _collected.reset(token)


def read_states(
    states: list[Tensor], row: int = 0
) -> tuple[Float32[np.ndarray, "_token _d_model"], ...]:
    """One picture's states; grids (Swin) become rows of tokens, row by row."""
    return tuple(read_row(state.flatten(1, -2), row) for state in states)


def _tell_input(_: nn.Module, given: tuple[Any, ...]) -> None:
    states = _collected.get()
    if states is not None:
        states.append(given[0])


def _tell_output(_: nn.Module, _given: tuple[Any, ...], made: Any) -> None:
    states = _collected.get()
    if states is not None and isinstance(made, Tensor):
        states.append(made)
