"""The words' vectors of an unmodified forward: a graph that begins there, or others in place."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from torch import Tensor, nn
from torch.nn.functional import embedding
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode


class WordVectors(ModuleMode):
    """Keeps what the first look-up in a model's table of words gives, asking for gradients.

    given: (row, token, width), taken instead of what was looked up.
    """

    watched: ClassVar = frozenset((embedding,))

    def __init__(self, module: nn.Module, given: Tensor | None = None) -> None:
        super().__init__({})
        table: Any = module.get_input_embeddings()  # pyright: ignore[reportCallIssue]
        self._table: Tensor = table.weight
        self._given = given
        self.vectors: Tensor | None = None

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        made = function(*args, **kwargs)
        if self.vectors is not None or args[1] is not self._table:
            return made
        vectors: Tensor = made if self._given is None else self._given
        if not vectors.requires_grad:  # parameters are frozen: the graph begins here
            vectors.requires_grad_()
        self.vectors = vectors
        return vectors
