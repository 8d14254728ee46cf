"""From a training to what the stepper draws: plain values, all of them from the core's log."""

import time
from collections.abc import Sequence
from typing import Any, Final

from app.style.markdown_escape import plain
from core.tokenization import bpe
from core.tokenization.bpe import BPETraining, StopReason, WordView

ROWS: Final = 12  # pairs in a table
ALL_WORDS: Final = 24  # a corpus with no more distinct words is shown whole, in its own order
SHOWN_WORDS: Final = 14  # of a larger one, the most frequent that the merge changes
SHOWN_TOKENS: Final = 40  # of one word
EVERY_STEP: Final = 160  # a run with no more merges is sent whole
AROUND: Final = 40  # else so many steps on either side
TIME: Final = 0.35  # seconds that may go into one window
CHANGES: Final = 6  # pairs whose counts a merge changes
SHOWN_SYMBOLS: Final = 120  # of the vocabulary at first
LONGEST_NAME: Final = 40  # letters of a word in a sentence

Pair = tuple[str, str]


def run_values(training: BPETraining) -> dict[str, Any]:
    """The whole run in short: every merge, and the corpus's length after each."""
    words = training.corpus.words
    small = len(words) <= ALL_WORDS
    return {
        "alphabet": training.vocabulary[: min(SHOWN_SYMBOLS, training.n_initial)],
        "n_initial": training.n_initial,
        "merges": [
            [*step.pair, step.count, step.replacements, step.n_tied, int(step.forced)]
            for step in training.steps
        ],
        "lengths": list(training.corpus_lengths()),
        "n_words": len(words),
        "total_words": training.corpus.total(),
        "small": small,
        "rule": rule_card(training).title,
        "end": end_sentence(training),
        "marker": training.settings.marker,
    }


