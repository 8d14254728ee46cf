"""Two trainings on the same corpus that part: at a tie, or where a merge was forced."""

from dataclasses import dataclass, replace

from core.tokenization.bpe.settings import tie_rule_named
from core.tokenization.bpe.state import MergeStep, Pair
from core.tokenization.bpe.training import BPETraining, train_words


@dataclass(frozen=True, slots=True)
class ForkView:
    """Two trainings side by side, from their first different merge on."""

    first_difference: int | None
    """Number of the first merge in which they differ; None if none does."""
    left: MergeStep | None
    right: MergeStep | None
    was_tie: bool
    """Whether the two pairs of that merge were equally frequent."""
    shared: tuple[str, ...]
    """Merged tokens that both have, in the left training's order."""
    only_left: tuple[str, ...]
    only_right: tuple[str, ...]
    left_lengths: tuple[int, ...]
    """Tokens in the running text after each number of merges."""
    right_lengths: tuple[int, ...]
    words: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    """Frequent words that end up cut differently: word, left tokens, right tokens."""


def fork(
    training: BPETraining,
    *,
    tie_rule: str | None = None,
    force: tuple[int, Pair] | None = None,
) -> BPETraining:
    """Train again on the same words with another tie rule, or with one merge forced.

    `force` is (merge number from 0, pair): the merges before it are taken over as they are,
    the pair follows, and the tie rule goes on from there.
    """
    settings = training.settings
    if tie_rule is not None:
        settings = replace(settings, tie_rule=tie_rule_named(tie_rule))
    forced: dict[int, Pair] | None = None
    if force is not None:
        rank, pair = force
        forced = {**dict(enumerate(training.merges[:rank])), rank: pair}
    alphabet = training.vocabulary[: training.n_initial]
    return train_words(training.corpus, settings, alphabet=alphabet, forced=forced)


def side_by_side(left: BPETraining, right: BPETraining, n_words: int = 20) -> ForkView:
    """Compare two trainings: the first difference, and what follows from it."""
    both = enumerate(zip(left.merges, right.merges, strict=False))
    first = next((rank for rank, (one, other) in both if one != other), None)
    if first is None and len(left.merges) != len(right.merges):
        first = min(len(left.merges), len(right.merges))
    left_tokens = [step.token for step in left.steps]
    right_tokens = [step.token for step in right.steps]
    in_left, in_right = set(left_tokens), set(right_tokens)
    left_step = _step(left, first)
    right_step = _step(right, first)
    return ForkView(
        first_difference=first,
        left=left_step,
        right=right_step,
        was_tie=bool(left_step and right_step and left_step.count == right_step.count),
        shared=tuple(token for token in left_tokens if token in in_right),
        only_left=tuple(token for token in left_tokens if token not in in_right),
        only_right=tuple(token for token in right_tokens if token not in in_left),
        left_lengths=left.corpus_lengths(),
        right_lengths=right.corpus_lengths(),
        words=_different_words(left, right, n_words),
    )


def _step(training: BPETraining, rank: int | None) -> MergeStep | None:
    return training.steps[rank] if rank is not None and rank < len(training.steps) else None


def _different_words(
    left: BPETraining, right: BPETraining, limit: int
) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    if left.corpus.words != right.corpus.words:
        raise ValueError("the two trainings saw different corpora")
    left_end, right_end = left.state_at(len(left.steps)), right.state_at(len(right.steps))
    found: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    for index in left.log.by_frequency.tolist():
        if len(found) == limit:
            break
        one, other = left_end.word(index), right_end.word(index)
        if one.tokens != other.tokens:
            found.append((one.word, one.tokens, other.tokens))
    return tuple(found)
