"""Hidden states of a picture model: what enters its first block, and what every block gives.

timm's models don't return them. What a block's forward is called with entered it, and the last
tensor that it makes is what it gives.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
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

ATTENDS: Final = re.compile(r"(.+)\.attn|(.+\.\d+)\.(?:attention|self_attn)")  # timm | transformers


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
        blocks = [module.get_submodule(path) for path in block_paths(paths.values())]
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
        if not isinstance(made, Tensor) or (frame := self._working_block()) is None:
            return made
        if not self._entered:
            given = frame.f_locals[frame.f_code.co_varnames[1]]
            self._entered.append(given[0] if isinstance(given, tuple) else given)
        block = id(frame.f_locals["self"])
        self._given.pop(block, None)
        self._given[block] = made
        return made

    def _working_block(self) -> FrameType | None:
        """Told by the code that the frames run: far cheaper than asking each for its names."""
        frame: Any = sys._getframe(3)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            if id(frame.f_code) in self._forwards and id(frame.f_locals["self"]) in self._blocks:
                return frame
            frame = frame.f_back
        return None


def block_paths(paths: Iterable[str]) -> list[str]:
    """The blocks among a picture model's modules, in order: those that hold an attention."""
    found = (ATTENDS.fullmatch(path) for path in paths)
    return list(dict.fromkeys(one[1] or one[2] for one in found if one is not None))


def read_states(
    states: Sequence[Tensor], row: int = 0
) -> tuple[Float32[np.ndarray, "_token _d_model"], ...]:
    """One picture's states; grids (Swin) become rows of tokens, row by row."""
    return tuple(read_row(state.flatten(1, -2), row) for state in states)