def window(training: BPETraining, step: int) -> range:
    """The steps that are sent in full around one."""
    last = len(training.steps)
    if last <= EVERY_STEP:
        return range(last + 1)
    start = (step // AROUND - 1) * AROUND  # the same window for neighbouring steps
    return range(max(0, start), min(last, start + 3 * AROUND) + 1)


def window_values(training: BPETraining, step: int) -> dict[int, dict[str, Any]]:
    """Steps in full, outward from `step`, until the time is used up."""
    deadline = time.monotonic() + TIME
    outward = sorted(window(training, step), key=lambda other: (abs(other - step), other))
    values: dict[int, dict[str, Any]] = {}
    for other in outward:
        if values and time.monotonic() > deadline:
            break
        values[other] = step_values(training, other)
    return values


def step_values(training: BPETraining, step: int) -> dict[str, Any]:
    """The corpus after `step` merges and the choice of the next one."""
    upcoming = training.steps[step] if step < len(training.steps) else None
    decision = bpe.decision(training, step, ROWS - 1)
    rows = _rows(decision)
    pair = upcoming.pair if upcoming else None
    views, touched = _words(training, step)
    pairs = training.state_at(step).pairs(1)
    return {
        "n_pairs": pairs.n_pairs,
        "n_too_long": pairs.n_too_long,
        "n_tied": decision.n_tied if decision else 0,
        "rows": rows,
        "taken": next((i for i, row in enumerate(rows) if (row[0], row[1]) == pair), -1),
        "why": why(training, step, decision),
        "overlap": overlap(upcoming),
        "words": [
            [
                short_name(view.word),
                view.count,
                list(view.tokens[:SHOWN_TOKENS]),
                places(view.tokens[:SHOWN_TOKENS], pair) if pair else [],
                view.n_tokens,
            ]
            for view in views
        ],
        "touched": touched,
        "changes": [
            [*change.pair, change.before, change.after]
            for change in bpe.pair_changes(training, step, CHANGES)
        ]
        if upcoming
        else [],
    }


def places(tokens: Sequence[str], pair: Pair) -> list[int]:
    """Where a merge strikes, left to right: aaa holds (a, a) twice and is struck once."""
    found: list[int] = []
    place = 0
    while place + 1 < len(tokens):
        if (tokens[place], tokens[place + 1]) == pair:
            found.append(place)
            place += 1
        place += 1
    return found


def why(training: BPETraining, step: int, decision: bpe.Decision | None) -> str:
    """The choice in words: the count, then what the tie rule compared."""
    if step >= len(training.steps) or decision is None:
        return end_sentence(training)
    chosen = decision.chosen
    taken = training.steps[step]
    if taken.forced:
        return (
            f"Forced: {joined(taken.pair)}, which stands {times(taken.count)}. The rule would "
            f"have taken {joined(chosen.pair)}, {times(chosen.count)}."
        )
    if decision.n_tied == 1:
        if not decision.comparisons:
            return f"{joined(chosen.pair)} stands {times(chosen.count)}; it is the only pair left."
        rival = decision.comparisons[0].rival
        return (
            f"{joined(chosen.pair)} stands {times(chosen.count)}, more often than any other: the "
            f"next, {joined(rival.pair)}, stands {times(rival.count)}."
        )
    first = decision.comparisons[0]
    return (
        f"{decision.n_tied} pairs stand {times(chosen.count)} each, so the tie rule decides "
        f"(“{decision.rule_title}”: {decision.rule_comparison}). {joined(chosen.pair)}: "
        f"{first.chosen_value}; {joined(first.rival.pair)}: {first.rival_value}."
    )


def answered(training: BPETraining, step: int, *, predict: bool) -> str:
    """What the next merge does to the corpus, in Markdown; nothing of it to whoever predicts."""
    lengths = training.corpus_lengths()
    if predict or step >= len(training.steps):
        return (
            f"After {step:,} merges the corpus is **{lengths[step]:,}** tokens long, at first it "
            f"was **{lengths[0]:,}**."
        )
    taken = training.steps[step]
    return (
        f"Merge {step + 1:,} joins **{plain(joined(taken.pair))}**, which stands "
        f"**{times(taken.count)}**: the corpus goes from **{lengths[step]:,}** to "
        f"**{lengths[step + 1]:,}** tokens."
    )


def overlap(step: bpe.MergeStep | None) -> str:
    """Why fewer pairs are replaced than were counted; empty where all are."""
    if step is None or step.count == step.replacements:
        return ""
    token = step.pair[0]
    return (
        f"Counted {step.count:,}, replaced {step.replacements:,}: in {short_name(3 * token)} the "
        f"pair stands twice, but the two share the middle {short_name(token)}, so one merge uses "
        "both up."
    )


def end_sentence(training: BPETraining) -> str:
    """Why there is no further merge."""
    match training.stopped:
        case StopReason.AS_MANY_AS_ASKED:
            return (
                f"The end: {len(training.steps):,} merges, as many as the settings ask for. "
                "Ask for more in Settings."
            )
        case StopReason.NO_PAIR_LEFT:
            return "The end: no pair is left, for every word is one token."
        case StopReason.TOO_RARE:
            return (
                f"The end: no pair stands {times(training.settings.min_frequency)} any more, the "
                "minimum frequency."
            )
        case StopReason.TOO_LONG:
            longest = training.settings.max_token_length
            left = training.state_at(len(training.steps)).pairs(1).n_too_long
            return (
                f"The end: {left:,} pairs are left, but every one would make a token of more than "
                f"{longest} symbols, the longest that is allowed."
            )


def rule_card(training: BPETraining) -> bpe.TieRuleCard:
    """The tie rule of a training, for readers."""
    return next(card for card in bpe.TIE_RULES if card.rule == training.settings.tie_rule)


def joined(pair: Pair) -> str:
    """A pair in a sentence."""
    return f"{short_name(pair[0])} + {short_name(pair[1])}"


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def short_name(text: str) -> str:
    """A word or token, not longer than a line."""
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _rows(decision: bpe.Decision | None) -> list[list[Any]]:
    """Left, right, count, replacements, tied, and what the tie rule compares."""
    if decision is None:
        return []
    values = [""] + [
        comparison.rival_value if not comparison.by_count else ""
        for comparison in decision.comparisons
    ]
    if decision.comparisons and not decision.comparisons[0].by_count:
        values[0] = decision.comparisons[0].chosen_value
    table = (decision.chosen, *(comparison.rival for comparison in decision.comparisons))
    return [
        [*row.pair, row.count, row.replacements, int(row.tied), value]
        for row, value in zip(table, values, strict=True)
    ]


def _words(training: BPETraining, step: int) -> tuple[list[WordView], list[int]]:
    """The words that are shown, and how many the merge changes: distinct, running."""
    state = training.state_at(step)
    touched = list(bpe.n_words_touched(training, step)) if step < len(training.steps) else [0, 0]
    n_words = len(training.corpus.words)
    if n_words <= ALL_WORDS:
        return [state.word(index) for index in range(n_words)], touched
    if step == len(training.steps):
        return list(state.words(SHOWN_WORDS)), touched
    changed = bpe.words_touched(training, step, SHOWN_WORDS)
    return [change.before for change in changed], touched
