"""The tokenizers' door: models' own ones, a reader's files, and three trained on one corpus.

What is computed is kept by content for all readers; a reader's own files stay in the reader's
session.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from typing import Final, TypeVar, cast

from app.services import engine, models
from app.services.bpe_training import ABANDONED
from app.services.engine import Job, Lane
from core.catalog import ModelCard
from core.catalog.tokenizer_files import tokenizer_file
from core.errors import InputError
from core.limits import TRAINED_CHARACTERS
from core.long_work import Report
from core.tokenization import (
    TextTokenizer,
    WordCounts,
    bert_text,
    bpe,
    count_words,
    loading,
    unigram,
    wordpiece,
)
from core.tokenization.pre_tokenizers import GPT2, WHITESPACE, WHOLE_TEXT, by_name
from core.tokenization.wordpiece import UNKNOWN, Score

Value = TypeVar("Value")
Corpus = str | Mapping[str, int]
TRAINED: Final = {
    "bpe": "BPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
}
GUESS: Final = "guess"  # the pre-tokenizer that a file's kind and size suggest
LARGEST_VOCABULARY: Final = 20_000
LONGEST_UNIGRAM_CORPUS: Final = 1_000_000  # characters; its lattice holds every substring
SMALL: Final = 50_000  # characters of a corpus that is learned from in a fraction of a second
BYTES_A_TOKEN: Final = 200  # of a vocabulary: a string, a number, and their places in a dict


def model_cards() -> tuple[ModelCard, ...]:
    """Models with a tokenizer: those on board, the server's own, then the hub's."""
    return models.cards(*models.TEXTS)


def model_tokenizer(model_id: str) -> TextTokenizer:
    """A model's own tokenizer. Raises InputError and ModelUnavailableError."""
    card = next((card for card in model_cards() if card.id == model_id), None)
    if card is None:
        raise InputError(f"There is no model “{model_id}” here.")

    def load() -> TextTokenizer:
        return loading.load_tokenizer(tokenizer_file(card).read_bytes(), card.title)

    key = "tokenizers", "model", model_id
    return engine.derived(key, load, lambda made: BYTES_A_TOKEN * made.vocabulary_size)


def file_tokenizer(files: Mapping[str, bytes], split: str = GUESS) -> TextTokenizer:
    """A tokenizer from uploaded files: one, or merges.txt with its vocab.json.

    `split` names the pre-tokenizer of merges and ranks, whose files tell none.
    """
    splitter = None if split == GUESS else by_name(split)
    vocabularies = {name: ids for name, content in files.items() if (ids := _vocab_json(content))}
    others = {name: content for name, content in files.items() if name not in vocabularies}
    if len(others) > 1 or len(vocabularies) > 1:
        raise InputError(
            "These files do not belong together: give one tokenizer.json, vocab.txt or "
            "merges.txt, or one merges.txt with its vocab.json."
        )
    if not others:
        name = next(iter(vocabularies), "The upload")
        raise InputError(
            f"{name} is a vocabulary without merges: it says which tokens there are, but not how "
            "to come to them. Give its merges.txt, too."
        )
    name, content = next(iter(others.items()))
    if not vocabularies:
        return loading.load_tokenizer(content, name, pre_tokenizer=splitter)
    found = bpe.read_merges(content.decode("utf-8", "replace"))
    if not found.byte_level:
        raise InputError(
            f"{name} has no byte-level merges; a vocab.json goes with GPT-2's kind only."
        )
    ids = next(iter(vocabularies.values()))
    return bpe.byte_level_tokenizer(name, found.merges, splitter or GPT2, ids=ids)


def _vocab_json(content: bytes) -> dict[str, int] | None:
    """GPT-2's vocab.json: an object of tokens and whole numbers."""
    if content.lstrip()[:1] != b"{":
        return None
    try:
        read: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    given = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    if not given:
        return None
    ids = {token: number for token, number in given.items() if type(number) is int}
    return ids if len(ids) == len(given) else None


_REPORT: Final[ContextVar[Report | None]] = ContextVar("report", default=None)


def in_background(
    key: tuple[Hashable, ...], corpus: Corpus, learn: Callable[[], Value]
) -> Job[Value]:
    """Learning from a large corpus, in the lane of trainings, while somebody waits for it."""

    def work(report: Report) -> Value:
        token = _REPORT.set(report)
        try:
            return learn()
        finally:
            _REPORT.reset(token)

    kept = 2 * _size_of(corpus)
    whole = ("tokenizers", *key, _key(corpus))
    return engine.start(whole, work, Lane.TRAININGS, nbytes=lambda _: kept, patience=ABANDONED)


def is_large(corpus: Corpus) -> bool:
    """Whether learning from it is no matter of a moment."""
    return _size_of(corpus) > SMALL


def trained_tokenizer(
    name: str,
    corpus: Corpus,
    size: int,
    score: Score = Score.FREQUENCY,
    *,
    byte_fallback: bool = False,
) -> TextTokenizer:
    """One of TRAINED with about `size` tokens. Raises InputError for a corpus it can't use.

    With byte fallback Unigram has 256 more, one a byte, for letters that no piece covers.
    """
    key = "trained", name, _key(corpus), size, score, byte_fallback
    return _kept(
        key,
        lambda: _trained(name, corpus, size, score, byte_fallback=byte_fallback),
        BYTES_A_TOKEN * size,
    )


