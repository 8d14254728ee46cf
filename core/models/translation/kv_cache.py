"""How a translation goes on: log P of every next token, with the decoder's key–value cache.

Of a checkpoint's generation settings these are kept: tokens that may never be said (Marian's
padding), a first token that must be (mBART), the end that is forced at the limit. Others
(repeated n-grams, a smallest length) change the search and are left out.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor, nn

from core.errors import InputError
from core.long_work import checkpoint


@dataclass(frozen=True)
class GenerationRules:
    """What `generate` would do to the log-probabilities of this checkpoint."""

    start: int
    end: int
    never: tuple[int, ...]
    first: int | None
    last: int | None

    @classmethod
    def of(cls, module: nn.Module) -> "GenerationRules":
        """As the model's generation config has them, else its config."""
        config: Any = module.config
        given: Any = module.generation_config
        own = getattr(config, "eos_token_id", None)
        ends = own if given.eos_token_id is None else given.eos_token_id
        start = getattr(config, "decoder_start_token_id", None)
        start = given.decoder_start_token_id if start is None else start
        start = given.bos_token_id if start is None else start  # as `generate` does (T5Gemma)
        if start is None or ends is None:
            raise InputError(
                f"{type(module).__name__}: its config names no decoder_start_token_id or no "
                "eos_token_id, so nobody knows how a target begins or ends. Write them into the "
                "checkpoint's config.json (T5: 0 and 1)."
            )
        return cls(
            start=start,
            end=_one(ends),
            never=tuple(words[0] for words in given.bad_words_ids or () if len(words) == 1),
            first=None if given.forced_bos_token_id is None else _one(given.forced_bos_token_id),
            last=None if given.forced_eos_token_id is None else _one(given.forced_eos_token_id),
        )


class Continuation:
    """Asked for ever longer hypotheses of one source, it decodes one new position at a time."""

    def __init__(
        self,
        module: nn.Module,
        source_ids: Tensor,
        rules: GenerationRules,
        limit: int,
        silencing: Callable[[int], AbstractContextManager[object]],
    ) -> None:
        """`source_ids` is (1, token); `silencing` is entered around every batch of so many rows."""
        from transformers import DynamicCache, EncoderDecoderCache

        self._module: Any = module
        self._rules = rules
        self._limit = limit
        self._silencing = silencing
        with torch.inference_mode(), silencing(1):
            self._encoded: Tensor = self._module.get_encoder()(source_ids).last_hidden_state
        self._past: Any = EncoderDecoderCache(DynamicCache(), DynamicCache())

    def __call__(
        self, hypotheses: Sequence[Sequence[int]], rows: Sequence[int]
    ) -> Float32[np.ndarray, "live token"]:
        """log P of every token after each hypothesis; row i goes on from the last call's rows[i].

        −inf for what the rules forbid.
        """
        from transformers.modeling_outputs import BaseModelOutput

        checkpoint()
        device, count = self._encoded.device, len(hypotheses)
        done = self._past.get_seq_length()
        fed = [[self._rules.start, *tokens][done:] for tokens in hypotheses]
        with torch.inference_mode(), _one_thread():
            if done:
                self._past.reorder_cache(torch.tensor(rows, device=device))
            encoded = self._encoded.expand(count, -1, -1)
            with self._silencing(count):
                output = self._module(
                    encoder_outputs=BaseModelOutput(last_hidden_state=encoded),
                    decoder_input_ids=torch.tensor(fed, device=device),
                    past_key_values=self._past,
                    use_cache=True,
                )
            log_p = output.logits[:, -1].float().log_softmax(-1).cpu().numpy()
        return self._ruled(log_p, len(hypotheses[0]))

    def _ruled(self, log_p: np.ndarray, length: int) -> np.ndarray:
        rules = self._rules
        if rules.never:
            log_p = log_p.copy()
            log_p[:, list(rules.never)] = -np.inf
        forced = rules.first if length == 0 else None
        if length == self._limit - 1 and rules.last is not None:
            forced = rules.last
        if forced is not None:
            log_p = np.full_like(log_p, -np.inf)
            log_p[:, forced] = 0
        return log_p


@contextmanager
def _one_thread() -> Generator[None]:
    """One new position is so little work that threads mostly wait for each other.

    Measured on two busy cores: 0.25 s a step became 0.007 s.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _one(ids: int | Sequence[int]) -> int:
    return ids if isinstance(ids, int) else ids[0]
