"""What every model can be asked, whatever it reads."""

from collections.abc import Sequence
from typing import ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np
from jaxtyping import Float32

from core.catalog.card import ModelCard
from core.interventions import Intervention
from core.positions.table import PositionTable
from core.trace import Trace

Given = TypeVar("Given", contravariant=True)  # what one forward pass reads
Quantity = TypeVar("Quantity", contravariant=True)  # which of its answers is measured


@runtime_checkable
class Model(Protocol[Given, Quantity]):
    """An opened model. It keeps nothing of past runs, and its weights are never changed.

    A question raises InputError for what the reader can mend.
    """

    batched: ClassVar[frozenset[str]]
    """Arguments of `trace` that `trace_many` takes; what is asked with others runs alone."""

    @property
    def card(self) -> ModelCard:
        """What is known of the model, its layers, heads and classes counted."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes that its parameters and buffers keep alive."""
        ...

    def trace(self, given: Given, /, *, interventions: Sequence[Intervention] = ()) -> Trace:
        """One forward pass, with every attention map."""
        ...

    def trace_many(
        self,
        inputs: Sequence[Given],
        interventions: Sequence[Sequence[Intervention]] | None = None,
    ) -> tuple[Trace, ...]:
        """Traces of many inputs; those of one shape run as one batch, and none is padded.

        An input is what `trace` takes first, or its arguments by name where there are several.
        The i-th interventions act on the i-th input.
        """
        ...

    def measure(
        self,
        given: Given,
        /,
        variants: Sequence[Sequence[Intervention]],
        quantity: Quantity,
    ) -> Float32[np.ndarray, " variant"]:
        """An answer's probability under each of many changes, in batches; no map is kept."""
        ...


class Positioned(Protocol):
    """A model that may hold a table of positions."""

    def position_table(self) -> PositionTable:
        """The model's own table. Raises InputError for a model without one."""
        ...
