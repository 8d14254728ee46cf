"""What one module of an unmodified model gives, as a tensor whose gradient can be taken.

Like `core.capture` a mode of its own thread, so that no hook on a shared model is needed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from core.capture.module_path import calling_module


class OutputRecorder(TorchFunctionMode):
    """Keeps the last tensor made within the module at `path`: what it gives, for a norm."""

    def __init__(self, paths: Mapping[int, str], path: str) -> None:
        super().__init__()
        self.output: Tensor | None = None
        self._paths = paths
        self._path = path

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        if not isinstance(made, Tensor) or not made.is_floating_point():
            return made
        if calling_module(self._paths)[0] == self._path:
            # parameters are frozen: the graph begins here
            self.output = made if made.requires_grad else made.requires_grad_()
        return made
