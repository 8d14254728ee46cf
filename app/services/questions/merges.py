"""Questions on BPE: which pair is merged next, and what a word is in the end."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.services import bpe_training
from app.services.bpe_training import MARKER, Recipe
from app.services.questions.answers import Answers, Wait
from app.style.visible_space import visible
from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.typed_counts import read_counts

OFFERED: Final = 6  # pairs to choose from
MOST_MERGES: Final = 500
MARKERS: Final[Mapping[str, str | None]] = {"separate": MARKER, "glued": MARKER, "none": None}
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class NextMerge:
    """Which pair is merged next, after `step` merges of a training or of an encoded word?"""

    corpus: str = ""
    step: str = "0"
    read: str = "counts"
    ties: str = "first-seen"
    end: str = "separate"
    merges: str = "10"
    word: str = ""  # an encoding is asked about
    list: str = ""  # of merges; "": the training's

    def answers(self, wait: Wait) -> Answers:
        step = _whole(self.step, "step")
        return self._of_word(step, wait) if self.word else self._of_training(step, wait)

    def _of_training(self, step: int, wait: Wait) -> Answers:
        training = wait(bpe_training.train(self._recipe(step + 1)).future)
        if len(training.merges) <= step:
            raise InputError(f"This training ends after {len(training.merges)} merges.")
        rows = training.state_at(step).pairs(OFFERED).rows
        right = rows[0].pair  # the tie rule's choice among equals
        rows = sorted(rows, key=lambda row: row.pair)
        return Answers(
            tuple(_named(row.pair) for row in rows),
            tuple(float(row.count) for row in rows),
            "times in the corpus",
            place := [row.pair for row in rows].index(right),
            frozenset((place,)),
        )

    def _of_word(self, step: int, wait: Wait) -> Answers:
        rules, end = self._rules(wait)
        encoding = bpe.encode(self.word, rules, MARKERS[end], glued=end == "glued")
        if len(encoding.steps) <= step:
            raise InputError(f"“{self.word}” is whole after {len(encoding.steps)} merges.")
        tokens = encoding.states()[step]
        found = {pair: rank for rank, pair in reversed([*enumerate(rules, 1)])}
        pairs = [pair for pair in dict.fromkeys(pairwise(tokens)) if pair in found]
        right = pairs.index(encoding.steps[step].pair)
        ranks = tuple(float(found[pair]) for pair in pairs)
        options = tuple(map(_named, pairs))
        return Answers(options, ranks, "number in the list", right, frozenset((right,)))

    def pieces(self, wait: Wait) -> tuple[str, ...]:
        """The word's tokens after all merges."""
        rules, end = self._rules(wait)
        return bpe.encode(self.word, rules, MARKERS[end], glued=end == "glued").tokens

    def _rules(self, wait: Wait) -> tuple[tuple[Pair, ...], str]:
        if self.list:
            checked = wait(bpe_training.read_merges(self.list, self.end).future)
            return checked.given.merges, checked.end_of_word
        training = wait(bpe_training.train(self._recipe(_whole(self.merges, "merges"))).future)
        return training.merges, self.end

    def _recipe(self, n_merges: int) -> Recipe:
        corpus = read_counts(self.corpus) if self.read == "counts" else self.corpus
        return Recipe(corpus, n_merges, self.ties, self.end)


def _whole(given: str, name: str) -> int:
    if not given.isdecimal() or len(given) > 4 or int(given) > MOST_MERGES:
        raise InputError(f"“{name}” is {given}; whole numbers up to {MOST_MERGES} go.")
    return int(given)


def _named(pair: Pair) -> str:
    return "+".join(map(visible, pair))  # a space would be shown as one
