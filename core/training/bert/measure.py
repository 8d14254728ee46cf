"""How good the model is on what it never saw: words, next sentences, facts.

Every figure is drawn with a fixed seed, so that the same checkpoint gives the same card.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from jaxtyping import Int
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, BertForPreTraining

from core.training.bert.corpus import Corpus
from core.training.bert.examples import Block, text_block
from core.training.bert.facts import FactBook, tell
from core.training.bert.masking import choose
from core.training.bert.network import masked_logits
from core.training.bert.tokenizer import CLS, MASK, PAD, SEP

SEED = 20_181_011  # the day of the BERT paper
SEQUENCES_AT_ONCE = 64
SHORTEST_SENTENCE = 6  # tokens, of the sentence pairs
LONGEST_SENTENCE = 62  # tokens


@dataclass(frozen=True, slots=True)
class Score:
    """Right answers among the first 1 and 5, of so many questions."""

    top_1: float
    top_5: float
    questions: int


def masked_words(
    model: BertForPreTraining, corpus: Corpus, *, blocks: int, length: int = 128
) -> Score:
    """15 % of the words behind [MASK] (all of them, unlike in training), one or two segments."""
    generator = np.random.default_rng(SEED)
    found: list[int] = []
    for _ in range(blocks):
        block = text_block(corpus, (SEQUENCES_AT_ONCE * 128 // length, length), generator)
        words = (block.ids != CLS) & (block.ids != SEP)
        chosen = choose(words, generator)
        hidden = np.where(chosen, MASK, block.ids)
        found.extend(ranks(model, block, hidden, np.flatnonzero(chosen)))
    return score_of(found)


def held_out_facts(
    model: BertForMaskedLM | BertForPreTraining,
    book: FactBook,
    tokenizer: Tokenizer,
    *,
    limit: int | None = None,
) -> Score:
    """Held-out triples through every pattern; objects of one token, hidden behind [MASK].

    The padding has id 0, in every BERT.
    """
    vocabulary = tokenizer.get_vocab()
    mask = vocabulary["[MASK]"]
    questions = [
        (tokenizer.encode(tell(triple, pattern, object_="[MASK]")).ids, vocabulary[name])
        for triple in book.held_out()
        for pattern in book.patterns[triple.relation]
        if (name := triple.object.lower()) in vocabulary
    ]
    questions = questions[:: 1 if limit is None else max(1, len(questions) // limit)]
    found: list[int] = []
    for ids, targets in _in_blocks(sorted(questions, key=lambda question: len(question[0]))):
        asked = ids == mask
        asked &= np.cumsum(asked, axis=1) == 1  # one object a sentence
        block = Block(
            np.where(asked, targets[:, None], ids),
            np.zeros_like(ids),
            np.zeros(len(ids), dtype=np.int64),
            asked,
        )
        found.extend(ranks(model, block, ids, np.flatnonzero(asked)))
    return score_of(found)


def next_sentence(model: BertForPreTraining, corpus: Corpus, *, pairs: int) -> float:
    """Share of single-sentence pairs judged rightly; half have B from another document."""
    generator = np.random.default_rng(SEED)
    rows: list[tuple[list[int], int]] = []
    lengths = np.diff(corpus.sentences)
    good = (lengths >= SHORTEST_SENTENCE) & (lengths <= LONGEST_SENTENCE)
    document_of = np.searchsorted(corpus.documents, np.arange(corpus.n_sentences), side="right")
    follows = np.flatnonzero(good[:-1] & good[1:] & (document_of[:-1] == document_of[1:]))
    for number, first in enumerate(generator.choice(follows, size=pairs).tolist()):
        second = first + 1
        while number % 2 and document_of[second] == document_of[first]:
            second = int(generator.choice(follows)) + 1
        a, b = corpus.span(first, first + 1), corpus.span(second, second + 1)
        rows.append(([CLS, *a.tolist(), SEP, *b.tolist(), SEP], number % 2))
    right = 0
    for ids, is_other in _in_blocks(sorted(rows, key=lambda row: len(row[0]))):
        segments = np.cumsum(ids == SEP, axis=1) - (ids == SEP)
        block = Block(ids, np.where(ids == PAD, 0, segments), is_other, np.zeros(ids.shape, bool))
        with torch.inference_mode():
            answers = model(**tensors(block, ids, model.device)).seq_relationship_logits
        right += int((answers.argmax(dim=1).numpy(force=True) == is_other).sum())
    return right / len(rows)


def tensors(
    block: Block, ids: Int[np.ndarray, "sequence token"], device: torch.device | str
) -> dict[str, torch.Tensor]:
    """What the model is called with; without padding there is no mask."""
    inputs = {
        "input_ids": torch.from_numpy(ids.astype(np.int64)),
        "token_type_ids": torch.from_numpy(block.segments),
    }
    if not block.real.all():
        inputs["attention_mask"] = torch.from_numpy(block.real.astype(np.int64))
    return {name: value.to(device) for name, value in inputs.items()}


def ranks(
    model: BertForMaskedLM | BertForPreTraining,
    block: Block,
    ids: Int[np.ndarray, "sequence token"],
    positions: Int[np.ndarray, " chosen"],
) -> list[int]:
    """How many words the model holds for likelier than the right one, at each position."""
    with torch.inference_mode():
        hidden = model.bert(**tensors(block, ids, model.device)).last_hidden_state
        logits = masked_logits(model, hidden, torch.from_numpy(positions).to(model.device))
        targets = torch.from_numpy(block.ids.reshape(-1)[positions]).to(model.device)
        right = logits.gather(1, targets[:, None])
        return (logits > right).sum(dim=1).tolist()


def score_of(found_ranks: list[int]) -> Score:
    found = np.array(found_ranks)
    return Score(float((found < 1).mean()), float((found < 5).mean()), len(found_ranks))


def _in_blocks(
    rows: list[tuple[list[int], int]],
) -> Iterator[tuple[Int[np.ndarray, "sequence token"], Int[np.ndarray, " sequence"]]]:
    """Padded ids, and the answers, of so many rows at once."""
    stream = iter(rows)
    while batch := list(islice(stream, SEQUENCES_AT_ONCE)):
        ids = np.full((len(batch), max(len(row) for row, _ in batch)), PAD, dtype=np.int64)
        for place, (row, _) in zip(ids, batch, strict=True):
            place[: len(row)] = row
        yield ids, np.array([answer for _, answer in batch])
