"""What every evidence method of texts is given: a text, a place and a token, the model to ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float32, Int64
from torch import Tensor

from core.capture.gradients import score
from core.errors import InputError
from core.interventions import Intervention, ReplaceTokens
from core.models.text.replaced_tokens import replaced, stand_in
from core.models.text.variants import logits_of
from core.targets import LogitTarget
from core.trace import AttentionKind, Encoding, Trace

if TYPE_CHECKING:
    from core.models.text.base import TextModel


@dataclass(frozen=True)
class TokenQuestion:
    """Which tokens speak for this token at this place?"""

    model: "TextModel"
    source: Encoding
    target: LogitTarget
    trace: Callable[..., Trace]  # of this text
    measure: Callable[[Sequence[Sequence[Intervention]]], Float32[np.ndarray, " variant"]]
    """The asked token's probability under each change of this text."""

    @property
    def kind(self) -> AttentionKind:
        return next(iter(self.model.promised_maps()))

    @property
    def words(self) -> Int64[np.ndarray, " word"]:
        """The positions that may be hidden: no special tokens, and so no mask."""
        return np.flatnonzero(~self.source.special)

    def hiding(self, positions: Sequence[int]) -> ReplaceTokens:
        """The intervention that puts the stand-in there."""
        index = stand_in(self.model.card.title, self.model.tokenizer)
        return ReplaceTokens(tuple((int(position), index) for position in positions))

    def hidden(self) -> Encoding:
        """The text with every word hidden."""
        changes = [[self.hiding(self.words.tolist())]]
        ((source, _),) = replaced(self.model.tokenizer, [(self.source, None)], changes)
        return source

    def forward(self, source: Encoding, rows: int = 1) -> Tensor:
        """Logits (row, position, token) of a text, so often; modes around it act."""
        logits = logits_of(self.model.module(**self.model.tensors([(source, None)] * rows)))
        if logits is None:
            raise InputError(
                f"{self.model.card.title} has no head over the vocabulary, so it gives no answer "
                "to explain. Choose a model with a masked-LM or a next-token head."
            )
        return logits

    def answers(self, logits: Tensor) -> list[Tensor]:
        """The asked logit of every row. Raises InputError for a place that isn't there."""
        return [score(row, self.target) for row in logits]
