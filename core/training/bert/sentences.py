"""Blocks of short sentences of like lengths."""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Int

from core.training.translation.pairs import Sentences

LENGTH_STEP = 16  # sentences are padded to a multiple: two shapes, so two compiled kernels
LONGEST = 32  # tokens; one in a thousand is longer
BLOCKS_AT_ONCE = 16  # drawn and sorted together


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
