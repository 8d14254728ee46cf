"""BERT and its relatives: self-attention over the whole text, masked-LM and next-sentence heads.

Devlin et al. 2019, https://arxiv.org/abs/1810.04805.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from typing_extensions import override

from core.capture import Recorder
from core.capture.attention_call import read_row
from core.capture.embeddings import EmbeddingRecorder, caught_parts
from core.errors import InputError
from core.interventions import Intervention
from core.models.text.base import Prepared
from core.models.text.logit_lens import LanguageModel
from core.models.text.next_sentence import next_sentence_head, next_sentence_of
from core.models.text.refusals import refuse_unknown
from core.models.text.tokenize import encode, id_tensors, replace_tokens, tokens_of
from core.outputs.encoder import (
    EmbeddingParts,
    EncoderProfile,
    MaskPrediction,
    NextSentence,
    TokenPrediction,
)
from core.trace import AttentionKind, Encoding, Trace


@dataclass(frozen=True)
class TextEncoder(LanguageModel):
    """A bidirectional encoder; each head works where the checkpoint carries it."""

    @override
    def prepare(self, text: str, **given: str | None) -> Prepared:
        refuse_unknown(self.card, given, allowed={"pair"})
        return encode(self.tokenizer, text, given.get("pair"), limit=self.token_limit), None

    @override
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        config: Any = self.module.config
        return {AttentionKind.ENCODER: config.num_hidden_layers}

    @override
    def kind_of(self, path: str) -> AttentionKind:
        return AttentionKind.ENCODER

    @override
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Tensor]:
        sources = [source for source, _ in batch]
        device = self.device
        tensors = {"input_ids": id_tensors(sources, device)}
        config: Any = self.module.config
        if getattr(config, "type_vocab_size", 0) > 1:
            segments = np.array([source.segments for source in sources])
            tensors["token_type_ids"] = torch.as_tensor(segments, device=device)
        return tensors

    @override
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        return {
            AttentionKind.ENCODER: tuple(read_row(state, row) for state in output.hidden_states)
        }

    def profile(self) -> EncoderProfile:
        """Which heads the checkpoint carries, and its special tokens."""
        config: Any = self.module.config
        return EncoderProfile(
            model_type=str(config.model_type),
            masked_lm=self._has_masked_lm(),
            next_sentence=next_sentence_head(self.module) is not None,
            segments=int(getattr(config, "type_vocab_size", 0) or 0),
            token_limit=self.token_limit,
            mask_token=self.tokenizer.mask_token or "",
            mask_id=-1 if self.tokenizer.mask_token_id is None else self.tokenizer.mask_token_id,
            special_ids=frozenset(self.tokenizer.all_special_ids),
        )

    def trace_edited(
        self, text: str, *, pair: str | None = None, edits: tuple[tuple[int, int], ...] = ()
    ) -> Trace:
        """One forward pass on a text with other tokens in some places: (position, token id).

        Masks are such tokens. Raises InputError for a place or an id that is not there.
        """
        source, target = self.prepare(text, pair=pair)
        edited = replace_tokens(self.tokenizer, source, edits)
        return self._trace_batch([(edited, target)], [()])[0]

    def fill_mask(
        self,
        text: str,
        *,
        pair: str | None = None,
        top_k: int = 5,
        interventions: Sequence[Intervention] = (),
    ) -> tuple[MaskPrediction, ...]:
        """The most probable tokens at every mask, all masks predicted at once.

        Raises InputError without a mask in the text, or without a masked-LM head.
        """
        if not self._has_masked_lm():
            raise InputError(
                f"{self.card.title} has no masked-LM head; choose a model that has one."
            )
        source, _ = self.prepare(text, pair=pair)
        places = np.flatnonzero(source.ids == self.tokenizer.mask_token_id)
        if not len(places):
            raise InputError(
                f"The text has no {self.tokenizer.mask_token}. Put it where a word is missing."
            )
        output = self._forward(source, interventions)
        logits = output.get("prediction_logits", output.get("logits"))
        probabilities = logits[0, places].float().softmax(-1)
        probabilities, ids = probabilities.topk(min(top_k, probabilities.shape[-1]))
        return tuple(
            MaskPrediction(
                int(place),
                tuple(
                    TokenPrediction(tokens_of(self.tokenizer, [int(i)])[0], float(p))
                    for i, p in zip(row_ids, row_probabilities, strict=True)
                ),
            )
            for place, row_ids, row_probabilities in zip(places, ids, probabilities, strict=True)
        )

    def next_sentence(
        self, text: str, following: str, *, interventions: Sequence[Intervention] = ()
    ) -> float:
        """Probability that the second text follows the first (Devlin et al. 2019, section 3.1).

        Raises InputError for a model without the next-sentence head.
        """
        return self.next_sentence_worked(text, following, interventions=interventions).probability

    def next_sentence_worked(
        self, text: str, following: str, *, interventions: Sequence[Intervention] = ()
    ) -> NextSentence:
        """The same with every number on the way.

        Raises InputError for a model without the next-sentence head.
        """
        if next_sentence_head(self.module) is None:
            raise InputError(
                f"{self.card.title} has no next-sentence head; choose a BERT that has one."
            )
        source, _ = self.prepare(text, pair=following)
        return next_sentence_of(self.module, source, self._forward(source, interventions))

    def embedding_parts(self, text: str, *, pair: str | None = None) -> EmbeddingParts:
        """The summands of the input, as the model looked them up.

        Raises InputError for a model whose input is not a sum that a LayerNorm ends.
        """
        source, _ = self.prepare(text, pair=pair)
        recorder = EmbeddingRecorder(self.module.base_model)  # pyright: ignore[reportArgumentType]
        with recorder:
            self._forward(source, ())
        parts = caught_parts(recorder, source, self.card.d_model)
        if parts is None:
            raise InputError(
                f"{self.card.title} does not add embeddings and normalise the sum, as BERT does; "
                "choose a BERT, RoBERTa, DistilBERT, ALBERT or ELECTRA."
            )
        return parts

    def _forward(self, source: Encoding, interventions: Sequence[Intervention]) -> Any:
        self.check_interventions([interventions])
        with torch.inference_mode(), Recorder(self.paths, self.kind_of, [interventions]):
            return self.module(**self.tensors([(source, None)]), output_hidden_states=True)

    def _has_masked_lm(self) -> bool:
        head: Any = self.module.get_output_embeddings()  # pyright: ignore[reportCallIssue]
        rows = self.module.get_input_embeddings().weight.shape[0]  # pyright: ignore
        return self.tokenizer.mask_token_id is not None and (
            head is not None and head.weight.shape[0] == rows
        )
