"""Running text and sentences as MiniLM's tokens, made once and kept in the cache."""

import zlib
from dataclasses import dataclass
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
from core.training.bert.facts import FactBook, read_facts
from core.training.bert.prepare import NEEDS, SENTENCES_FILE
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import data_folder
from core.training.translation.english import training_sentences
from core.training.translation.pairs import Sentences, encode

LENGTH = 128  # tokens of a sequence of running text


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """All that the training reads."""

    tokenizer: Tokenizer
    corpus: Corpus
    sentences: Sentences
    book: FactBook


def prepare(data: Path, cache: Path, tokenizer: Tokenizer) -> Prepared:
    """Make or reopen the cached tokens of these very data files."""
    folder = data_folder(data, needs=NEEDS)
    book = read_facts(folder)

    def fill(target: Path) -> None:
        save_corpus(tokenise(training_documents(folder), tokenizer), target)
        encode(tokenizer, training_sentences(folder)).save(target / SENTENCES_FILE)

    sizes = [(name, (folder / name).stat().st_size) for name in NEEDS]
    made = cached_folder(cache / f"data-{zlib.crc32(repr(sizes).encode()):08x}", fill)
    corpus = open_corpus(made)
    require_long_documents(corpus, LENGTH)
    return Prepared(tokenizer, corpus, Sentences.open(made / SENTENCES_FILE), book)
