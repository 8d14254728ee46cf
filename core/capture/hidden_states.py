"""Hidden states of a picture model: what enters its first block, and what every block gives.

timm's models don't return them. The first tensor that a block works on is what entered it, and
the last one that it makes is what it gives.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np
from jaxtyping import Float32
from torch import Tensor, nn
from typing_extensions import override

from core.capture.attention_call import read_row
from core.capture.module_mode import Function
from core.capture.recorder import ATTENTION_CALLS, Recorder
from core.interventions import Intervention
from core.trace import AttentionKind

ATTENTION: Final = ".attn"  # the module of a block that attends


class StateRecorder(Recorder):
    """Records the attention calls of one forward, and the states between its blocks.

    It is one mode, since a second one around a Swin would cost as much as the first.
    """

    watched: ClassVar = None

    def __init__(
        self,
        module: nn.Module,
        paths: Mapping[int, str],
        kind_of: Callable[[str], AttentionKind],
        interventions: Sequence[Sequence[Intervention]] = (),
        *,
        explicit: bool = False,
    ) -> None:
        super().__init__(paths, kind_of, interventions, explicit=explicit)
        attending = [path for path in paths.values() if path.endswith(ATTENTION)]
        blocks = [module.get_submodule(path.removesuffix(ATTENTION)) for path in attending]
        self._blocks = {id(block) for block in blocks}
        self._forwards = {id(type(block).forward.__code__) for block in blocks}
        self._entered: list[Tensor] = []
        self._given: dict[int, Tensor] = {}  # by block, in the order in which they ended

    @property
    def states(self) -> list[Tensor]:
        """Embeddings first, then block by block, (batch, …, d_model) each."""
        return [*self._entered, *self._given.values()]

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        attends = function in ATTENTION_CALLS
        made = super().on_call(function, args, kwargs) if attends else function(*args, **kwargs)
        if not isinstance(made, Tensor) or (block := self._working_block()) is None:
            return made
        if not self._entered:
            self._entered.append(args[0])
        self._given.pop(block, None)
        self._given[block] = made
        return made

    def _working_block(self) -> int | None:
        """Told by the code that the frames run: far cheaper than asking each for its names."""
        frame: Any = sys._getframe(3)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            if id(frame.f_code) in self._forwards and id(frame.f_locals["self"]) in self._blocks:
                return id(frame.f_locals["self"])
            frame = frame.f_back
        return None


def read_states(
    states: Sequence[Tensor], row: int = 0
) -> tuple[Float32[np.ndarray, "_token _d_model"], ...]:
    """One picture's states; grids (Swin) become rows of tokens, row by row."""
    return tuple(read_row(state.flatten(1, -2), row) for state in states)
