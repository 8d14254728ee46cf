"""Training examples: `[CLS] A [SEP] B [SEP]` cut to exactly the wanted length, and facts.

Text is never padded: A is a run of sentences, B goes on (or starts in another document)
until the sequence is full. Facts are single short sentences, sorted so that little is padded.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from tokenizers import Tokenizer

from core.training.bert.corpus import Corpus
from core.training.bert.facts import FactBook, tell
from core.training.bert.masking import choose
from core.training.bert.tokenizer import CLS, PAD, SEP

NO_QUESTION = -100  # the label of a sequence with one segment: no next-sentence question
SINGLE_SHARE = 0.2  # of the sequences have one segment
OTHER_DOCUMENT_SHARE = 0.5  # of the pairs: B comes from another document
SHORTEST_SEGMENT = 6  # tokens
OBJECT_SHARE = 0.8  # of the facts have their object masked; the others random tokens
BLOCKS_AT_ONCE = 16  # blocks of facts drawn and sorted together
LENGTH_STEP = 8  # facts are padded to a multiple: every new shape costs the CPU a new kernel


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Sequences of one length. `is_other` is 1 where B is not A's continuation, as in BERT."""

    ids: Int[np.ndarray, "sequence token"]
    segments: Int[np.ndarray, "sequence token"]
    is_other: Int[np.ndarray, " sequence"]
    always: Bool[np.ndarray, "sequence token"]  # to be masked in any case (a fact's object)

    @property
    def real(self) -> Bool[np.ndarray, "sequence token"]:
        return self.ids != PAD

    def chosen(self, generator: np.random.Generator) -> Bool[np.ndarray, "sequence token"]:
        """15 % of the words; nothing more where `always` already asks for something."""
        words = self.real & (self.ids != CLS) & (self.ids != SEP)
        return choose(words, generator) & ~self.always.any(axis=1, keepdims=True)


def text_block(corpus: Corpus, shape: tuple[int, int], generator: np.random.Generator) -> Block:
    """Draw (sequences, tokens) of pairs and singles that fill every place."""
    n_sequences, length = shape
    ids = np.empty(shape, dtype=np.int64)
    segments = np.zeros(shape, dtype=np.int64)
    is_other = np.full(n_sequences, NO_QUESTION, dtype=np.int64)
    for row in range(n_sequences):
        if generator.random() < SINGLE_SHARE:
            text = run_of_tokens(corpus, length - 2, generator)
            ids[row] = np.concatenate([[CLS], text, [SEP]])
            continue
        other = generator.random() < OTHER_DOCUMENT_SHARE
        a, b = _pair(corpus, length - 3, generator, other=other)
        ids[row] = np.concatenate([[CLS], a, [SEP], b, [SEP]])
        segments[row, len(a) + 2 :] = 1
        is_other[row] = int(other)
    return Block(ids, segments, is_other, np.zeros(shape, dtype=np.bool_))


def single_segments(ids: Int[np.ndarray, "sequence token"]) -> Block:
    """Padded sequences of one segment each, in which nothing is asked in any case."""
    return Block(
        ids,
        np.zeros_like(ids),
        np.full(len(ids), NO_QUESTION, dtype=np.int64),
        np.zeros(ids.shape, dtype=np.bool_),
    )


def run_of_tokens(
    corpus: Corpus, length: int, generator: np.random.Generator, *, not_from: int = -1
) -> Int[np.ndarray, " token"]:
    """So many tokens of one document, from a sentence's start that is not the document's."""
    while True:
        first = int(generator.integers(corpus.n_sentences))
        document = int(np.searchsorted(corpus.documents, first, side="right")) - 1
        start = int(corpus.sentences[first])
        end = int(corpus.sentences[corpus.documents[document + 1]])
        if start + length <= end and document != not_from and first != corpus.documents[document]:
            return corpus.tokens[start : start + length].astype(np.int64)


def _pair(
    corpus: Corpus, length: int, generator: np.random.Generator, *, other: bool
) -> tuple[Int[np.ndarray, " a"], Int[np.ndarray, " b"]]:
    """A ends where a sentence ends; B starts where one starts; together they have `length`."""
    while True:
        first = int(generator.integers(corpus.n_sentences - 1))
        document = int(np.searchsorted(corpus.documents, first, side="right")) - 1
        last = int(corpus.documents[document + 1])  # the sentence after the document
        start = int(corpus.sentences[first])
        wanted = int(generator.integers(SHORTEST_SEGMENT, length - SHORTEST_SEGMENT))
        end = int(np.searchsorted(corpus.sentences, start + wanted, side="left"))
        if end >= last:  # no sentence of the document follows A
            continue
        middle = int(corpus.sentences[end])  # where A ends
        n_a = min(middle - start, length - SHORTEST_SEGMENT)
        n_b = length - n_a
        a = corpus.tokens[middle - n_a : middle].astype(np.int64)
        if other:
            return a, run_of_tokens(corpus, n_b, generator, not_from=document)
        if middle + n_b <= int(corpus.sentences[last]):
            return a, corpus.tokens[middle : middle + n_b].astype(np.int64)


def fact_blocks(
    book: FactBook,
    tokenizer: Tokenizer,
    n_sequences: int,
    generator: np.random.Generator,
    *,
    length_step: int = LENGTH_STEP,
) -> Iterator[Block]:
    """Endless blocks of told facts: a relation at random, then a triple and a pattern of it.

    Padded to a multiple of `length_step` tokens with id 0, which is [PAD] in every BERT.
    """
    by_relation = {
        relation: [t for t in book.training() if t.relation == relation]
        for relation in sorted({t.relation for t in book.training()})
    }
    relations = sorted(by_relation)
    while True:
        told: list[str] = []
        objects: list[tuple[int, int]] = []  # characters
        for _ in range(n_sequences * BLOCKS_AT_ONCE):
            relation = relations[generator.integers(len(relations))]
            triples, patterns = by_relation[relation], book.patterns[relation]
            triple = triples[generator.integers(len(triples))]
            pattern = patterns[generator.integers(len(patterns))]
            start = pattern.replace("[X]", triple.subject).index("[Y]")
            told.append(tell(triple, pattern))
            objects.append((start, start + len(triple.object)))
        asked = generator.random(len(told)) < OBJECT_SHARE
        facts = [
            (
                encoding.ids,
                [bool(ask) and first <= a < b <= end for a, b in encoding.offsets],
            )
            for encoding, (first, end), ask in zip(
                tokenizer.encode_batch(told), objects, asked, strict=True
            )
        ]
        facts.sort(key=lambda fact: len(fact[0]))
        for block in generator.permutation(BLOCKS_AT_ONCE):
            yield _padded(facts[block * n_sequences : (block + 1) * n_sequences], length_step)


def _padded(facts: list[tuple[list[int], list[bool]]], length_step: int) -> Block:
    longest = max(len(ids) for ids, _ in facts)
    shape = (len(facts), -(-longest // length_step) * length_step)
    ids = np.full(shape, PAD, dtype=np.int64)
    always = np.zeros(shape, dtype=np.bool_)
    for row, (tokens, asked) in enumerate(facts):
        ids[row, : len(tokens)] = tokens
        always[row, : len(tokens)] = asked
    return Block(
        ids,
        np.zeros(shape, dtype=np.int64),
        np.full(len(facts), NO_QUESTION, dtype=np.int64),
        always,
    )
