"""One row a relation, in the form of Clark et al. 2019: the best head beside the best guess."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from app.components.token_table import TokenTable
from app.style.number_format import three
from app.ui.export_bar import Table
from app.views.attention.syntax import state
from core.explain.attention.relation_heads import RelationHeads
from core.explain.attention.relations import COREFERENCE, NEAREST_NOUN, Relation

COLUMNS: Final = (
    "best head",
    "finds",
    "best guess",
    "guess finds",
    "at least",
    "at most",
    "held out",
)
MARKED: Final = 2  # columns that are underlined where the head beats its guess


def rows_of(table: Sequence[RelationHeads]) -> tuple[RelationHeads, ...]:
    """The relations that the reader asked for, what beats its guess by most first."""
    wanted = state.TOWARDS.value
    kept = [
        one
        for one in table
        if wanted in ("either", one.relation.towards) or one.relation.label == COREFERENCE
    ]
    kept.sort(key=gain, reverse=True)
    if wanted != "either":
        return tuple(kept)
    better = {one.relation.label: one for one in reversed(kept)}
    return tuple(one for one in kept if better[one.relation.label] is one)


def gain(found: RelationHeads) -> float:
    """How far the best head is above the best guess, at the lower end of the interval."""
    return found.above[found.best].low


def figure(rows: Sequence[RelationHeads], caption: str, hue: str) -> TokenTable:
    """Shades are shares of links found."""
    return TokenTable(
        cells=tuple(_cells(one) for one in rows),
        shades=np.array([_shades(one) for one in rows], dtype=np.float32),
        rows=tuple(f"{one.relation} ({one.n_links})" for one in rows),
        columns=COLUMNS,
        label="Relations by how well the best head, and the best guess, find them",
        notes=tuple((_note(one),) * len(COLUMNS) for one in rows),
        marked=np.array(
            [[beats(one) and at < MARKED for at in range(len(COLUMNS))] for one in rows]
        ),
        row_title="who → whom (links)",
        shade_title="Shade: share of the links found, and its 95 % interval. Underlined: above the "
        "best guess at the lower end of the interval of the difference.",
        caption=caption,
        tokens=False,
        hue=hue,
    )


def beats(found: RelationHeads) -> bool:
    """Whether the best head is above the guess, its interval counted."""
    return gain(found) > 0


def head_name(head: tuple[int, int]) -> str:
    return f"{head[0]}.{head[1]}"


def _cells(one: RelationHeads) -> tuple[str, ...]:
    shares = [f"{share:.0%}" for share in _shades(one)]
    return head_name(one.heads[one.best]), shares[1], one.baseline, *shares[3:]


def _shades(one: RelationHeads) -> tuple[float, ...]:
    best, guess = one.accuracy[one.best], one.baseline_accuracy
    return best.mean, best.mean, guess, guess, best.low, best.high, one.held_out


def _note(one: RelationHeads) -> str:
    above = one.above[one.best]
    return (
        f"{three(above.mean)} above the guess ({three(above.low)} to {three(above.high)}), "
        f"{one.n_links} links in {one.n_sentences} sentences"
    )


def guess_name(found: RelationHeads) -> str:
    """In a sentence."""
    known = {NEAREST_NOUN: f"the {NEAREST_NOUN}", "+1": "the next word", "−1": "the word before"}
    return known.get(found.baseline, f"the word at {found.baseline}")


def table(found: Sequence[RelationHeads]) -> Table:
    """A line a relation and head, whatever is shown."""
    header = (
        *("relation", "towards", "layer", "head", "accuracy", "low", "high", "guess"),
        *("guess_accuracy", "above", "above_low", "above_high", "links", "sentences"),
    )
    return header, _lines(found)


def _lines(found: Sequence[RelationHeads]) -> Iterator[tuple[object, ...]]:
    for one in found:
        for head, accuracy, above in zip(one.heads, one.accuracy, one.above, strict=True):
            yield (
                *(*one.relation, *head, accuracy.mean, accuracy.low, accuracy.high),
                *(one.baseline, one.baseline_accuracy, above.mean, above.low, above.high),
                *(one.n_links, one.n_sentences),
            )


def arrays(found: Sequence[RelationHeads]) -> dict[str, np.ndarray]:
    """(relation, head, …) of all."""
    return {
        "relations": np.array([one.relation for one in found]),
        "heads": np.array(found[0].heads),
        "accuracy": np.array([[(a.mean, a.low, a.high) for a in one.accuracy] for one in found]),
        "above": np.array([[(a.mean, a.low, a.high) for a in one.above] for one in found]),
        "interval_columns": np.array(("mean", "low", "high")),
        "guess": np.array([one.baseline for one in found]),
        "guess_accuracy": np.array([one.baseline_accuracy for one in found]),
        "held_out": np.array([one.held_out for one in found]),
        "links": np.array([one.n_links for one in found]),
        "sentences": np.array([one.n_sentences for one in found]),
    }


def written(relation: Relation) -> str:
    """In a link."""
    return f"{relation.label}.{relation.towards}"
