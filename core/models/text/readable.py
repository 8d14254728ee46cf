"""What the parts of a text model say in the words of its own vocabulary."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.explain.attribution.logit_attribution import LogitAttribution
from core.models.text.base import TextModel
from core.models.text.direct_logits import direct_logits
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
