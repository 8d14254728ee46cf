"""Encoder–decoder models: the Transformer of Vaswani et al. 2017 (Marian), BART, T5.

https://arxiv.org/abs/1706.03762. Three kinds of attention: the encoder's, the decoder's
(causal), and the cross-attention from the decoder's tokens to the encoder's.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from typing_extensions import override

from core.capture import Recorder
from core.capture.attention_call import read_row
from core.errors import InputError
from core.explain.attention.head_circuits import HeadCircuits
from core.interventions import Intervention, SilenceHead
from core.long_work import checkpoint
from core.models.text.base import Prepared
from core.models.text.circuits import Place, circuits, refuse_many
from core.models.text.readable import ReadableModel
from core.models.text.refusals import refuse_means_of_one, refuse_unknown
from core.models.text.supported import stacks_of
from core.models.text.tokenize import (
    encode,
    encode_ids,
    id_tensors,
    replace_tokens,
    tokens_of,
)
from core.models.translation.beam_search import beam_search
from core.models.translation.embeddings import input_sum, profile
from core.models.translation.kv_cache import Continuation, GenerationRules
from core.models.translation.results import checked_settings, decoding, translation
from core.outputs.decoding import Decoding, Erasure, Machine
from core.outputs.translation import SearchSettings, Translation
from core.trace import AttentionKind, Encoding, read_only

CROSS_NAMES = ("encoder_attn", "EncDecAttention", "crossattention", "cross_attn")
MOST_ERASED = 64  # source tokens hidden one by one
ERASED_AT_ONCE = 8  # rows of a batch: each holds target × vocabulary logits
NEW_TOKENS_LIMIT = 50  # beyond the input's length: Vaswani et al. 2017, section 6.1


@dataclass(frozen=True)
class Translator(ReadableModel):
    """A text goes in; the target is given (teacher forcing) or decoded greedily first."""

    @override
    def prepare(self, text: str, **given: str | None) -> Prepared:
        return self._answering(text, (), **given)

    @override
    def _answering(self, text: str, edits: Sequence[tuple[int, int]], **given: Any) -> Prepared:
        """`prefix`: ids that the target begins with, as in `decode`."""
        refuse_unknown(self.card, given, allowed={"target", "prefix"})
        source = encode(self.tokenizer, text, limit=self.token_limit)
        source = replace_tokens(self.tokenizer, source, edits)
        labels = self._labels(source, given.get("target"), given.get("prefix", ()))
        rules = GenerationRules.of(self.module)
        ended = labels[-1] == rules.end  # the end is predicted, not fed
        return source, encode_ids(self.tokenizer, [rules.start, *labels[: -1 if ended else None]])

    def vocabulary(self) -> tuple[str, ...]:
        """Every token by its id, as the tokenizer writes it; ids that it never makes included."""
        size = int(self.module.get_input_embeddings().weight.shape[0])  # pyright: ignore
        return tokens_of(self.tokenizer, range(size))

    @override
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        first, second = stacks_of(self.module.config)
        encoder = getattr(first, "encoder_layers", first.num_hidden_layers)
        own = second.num_hidden_layers if second is not first else encoder
        decoder = getattr(second, "decoder_layers", getattr(second, "num_decoder_layers", own))
        return {
            AttentionKind.ENCODER: encoder,
            AttentionKind.DECODER: decoder,
            AttentionKind.CROSS: decoder,
        }

    @override
    def kind_of(self, path: str) -> AttentionKind:
        if any(name in path for name in CROSS_NAMES):
            return AttentionKind.CROSS
        return AttentionKind.DECODER if "decoder" in path else AttentionKind.ENCODER

    @override
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Any]:
        targets = [target for _, target in batch if target is not None]
        return {
            "input_ids": id_tensors([source for source, _ in batch], self.device),
            "decoder_input_ids": id_tensors(targets, self.device),
            "use_cache": False,
        }

    @override
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        return {
            AttentionKind.ENCODER: tuple(read_row(s, row) for s in output.encoder_hidden_states),
            AttentionKind.DECODER: tuple(read_row(s, row) for s in output.decoder_hidden_states),
        }

    def translate(
        self,
        text: str,
        *,
        beams: int = 4,
        length_penalty: float = 0.6,
        normalisation: str = "length",
        word_margin: float | None = None,
        hypothesis_margin: float | None = None,
        interventions: Sequence[Intervention] = (),
    ) -> Translation:
        """Beam search; one beam is greedy. Decodes at most the input's length + 50 tokens.

        length_penalty: α. normalisation: "length", scores ÷ |Y|^α as transformers' `generate`;
        "wu", ÷ ((5 + |Y|) / 6)^α. The margins prune, see `core.models.translation.beam_search`.
        interventions: heads to silence, in every step.
        Raises InputError for settings out of range.
        """
        source = encode(self.tokenizer, text, limit=self.token_limit)
        settings = checked_settings(
            beams=beams,
            limit=self._limit(source),
            length_penalty=length_penalty,
            normalisation=normalisation,
            word_margin=word_margin,
            hypothesis_margin=hypothesis_margin,
        )
        rules = GenerationRules.of(self.module)
        search = beam_search(
            self._continuation(source, rules, interventions), settings, end=rules.end
        )
        return translation(search, settings, source, self.tokenizer)

    def decode(
        self,
        text: str,
        *,
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        top_k: int = 10,
        smoothing: float = 0.1,
        blocks: bool = False,
    ) -> Decoding:
        """A target position by position: what could have stood there, and what its token cost.

        The target is the reader's (teacher forcing), or decoded greedily after `prefix`, token ids
        that are taken as they are. Raises InputError for a target or a prefix that can't be read.
        """
        source = encode(self.tokenizer, text, limit=self.token_limit)
        labels = self._labels(source, target, prefix)
        rules = GenerationRules.of(self.module)
        fed = encode_ids(self.tokenizer, [rules.start, *labels[:-1]])
        (trace,) = self._trace_batch([(source, fed)], [()], blocks=blocks)
        return decoding(
            trace, labels, self.tokenizer, end=rules.end, top_k=top_k, smoothing=smoothing
        )

    def machine(
        self, text: str, *, target: str | None = None, prefix: tuple[int, ...] = ()
    ) -> Machine:
        """As `decode`, with what every part of the network computed, its inputs included."""
        decoded = self.decode(text, target=target, prefix=prefix, blocks=True)
        module: Any = self.module
        stacks = {
            AttentionKind.ENCODER: (module.get_encoder(), decoded.trace.encoding),
            AttentionKind.DECODER: (module.get_decoder(), decoded.trace.target_encoding),
        }
        inputs = {
            kind: input_sum(stack, fed.ids, decoded.trace.hidden_states(kind)[0])
            for kind, (stack, fed) in stacks.items()
            if fed is not None
        }
        return Machine(decoded, inputs, profile(module))

    def erasure(
        self, text: str, *, target: str | None = None, prefix: tuple[int, ...] = ()
    ) -> Erasure:
        """How far log P of every target token falls when one source token is hidden from all.

        Li, Monroe & Jurafsky 2016, https://arxiv.org/abs/1612.08220, equation 1. Raises InputError
        for a source of more tokens than can be hidden one by one.
        """
        source = encode(self.tokenizer, text, limit=self.token_limit)
        if len(source) > MOST_ERASED:
            raise InputError(
                f"The text has {len(source)} tokens; up to {MOST_ERASED} can be hidden one by one. "
                "Shorten it."
            )
        labels = self._labels(source, target, prefix)
        start = GenerationRules.of(self.module).start
        fed = encode_ids(self.tokenizer, [start, *labels[:-1]])
        visible = torch.ones(1 + len(source), len(source), dtype=torch.long, device=self.device)
        visible[1:].fill_diagonal_(0)
        right = torch.tensor(labels, device=self.device)[None, :, None]
        found: list[np.ndarray] = []
        for mask in visible.split(ERASED_AT_ONCE):
            checkpoint()
            rows = [(source, fed)] * len(mask)
            with torch.inference_mode():
                logits = self.module(**self.tensors(rows), attention_mask=mask).logits
                log_p = logits.float().log_softmax(-1)
                found.append(log_p.gather(2, right.expand(len(mask), -1, -1))[..., 0].cpu().numpy())
        scores = np.concatenate(found)  # (1 + source, target)
        return Erasure(read_only(scores[0]), read_only((scores[:1] - scores[1:]).T))

    def circuits(
        self, text: str, layer: int, head: int, *, kind: AttentionKind, words: str | None = None
    ) -> HeadCircuits:
        """What one head of the decoder would write, and what it pairs, on the words' tokens.

        words: of the target language; None: what is decoded greedily. A cross-attention head looks
        at the encoder's output for the text; the bare decoder stands at its start token there.
        Raises InputError for the encoder's heads, which write to no logit, and as `direct_logits`.
        """
        if kind == AttentionKind.ENCODER:
            raise InputError(
                "The encoder's heads write to no logit: their words reach it through the "
                "cross-attention alone. Choose a head of the decoder."
            )
        source = encode(self.tokenizer, text, limit=self.token_limit)
        labels = list(dict.fromkeys(self._labels(source, words, ())))  # each once
        read = encode_ids(self.tokenizer, labels)
        for shown in (source, read):
            refuse_many(shown)
        start = encode_ids(self.tokenizer, [GenerationRules.of(self.module).start] * len(source))
        bearer = start if kind == AttentionKind.CROSS else read
        place = Place(layer, head, kind)
        return circuits(self, place, (source, read), (source, bearer), self._with_blocks)

    def _labels(self, source: Encoding, target: str | None, prefix: tuple[int, ...]) -> list[int]:
        """The ids that the decoder should say, end included where it comes to one."""
        if target is not None:
            encode(self.tokenizer, target, limit=self.token_limit, name="target")  # may refuse it
            return self.tokenizer(text_target=target)["input_ids"]
        _, config = stacks_of(self.module.config)
        if not all(0 <= token < config.vocab_size for token in prefix):
            raise InputError(
                f"A token to begin with is not in the vocabulary: ids are 0 to "
                f"{config.vocab_size - 1}. Start again."
            )
        with self._reading():
            return self._greedy(source, prefix)

    def _greedy(self, source: Encoding, prefix: tuple[int, ...] = ()) -> list[int]:
        """The most probable token each time, after a prefix, up to the end or the limit."""
        rules = GenerationRules.of(self.module)
        settings = SearchSettings(beams=1, limit=self._limit(source))
        prefix = prefix[: settings.limit]
        if rules.end in prefix or len(prefix) == settings.limit:
            return list(prefix[: prefix.index(rules.end) + 1] if rules.end in prefix else prefix)
        going_on = self._continuation(source, rules, ())
        settings = replace(settings, limit=settings.limit - len(prefix))
        search = beam_search(
            lambda hypotheses, rows: going_on([(*prefix, *one) for one in hypotheses], rows),
            settings,
            end=rules.end,
        )
        return [*prefix, *(one.token for one in search.path(search.finished[0].node))]

    def _continuation(
        self,
        source: Encoding,
        rules: GenerationRules,
        interventions: Sequence[Intervention],
    ) -> Continuation:
        silenced = [change for change in interventions if isinstance(change, SilenceHead)]
        if len(silenced) != len(interventions):
            raise InputError("While decoding, heads can be silenced; other changes need a trace.")
        self.check_interventions([silenced])
        refuse_means_of_one(silenced)
        return Continuation(
            self.module,
            id_tensors([source], self.device),
            rules,
            self._limit(source),
            lambda rows: (
                Recorder(self.paths, self.kind_of, [silenced] * rows) if silenced else nullcontext()
            ),
        )

    def _limit(self, source: Encoding) -> int:
        """Tokens that are decoded at most, the end included."""
        return min(len(source) + NEW_TOKENS_LIMIT, self.token_limit - 1)
