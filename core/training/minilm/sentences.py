"""Short everyday sentences: the English sides of both files of sentence pairs, each once."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from jaxtyping import Int

from core.training.common.datafiles import read_table
from core.training.translation.pairs import PAIRS_FILE, Sentences, is_held_out

PAIRS_FILES = (PAIRS_FILE, "translation/tatoeba-en-fr.tsv.xz")
LENGTH_STEP = 16  # sentences are padded to a multiple: two shapes, so two compiled kernels
LONGEST = 32  # tokens; one in a thousand is longer
BLOCKS_AT_ONCE = 16  # drawn and sorted together


def training_sentences(data: Path) -> list[str]:
    """All English sentences but those that the translator, too, has never read."""
    return [sentence for sentence in _english(data) if not is_held_out(sentence)]


def held_out_sentences(data: Path) -> list[str]:
    return [sentence for sentence in _english(data) if is_held_out(sentence)]


def sentence_blocks(
    sentences: Sentences, n_rows: int, generator: np.random.Generator
) -> Iterator[Int[np.ndarray, "row token"]]:
    """Endless blocks of `n_rows` sentences of like lengths, padded with id 0, [PAD]."""
    lengths = sentences.lengths
    good = np.flatnonzero(lengths <= LONGEST)
    while True:
        drawn = generator.choice(good, size=n_rows * BLOCKS_AT_ONCE)
        drawn = drawn[np.argsort(lengths[drawn], kind="stable")]
        for block in generator.permutation(BLOCKS_AT_ONCE):
            rows = drawn[block * n_rows : (block + 1) * n_rows]
            width = -(-int(lengths[rows].max()) // LENGTH_STEP) * LENGTH_STEP
            yield sentences.padded(rows, width, 0)


def _english(data: Path) -> list[str]:
    """In the files' order, each sentence once."""
    return list(
        dict.fromkeys(row[0] for name in PAIRS_FILES for row in read_table(data / name, columns=2))
    )
