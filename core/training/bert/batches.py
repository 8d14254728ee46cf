"""What a step of bert-mini's training reads: two blocks of text, told facts, everyday sentences."""

from dataclasses import dataclass

import numpy as np

from core.training.bert.examples import Block, fact_blocks, single_segments, text_block
from core.training.bert.masking import Masked, hide
from core.training.bert.prepare import Prepared
from core.training.bert.sentences import sentence_blocks
from core.training.bert.tokenizer import MASK, SPECIAL_TOKENS

SHORT, MIDDLE, LONG = (64, 64), (32, 128), (8, 512)  # (sequences, tokens) of a block
BLOCKS_A_STEP = 2  # of 4,096 tokens, each of one shape
SHORT_UNTIL = 0.25  # of the training: short only; then a mixture of all three
LATE_SHARES = (0.22, 0.70, 0.08)  # of the blocks, in the mixture
TIMES = {"cpu": 1, "cuda": 8}  # so many times the sequences, in every block
FACTS_A_STEP = 32  # told ones, beside the text
SENTENCES_A_STEP = 64  # short everyday ones, likewise


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A block, and what is hidden of it."""

    block: Block
    masked: Masked


class Batches:
    """Called in the steps' order, it draws the text's blocks, then the facts, then the sentences.

    `fraction` says how far the training is: whoever asks sets it before.
    """

    def __init__(self, prepared: Prepared, generator: np.random.Generator, *, device: str) -> None:
        self.fraction = 0.0
        self._corpus = prepared.corpus
        self._generator = generator
        self._random_ids = (len(SPECIAL_TOKENS), prepared.tokenizer.get_vocab_size())
        self._times = TIMES[device]
        self._facts = fact_blocks(
            prepared.book, prepared.tokenizer, FACTS_A_STEP * self._times, generator
        )
        self._sentences = sentence_blocks(
            prepared.sentences, SENTENCES_A_STEP * self._times, generator
        )

    def __call__(self, _: int = 0) -> tuple[Question, ...]:
        text = [self._text() for _ in range(BLOCKS_A_STEP)]
        facts, sentences = next(self._facts), single_segments(next(self._sentences))
        return tuple(self._asked(block) for block in (*text, facts, sentences))

    def _text(self) -> Block:
        late = self.fraction >= SHORT_UNTIL
        shapes = (SHORT, MIDDLE, LONG)
        rows, length = shapes[self._generator.choice(3, p=LATE_SHARES)] if late else SHORT
        return text_block(self._corpus, (rows * self._times, length), self._generator)

    def _asked(self, block: Block) -> Question:
        masked = hide(
            block.ids,
            block.chosen(self._generator),
            self._generator,
            mask_id=MASK,
            random_ids=self._random_ids,
            always=block.always,
        )
        return Question(block, masked)
