"""Batches of few shapes: pairs of similar length together, as in Vaswani et al. 2017, 5.1.

Few, because every shape is compiled once; all hold about the same number of tokens.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from core.errors import InputError
from core.training.translation.pairs import Pairs
from core.training.translation.tokenizer import PAD, START

TOKENS = {"cpu": 2_048, "cuda": 12_288}  # a batch, of each language, padding included
WIDTHS = (8, 10, 12, 16, 24, 48)  # tokens; a pair goes where its longer side fits
NO_QUESTION = -100  # the label behind a sentence's end


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """`decoder_input` is the target one place later, after <s>; `labels` is the target."""

    source: Int[np.ndarray, "pair token"]
    decoder_input: Int[np.ndarray, "pair token"]
    labels: Int[np.ndarray, "pair token"]


class Batches:
    """The training's batches; the n-th is the same at every start."""

    def __init__(self, pairs: Pairs, *, seed: int, tokens: int) -> None:
        self._pairs = pairs
        self._seed = seed
        self._tokens = tokens
        longest = np.maximum(pairs.english.lengths, pairs.german.lengths)
        place = np.searchsorted(WIDTHS, longest)  # a longer one is left out
        self._members = [np.flatnonzero(place == number) for number in range(len(WIDTHS))]
        self.an_epoch = sum(
            len(members) // self._rows(width)
            for members, width in zip(self._members, WIDTHS, strict=True)
        )
        if not self.an_epoch:
            raise InputError(
                f"{len(pairs.english)} sentence pairs don't fill one batch of {tokens} tokens; "
                "give --data with more of them"
            )

    def after(self, step: int) -> Iterator[Batch]:
        """Endless batches from this step on."""
        while True:
            epoch, first = divmod(step, self.an_epoch)
            for indices, width in self._epoch(epoch)[first:]:
                yield self._batch(indices, width)
            step = (epoch + 1) * self.an_epoch

    def _rows(self, width: int) -> int:
        return self._tokens // width

    def _epoch(self, epoch: int) -> list[tuple[Int[np.ndarray, " pair"], int]]:
        """Every pair at most once; what doesn't fill a batch waits for another epoch."""
        generator = np.random.default_rng([self._seed, epoch])
        batches: list[tuple[Int[np.ndarray, " pair"], int]] = []
        for members, width in zip(self._members, WIDTHS, strict=True):
            order, rows = generator.permutation(members), self._rows(width)
            full = len(order) // rows
            batches.extend((part, width) for part in order[: full * rows].reshape(full, rows))
        return [batches[index] for index in generator.permutation(len(batches))]

    def _batch(self, indices: Int[np.ndarray, " pair"], width: int) -> Batch:
        source = self._pairs.english.padded(indices, width, PAD)
        target = self._pairs.german.padded(indices, width, PAD)
        start = np.full((len(indices), 1), START)
        return Batch(
            source,
            np.concatenate([start, target[:, :-1]], axis=1),
            np.where(target == PAD, NO_QUESTION, target),
        )
