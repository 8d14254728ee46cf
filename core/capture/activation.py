"""What one module of an unmodified model gives, as a tensor whose gradient can be taken."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode


class OutputRecorder(ModuleMode):
    """Keeps the last tensor made within the module at `path`: what it gives, for a norm."""

    def __init__(self, paths: Mapping[int, str], path: str) -> None:
        super().__init__(paths)
        self.output: Tensor | None = None
        self._path = path

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        made = function(*args, **kwargs)
        if not isinstance(made, Tensor) or not made.is_floating_point():
            return made
        if self.caller()[0] == self._path:
            # parameters are frozen: the graph begins here
            self.output = made if made.requires_grad else made.requires_grad_()
        return made
