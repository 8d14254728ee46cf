"""Which tokens speak for an answer of a text model, and what its layers mix."""

from abc import ABC
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.explain.flow.token_flow import TokenFlow
from core.models.attribution.context_mixing import value_zeroing_maps, written_maps
from core.models.attribution.token_flow import token_flow
from core.models.attribution.token_methods import token_evidence
from core.models.attribution.token_question import TokenQuestion
from core.models.text.readable import ReadableModel
from core.models.text.replaced_tokens import stand_in
from core.models.text.tokenize import replace_tokens
from core.outputs.token_evidence import Mixing, TokenEvidence
from core.targets import LogitTarget
from core.trace import Encoding


@dataclass(frozen=True)
class AttributedModel(ReadableModel, ABC):
    """A text model with one stack: evidence is followed from a place back to the input."""

    def evidence(
        self,
        text: str,
        method: str,
        target: LogitTarget,
        *,
        pair: str | None = None,
        edits: tuple[tuple[int, int], ...] = (),
    ) -> TokenEvidence:
        """How much each token speaks for a token at a place, by a method of `TOKEN_EVIDENCE`.

        Raises InputError where a method can't be used, and for a place that is not there.
        """
        source = self._edited(text, pair, edits)
        return token_evidence(
            TokenQuestion(
                model=self,
                source=source,
                target=target,
                trace=lambda **asked: self._trace_batch([(source, None)], [()], **asked)[0],
                measure=lambda variants: self.measure(
                    text, variants, target, edits=edits, pair=pair
                ),
            ),
            method,
        )

    def context_mixing(
        self,
        text: str,
        mixing: Mixing,
        *,
        pair: str | None = None,
        edits: tuple[tuple[int, int], ...] = (),
    ) -> Float32[np.ndarray, "layer query key"]:
        """How much of every token each layer puts into every other: see `Mixing`.

        Amounts, not shares of a row. Raises InputError for a model that hides what it takes.
        """
        source = self._edited(text, pair, edits)
        if mixing == "written":
            return written_maps(self, self._trace_batch([(source, None)], [()])[0])
        (kind,) = self.promised_maps()
        return value_zeroing_maps(self, source, kind)

    def token_flow(self, text: str, *, pair: str | None = None) -> TokenFlow:
        """What each token keeps and takes of others, by `core.explain.flow.proximity`.

        Raises InputError for a model that hides what it takes.
        """
        source, _ = self.prepare(text, pair=pair)
        return token_flow(self, self._trace_batch([(source, None)], [()], blocks=True)[0])

    def stand_in(self) -> int:
        """The token that stands where a word is hidden: the mask, or what there is instead."""
        return stand_in(self.card.title, self.tokenizer)

    def _edited(self, text: str, pair: str | None, edits: tuple[tuple[int, int], ...]) -> Encoding:
        source, _ = self.prepare(text, pair=pair)
        return replace_tokens(self.tokenizer, source, edits)
