"""Vocabulary and tokenised text, made once from the data folder and kept in the cache."""

import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tokenizers import Tokenizer

from core.training.bert.corpus import (
    Corpus,
    open_corpus,
    require_long_documents,
    save_corpus,
    tokenise,
    training_documents,
)
from core.training.bert.facts import FACTS_FILE, PATTERNS_FILE, FactBook, read_facts
from core.training.bert.network import MAX_POSITIONS
from core.training.bert.tokenizer import train_tokenizer
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import data_folder
from core.training.common.texts import BOOKS_FILE, WIKI_FILE
from core.training.translation.english import PAIRS_FILES, training_sentences
from core.training.translation.pairs import Sentences, encode

NEEDS = (WIKI_FILE, BOOKS_FILE, FACTS_FILE, PATTERNS_FILE, *PAIRS_FILES)
SENTENCES_FILE = "sentences.npz"
VOCABULARY_FILE = "tokenizer.json"
VOCABULARY_TEXT = 3  # one document in so many trains the vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """All that the training reads."""

    tokenizer: Tokenizer
    corpus: Corpus
    sentences: Sentences  # short everyday ones
    book: FactBook


def prepare(
    data: Path, cache: Path, *, vocabulary_size: int, vocabulary: Path | None = None
) -> Prepared:
    """Make or reopen the cached vocabulary and corpus of these very data files.

    vocabulary: the tokenizer.json to read the text with, instead of one trained here.
    """
    folder = data_folder(data, needs=NEEDS)
    book = read_facts(folder)

    def own_tokenizer() -> Tokenizer:
        objects = {triple.object for triple in book.training()}
        text = (
            paragraph
            for document in islice(training_documents(folder), 0, None, VOCABULARY_TEXT)
            for paragraph in document
        )
        return train_tokenizer(text, size=vocabulary_size, whole_words=objects)

    def fill(target: Path) -> None:
        tokenizer = Tokenizer.from_file(str(vocabulary)) if vocabulary else own_tokenizer()
        save_corpus(tokenise(training_documents(folder), tokenizer), target)
        encode(tokenizer, training_sentences(folder)).save(target / SENTENCES_FILE)
        tokenizer.save(str(target / VOCABULARY_FILE))

    sizes = [(name, (folder / name).stat().st_size) for name in NEEDS]
    given = vocabulary.read_bytes() if vocabulary else b""
    key = zlib.crc32(repr((sizes, vocabulary_size, VOCABULARY_TEXT)).encode() + given)
    made = cached_folder(cache / f"data-{key:08x}", fill)
    tokenizer = Tokenizer.from_file(str(made / VOCABULARY_FILE))
    corpus = open_corpus(made)
    require_long_documents(corpus, MAX_POSITIONS)
    return Prepared(tokenizer, corpus, Sentences.open(made / SENTENCES_FILE), book)
