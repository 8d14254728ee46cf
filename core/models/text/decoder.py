"""GPT and its relatives: causal self-attention, every position predicts the next token.

Radford et al. 2018, https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
import torch
from torch import Tensor
from typing_extensions import override

from core.capture import Recorder
from core.capture.attention_call import copy_row, read_row
from core.errors import InputError
from core.explain.predictions.sampling import Sampling, distribution, draw
from core.explain.predictions.token_distribution import token_distribution
from core.interventions import Intervention
from core.models.text.base import Prepared
from core.models.text.fine_tuning import fine_tuning_start
from core.models.text.logit_lens import LanguageModel
from core.models.text.refusals import refuse_means_of_one, refuse_unknown
from core.models.text.tokenize import encode, encode_ids, id_tensors, tokens_of
from core.outputs.decoder import (
    ContinuationScore,
    FineTuningStart,
    Generation,
    GenerationStep,
    NextStep,
    Stopped,
    Task,
    TokenInventory,
)
from core.outputs.encoder import TokenPrediction
from core.trace import AttentionKind, Encoding, Trace, read_only


@dataclass(frozen=True)
class TextDecoder(LanguageModel):
    """A causal language model: one text, no pair."""

    @override
    def prepare(self, text: str, **given: str | None) -> Prepared:
        refuse_unknown(self.card, given, allowed=set())
        return encode(self.tokenizer, text, limit=self.token_limit), None

    @override
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        config: Any = self.module.config
        return {AttentionKind.DECODER: config.num_hidden_layers}

    @override
    def kind_of(self, path: str) -> AttentionKind:
        return AttentionKind.DECODER

    @override
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Any]:
        ids: Tensor = id_tensors([source for source, _ in batch], self.device)
        return {"input_ids": ids, "use_cache": False}

    @override
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        return {
            AttentionKind.DECODER: tuple(read_row(state, row) for state in output.hidden_states)
        }

    def trace_ids(
        self, ids: tuple[int, ...], *, interventions: Sequence[Intervention] = ()
    ) -> Trace:
        """A trace of token ids as they are, for sequences that no text makes."""
        return self._trace_batch([(self._sequence(ids), None)], [interventions])[0]

    def next_token(
        self,
        text: str,
        *,
        top_k: int = 10,
        temperature: float = 1.0,
        interventions: Sequence[Intervention] = (),
    ) -> tuple[TokenPrediction, ...]:
        """The `top_k` most probable next tokens under a temperature; 0 gives one token all."""
        logits = self.next_step(text, interventions=interventions).logits
        cut = distribution(logits, Sampling(temperature))
        return tuple(
            TokenPrediction(self._token(int(index)), float(cut.tempered[index]))
            for index in cut.order[:top_k]
        )

    def next_step(
        self,
        text: str,
        *,
        continuation: tuple[int, ...] = (),
        interventions: Sequence[Intervention] = (),
    ) -> NextStep:
        """One pass over the prompt and the ids that were chosen after it.

        Raises InputError when both together are longer than the model can read.
        """
        prompt = self.prepare(text)[0].ids.tolist()
        sequence = self._sequence((*prompt, *continuation))
        self.check_interventions([interventions])
        logits, attention = self._pass(sequence.ids.tolist(), None, interventions)
        chosen = logits[0, len(prompt) - 1 : -1].float()  # what was said where each was chosen
        own = chosen.gather(1, torch.tensor(continuation, device=self.device)[:, None].long())
        return NextStep(
            encoding=sequence,
            prompt_length=len(prompt),
            prompt=self._written(text, prompt),
            continuation=self.text_of(continuation),
            log_probabilities=read_only((own[:, 0] - chosen.logsumexp(-1)).cpu().numpy()),
            ranks=tuple((1 + (chosen > own).sum(-1)).tolist()),
            logits=copy_row(logits[:, -1], 0),
            attention=attention,
            limit=self.token_limit,
            end_ids=_end_ids(self.module),
        )

    def generate(
        self,
        text: str,
        *,
        max_new_tokens: int = 20,
        temperature: float = 1.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        interventions: Sequence[Intervention] = (),
    ) -> Generation:
        """Write on, reading each token once (keys and values are cached).

        temperature 0, top_k 1 or top_p 0 is greedy decoding. Raises InputError for settings out
        of range, and for a head silenced with its mean. Interventions act on the prompt's pass
        only where they name a position.
        """
        from transformers import DynamicCache

        sampling = Sampling(temperature, top_k, top_p)
        prompt, _ = self.prepare(text)
        self.check_interventions([interventions])
        refuse_means_of_one(interventions)
        ends, cache = _end_ids(self.module), DynamicCache()
        unread: list[int] = prompt.ids.tolist()
        steps: list[GenerationStep] = []
        stopped: Stopped = "length"
        while len(steps) < max_new_tokens:
            every, attention = self._pass(unread, cache, interventions)
            logits = copy_row(every[:, -1], 0)
            cut = distribution(logits, sampling)
            chosen = draw(cut, seed=seed, step=len(steps)).token
            steps.append(
                GenerationStep(
                    token=self._token(chosen),
                    id=chosen,
                    probability=float(cut.final[chosen]),
                    raw_probability=float(cut.raw[chosen]),
                    rank=1 + int((logits > logits[chosen]).sum()),
                    n_kept=cut.n_kept,
                    logits=logits,
                    attention=attention,
                )
            )
            if chosen in ends:
                stopped = "end"
                break
            if len(prompt) + len(steps) > self.token_limit:
                stopped = "context"
                break
            unread = [chosen]
        return Generation(self.text_of([s.id for s in steps]), prompt, tuple(steps), stopped)

    def score_continuation(self, text: str, continuation: str) -> ContinuationScore:
        """log P of a continuation after a prompt, each tokenized by itself.

        Raises InputError when either is empty or both together are too long.
        """
        before = self.prepare(text)[0].ids.tolist()
        after = self.tokenizer(continuation, add_special_tokens=False)["input_ids"]
        if not after:
            raise InputError("The answer makes no token. Type at least one word.")
        sequence = self._sequence((*before, *after))
        with torch.inference_mode():
            output = self.module(**self.tensors([(sequence, None)]))
            rows = output.logits[0, len(before) - 1 : -1].float().cpu().numpy()
        found = [token_distribution(row) for row in rows]
        log_probabilities = [-d.loss(token) for d, token in zip(found, after, strict=True)]
        return ContinuationScore(
            tokens=sequence.tokens[len(before) :],
            log_probabilities=np.array(log_probabilities, dtype=np.float32),
            ranks=tuple(d.rank(token) for d, token in zip(found, after, strict=True)),
            prompt_length=len(before),
            first_choice=found[0].top(1)[0],
        )

    def fine_tuning_inputs(
        self, task: str, texts: tuple[str, ...], *, seed: int = 0
    ) -> FineTuningStart:
        """A task of Radford et al. 2018, figure 1, before the first update: see `Task`."""
        return fine_tuning_start(self, Task(task), texts, seed=seed)

    def inventory(self) -> TokenInventory:
        """The tokens that a text may be made of, and what may stand before it."""
        special = set(self.tokenizer.all_special_ids)
        start = self.tokenizer.bos_token_id
        ends = sorted(_end_ids(self.module))
        return TokenInventory(
            plain=tuple(index for index in range(self._n_tokens) if index not in special),
            start=start if start is not None else ends[0] if ends else None,
            limit=self.token_limit,
        )

    def ids_of(self, text: str) -> tuple[int, ...]:
        """A piece of text as ids, no special tokens added; empty for an empty text."""
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def text_of(self, ids: Sequence[int]) -> str:
        """Ids as text, special tokens included."""
        return self.tokenizer.decode(list(ids), clean_up_tokenization_spaces=False)

    def _written(self, text: str, prompt: Sequence[int]) -> str:
        """What was read of a text, without what the tokenizer itself set before it."""
        own = self.tokenizer("", verbose=False)["input_ids"]
        alike = (ours == read for ours, read in zip(own, prompt, strict=False))
        told = self.text_of(prompt[sum(takewhile(bool, alike)) :])
        return told if text.startswith(" ") else told.removeprefix(" ")

    def _pass(
        self, ids: Sequence[int], cache: Any, interventions: Sequence[Intervention]
    ) -> tuple[Tensor, np.ndarray]:
        """Logits (1, token, vocabulary), and where the last token looked (layer, head, key)."""
        given = torch.tensor([list(ids)], dtype=torch.int64, device=self.device)
        kept = {"past_key_values": cache, "use_cache": cache is not None}
        recorder = Recorder(self.paths, self.kind_of, [interventions])
        with torch.inference_mode(), recorder:
            output = self.module(input_ids=given, **kept)
        layers = self._layers(recorder.calls, 1)[0][AttentionKind.DECODER]
        return output.logits, read_only(np.stack([layer.row(-1) for layer in layers]))

    def _sequence(self, ids: Sequence[int]) -> Encoding:
        if len(ids) > self.token_limit:
            raise InputError(
                f"The prompt and its continuation have {len(ids)} tokens; {self.card.title} reads "
                f"up to {self.token_limit}. Take some back, or shorten the prompt."
            )
        if strange := [index for index in ids if not 0 <= index < self._n_tokens]:
            raise InputError(
                f"There is no token {strange[0]}: {self.card.title} has {self._n_tokens:,}, "
                "counted from 0. The link may be another model's."
            )
        return encode_ids(self.tokenizer, list(ids))

    @property
    def _n_tokens(self) -> int:
        return len(self.tokenizer)

    def _token(self, index: int) -> str:
        return tokens_of(self.tokenizer, [index])[0]


def _end_ids(module: Any) -> frozenset[int]:
    """The tokens that end a text, as the model's own generation settings name them."""
    settings: Any = getattr(module, "generation_config", None) or module.config
    given = settings.eos_token_id
    return frozenset(given if isinstance(given, list) else [] if given is None else [given])
