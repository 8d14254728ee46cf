"""The one interceptor: a mode around a forward that sees which functions its modules call.

A `TorchFunctionMode` belongs to its thread, so threads that share one model never mix, which
forward hooks do; and the model stays as it is. What rides on it says which functions it
watches, and what it does `on_call`: before the call, instead of it, or after it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from torch import nn
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from core.capture.module_path import calling_module

Function = Callable[..., Any]


class ModuleMode(TorchFunctionMode, ABC):
    """Around a forward: every watched function that it calls comes to `on_call`.

    What `on_call` itself calls is not seen again by the same mode. Of several modes the one that
    was entered last sees a call first.
    """

    watched: ClassVar[frozenset[Function] | None] = None  # None: every function

    def __init__(self, paths: Mapping[int, str]) -> None:
        """paths: the name of every module, by `id` (see `module_paths`)."""
        super().__init__()
        self._paths = paths

    @abstractmethod
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What the model gets for its call: `function(*args, **kwargs)`, or something else."""

    def caller(self) -> tuple[str, nn.Module | None]:
        """Path and module of the innermost module that made this call: 8 to 15 µs."""
        return calling_module(self._paths)

    @override
    def __torch_function__(
        self,
        func: Function,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if self.watched is not None and func not in self.watched:  # hundreds of calls a forward
            return func(*args, **(kwargs or {}))
        return self.on_call(func, args, kwargs or {})
