"""What a step of minilm-mlm's training reads: running text, and sentences or told facts."""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Int

from core.training.bert.examples import fact_blocks
from core.training.bert.masking import Masked, choose, hide
from core.training.bert.sentences import LENGTH_STEP, sentence_blocks
from core.training.minilm.examples import text_rows
from core.training.minilm.network import MASK, WORDS
from core.training.minilm.prepare import LENGTH, Prepared

TEXT_ROWS = {"cpu": 32, "cuda": 512}  # sequences of running text a step
SHORT_ROWS = {"cpu": 128, "cuda": 1024}  # sentences; in one step of FACTS_EVERY, facts
FACTS_EVERY = 8

Rows = Int[np.ndarray, "row token"]
Asked = Bool[np.ndarray, "row token"]


class Batches:
    """Called with a step's number, in the steps' order, it draws two blocks of sequences."""

    def __init__(self, prepared: Prepared, generator: np.random.Generator, *, device: str) -> None:
        self._corpus = prepared.corpus
        self._generator = generator
        self._shape = TEXT_ROWS[device], LENGTH
        rows = SHORT_ROWS[device]
        self._sentences = sentence_blocks(prepared.sentences, rows, generator)
        self._facts = fact_blocks(
            prepared.book, prepared.tokenizer, rows, generator, length_step=LENGTH_STEP
        )

    def __call__(self, step: int) -> list[Masked]:
        return [self._hidden(ids, always) for ids, always in self._blocks(step)]

    def _blocks(self, step: int) -> Iterator[tuple[Rows, Asked | None]]:
        """Token ids, and the places that are asked in any case (a fact's object)."""
        yield text_rows(self._corpus, self._shape, self._generator), None
        if step % FACTS_EVERY:
            yield next(self._sentences), None
        else:
            facts = next(self._facts)
            yield facts.ids, facts.always

    def _hidden(self, ids: Rows, always: Asked | None) -> Masked:
        """What the model reads, and the flat positions and targets that it has to find."""
        chosen = choose(ids >= WORDS[0], self._generator)
        if always is not None:
            chosen &= ~always.any(axis=1, keepdims=True)
        return hide(ids, chosen, self._generator, mask_id=MASK, random_ids=WORDS, always=always)
