"""What the parts of a text model say in the words of its own vocabulary."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.capture.neurons import NeuronRecorder
from core.explain.attribution.logit_attribution import LogitAttribution
from core.explain.attribution.neuron_writes import NeuronWrites, Strength
from core.models.text.base import TextModel
from core.models.text.direct_logits import direct_logits
from core.models.text.neurons import firings, writes_of_neurons
from core.models.text.same_shape import in_batches
from core.outputs.firing import Firing
from core.targets import LogitContrast


@dataclass(frozen=True)
class ReadableModel(TextModel, ABC):
    """A text model with a head over a vocabulary."""

    def direct_logits(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        edits: Sequence[tuple[int, int]] = (),
        **given: Any,
    ) -> LogitAttribution:
        """What every head, MLP and bias writes to a logit directly.

        Raises InputError as `measure`, and for a model whose way to its logits is no sum.
        """
        prepared = self._answering(text, edits, **given)
        return direct_logits(self, self._trace_batch([prepared], [()], blocks=True)[0], quantity)

    def neurons(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        by: Strength = "write",
        edits: Sequence[tuple[int, int]] = (),
        **given: Any,
    ) -> NeuronWrites:
        """What every neuron of the feed-forward networks writes to a logit directly.

        Raises InputError as `direct_logits` does.
        """
        prepared = self._answering(text, edits, **given)
        with NeuronRecorder(self.paths, self.kind_of) as seen:
            trace = self._trace_batch([prepared], [()], blocks=True)[0]
        return writes_of_neurons(self, trace, seen, quantity, by)

    def firings(self, texts: Sequence[str], layer: int, neuron: int) -> tuple[Firing, ...]:
        """One neuron's activations on many texts; a translator decodes its targets greedily.

        Raises InputError for a layer or a neuron that is not there.
        """
        prepared = [*map(self._prepared, texts)]
        return in_batches(prepared, lambda rows, _: firings(self, rows, layer, neuron))