def _trained(
    name: str, corpus: Corpus, size: int, score: Score, *, byte_fallback: bool
) -> TextTokenizer:
    if name == "bpe":
        training = train_bpe(corpus, size)
        # its first tokens are the corpus's bytes: at least these stay
        merges = max(0, size - training.n_initial)
        return bpe.from_training(training, merges, title=TRAINED[name])
    if name == "wordpiece":
        found = train_wordpiece(corpus, size, score)
        letters = len(found.vocabulary) - len(found.steps)
        ids = found.ids(max(0, size - letters - 1))
        return wordpiece.WordPieceTokenizer(TRAINED[name], {UNKNOWN: len(ids), **ids})
    if name == "unigram":
        return unigram.from_training(
            train_unigram(corpus, size), title=TRAINED[name], byte_fallback=byte_fallback
        )
    raise InputError(f"There is no tokenizer called {name!r} here.")


def train_bpe(corpus: Corpus, merges: int, *, byte_level: bool = True) -> bpe.BPETraining:
    """Byte-level as GPT-2 has it, or letters with nothing at a word's end."""

    def train() -> bpe.BPETraining:
        # ties by the rule of Hugging Face's trainer, so that anyone can check the vocabulary
        return bpe.train(
            _checked(corpus),
            merges,
            tie_rule="smallest-ids",
            end_of_word=None,
            byte_level=byte_level,
            on_progress=_REPORT.get(),
        )

    size = _size_of(corpus) + BYTES_A_TOKEN * merges
    return _kept(("bpe", _key(corpus), merges, byte_level), train, size)


def byte_bpe(text: str, merges: int, *, borders: bool) -> bpe.BPETokenizer:
    """Byte-level BPE with GPT-2's borders between words, or with none at all."""

    def train() -> bpe.BPETokenizer:
        training = bpe.train(
            text,
            merges,
            tie_rule="smallest-ids",
            end_of_word=None,
            byte_level=True,
            pre_tokenizer=GPT2 if borders else WHOLE_TEXT,
        )
        return bpe.from_training(training)

    return _kept(("byte-bpe", text, merges, borders), train, BYTES_A_TOKEN * (merges + 256))


def train_wordpiece(corpus: Corpus, merges: int, score: Score) -> wordpiece.WordPieceTraining:
    """On BERT's basic words of a text, lower-cased; on counted words as they are."""

    def train() -> wordpiece.WordPieceTraining:
        words = basic_words(corpus)
        counts = dict(zip(words.words, words.counts, strict=True))
        return wordpiece.train(counts, merges, score, on_progress=_REPORT.get())

    size = _size_of(corpus) + BYTES_A_TOKEN * merges
    return _kept(("wordpiece", _key(corpus), merges, score), train, size)


def train_unigram(corpus: Corpus, size: int, *, word_start: str = "▁") -> unigram.UnigramTraining:
    """With SentencePiece's ▁ before each word, or without. Takes more pieces if letters need it."""

    def train() -> unigram.UnigramTraining:
        given = _checked(corpus)
        if _size_of(given) > LONGEST_UNIGRAM_CORPUS:
            raise InputError(
                f"The corpus has {_size_of(given):,} characters; Unigram trains on at most "
                f"{LONGEST_UNIGRAM_CORPUS:,} here, since it starts from every substring."
            )
        words = count_words(given, WHITESPACE)
        letters = len(set(word_start).union(*words.words))
        return unigram.train(
            dict(zip(words.words, words.counts, strict=True)),
            max(size, letters),
            word_start=word_start,
            on_progress=_REPORT.get(),
        )

    nbytes = 2 * _size_of(corpus) + BYTES_A_TOKEN * size
    return _kept(("unigram", _key(corpus), size, word_start), train, nbytes)


def basic_words(corpus: Corpus) -> WordCounts:
    """The corpus's words as BERT has them; counted words as they are."""
    given = _checked(corpus)
    if not isinstance(given, str):
        return count_words(given, WHITESPACE)
    words = bert_text.count_basic_words(given)
    if not words.words:
        raise InputError("The corpus has no words. Give a text with some letters.")
    return words


def _kept(key: tuple[Hashable, ...], compute: Callable[[], Value], nbytes: int) -> Value:
    """By content, for all readers; `nbytes` is what it keeps alive, as far as can be guessed."""
    return engine.derived(("tokenizers", *key), compute, lambda _: nbytes)


def _checked(corpus: Corpus) -> Corpus:
    if isinstance(corpus, str) and len(corpus) > TRAINED_CHARACTERS:
        raise InputError(
            f"The corpus has {len(corpus):,} characters; at most {TRAINED_CHARACTERS:,} are taken. "
            "Take a part of it."
        )
    return corpus


def _size_of(corpus: Corpus) -> int:
    return len(corpus) if isinstance(corpus, str) else sum(map(len, corpus))


def _key(corpus: Corpus) -> Hashable:
    return corpus if isinstance(corpus, str) else tuple(corpus.items())


def on_board_ids() -> tuple[str, ...]:
    """Models whose tokenizer needs no network."""
    return tuple(card.id for card in model_cards() if not models.needs_network(card))
