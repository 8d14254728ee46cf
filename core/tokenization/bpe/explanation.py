"""Why this merge, and what it did: everything about one step, read from the log."""

from dataclasses import dataclass
from typing import Final

from core.errors import InputError
from core.tokenization.bpe.state import MergeStep, Pair, PairRow, WordView
from core.tokenization.bpe.tie_rules import TIE_RULES, TieRule
from core.tokenization.bpe.training import BPETraining

_SHOWN_LETTERS: Final = 40


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why the chosen pair came before another one."""

    rival: PairRow
    by_count: bool
    """True: the rival is rarer. False: it is as frequent, and the tie rule decided."""
    chosen_value: str
    rival_value: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The choice that a training makes next from a state."""

    chosen: PairRow
    rule: TieRule
    rule_title: str
    rule_comparison: str
    n_tied: int
    comparisons: tuple[Comparison, ...]
    """One for each rival that is shown, the closest first."""


@dataclass(frozen=True, slots=True)
class WordChange:
    """A word before and after a merge."""

    before: WordView
    after: WordView
    merged: tuple[int, ...]
    """Which tokens of `after` the merge made."""


@dataclass(frozen=True, slots=True)
class PairChange:
    """How a merge changed the count of a pair of neighbours."""

    pair: Pair
    before: int
    after: int

    @property
    def change(self) -> int:
        """Negative where neighbours were parted, positive where they met."""
        return self.after - self.before


def decision(training: BPETraining, step: int, limit: int = 10) -> Decision | None:
    """Why the pair after `step` merges is next; None when no pair is left.

    It is the tie rule's choice, also at a step where another pair was forced.
    """
    state = training.state_at(step)
    table = state.pairs(limit + 1)
    if not table.rows:
        return None
    chosen, rivals = table.rows[0], table.rows[1:]
    card = next(card for card in TIE_RULES if card.rule == training.settings.tie_rule)
    comparisons: list[Comparison] = []
    for rival in rivals:
        if rival.tied:
            values = _shown(training, chosen), _shown(training, rival)
        else:
            values = str(chosen.count), str(rival.count)
        comparisons.append(Comparison(rival, not rival.tied, *values))
    return Decision(
        chosen=chosen,
        rule=card.rule,
        rule_title=card.title,
        rule_comparison=card.comparison,
        n_tied=table.n_tied,
        comparisons=tuple(comparisons),
    )


def words_touched(training: BPETraining, rank: int, limit: int = 50) -> tuple[WordChange, ...]:
    """Words that merge number `rank` changed, the most frequent first."""
    merge = _merge(training, rank)
    before, after = training.state_at(rank), training.state_at(rank + 1)
    words, _ = training.log.touched(rank)
    counts = training.log.row.frequencies[words]
    most_frequent = sorted(range(len(words)), key=lambda i: (-counts[i], words[i]))[:limit]
    changes: list[WordChange] = []
    for i in most_frequent:
        index = int(words[i])
        old, new = before.word(index), after.word(index)
        merged = tuple(place for place, token in enumerate(new.tokens) if token == merge.token)
        changes.append(WordChange(old, new, merged))
    return tuple(changes)


def n_words_touched(training: BPETraining, rank: int) -> tuple[int, int]:
    """How many distinct words a merge changed, and how many in the running text."""
    _merge(training, rank)
    words, _ = training.log.touched(rank)
    return len(words), int(training.log.row.frequencies[words].sum())


def pair_changes(training: BPETraining, rank: int, limit: int = 50) -> tuple[PairChange, ...]:
    """Pairs whose counts merge number `rank` changed, the largest change first."""
    _merge(training, rank)
    log = training.log
    before, after = log.counts(rank), log.counts(rank + 1)
    padded = after.copy()
    padded[: len(before)] -= before
    changed = padded.nonzero()[0]
    slots: list[int] = changed.tolist()
    order = sorted(slots, key=lambda slot: (-abs(int(padded[slot])), slot))[:limit]
    names = training.vocabulary
    return tuple(
        PairChange(
            pair=(names[int(log.left[slot])], names[int(log.right[slot])]),
            before=int(before[slot]) if slot < len(before) else 0,
            after=int(after[slot]),
        )
        for slot in order
    )


def _merge(training: BPETraining, rank: int) -> MergeStep:
    if not 0 <= rank < len(training.steps):
        raise InputError(
            f"There is no merge number {rank}: this training has merges 0 to "
            f"{len(training.steps) - 1}."
        )
    return training.steps[rank]


def _shown(training: BPETraining, row: PairRow) -> str:
    match training.settings.tie_rule:
        case TieRule.FIRST_SEEN:
            word, symbol = row.place
            name = training.corpus.words[word]
            name = name if len(name) <= _SHOWN_LETTERS else f"{name[:_SHOWN_LETTERS]}…"
            return f"word {word + 1} “{name}”, symbol {symbol + 1}"
        case TieRule.SMALLEST_IDS:
            return f"ids {row.key}"
        case TieRule.SHORTEST_PIECE:
            return f"length and piece {row.key}"
        case TieRule.GREATEST_STRINGS | TieRule.GREATEST_BYTES:
            return str(row.key)
