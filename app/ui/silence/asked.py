"""What a view asks of the section, and what it gets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool

from app.services.silencing import Heads, Question
from app.style.visible_space import visible
from app.ui.export_bar import Export, Table
from core.catalog import ModelCard
from core.trace import AttentionKind, Trace


@dataclass(frozen=True)
class Asked:
    """One answer of a view, and what is needed to name it."""

    card: ModelCard
    question: Question
    vocabulary: Sequence[str]
    heads: Mapping[AttentionKind, Heads]
    trace: Callable[[], Trace | None]  # asked for only where it is shown
    left_out: Callable[[Trace, AttentionKind], Bool[np.ndarray, " key"]]  # keys that are no words
    original: int | None = None  # the token that stood there

    def name(self, token: int) -> str:
        return visible(self.vocabulary[token])


@dataclass(frozen=True, eq=False)
class Effect:
    """What the view's answer and its files say of it."""

    said: str  # a sentence in Markdown; "" while every head speaks
    words: str  # of the settings
    tables: Mapping[str, Callable[[], Table]]
    arrays: Mapping[str, np.ndarray]


def heads_of(card: ModelCard, kind: AttentionKind) -> dict[AttentionKind, Heads]:
    """Of a model with one stack. card: with the opened model's counts."""
    return {kind: Heads(kind, card.layers, card.heads)}


def with_effect(export: Export, effect: Effect | None) -> Export:
    """What the view hands out, and what the section adds to it."""
    if effect is None:
        return export
    return replace(
        export,
        caption=" · ".join(filter(None, (export.caption, effect.words))),
        arrays=lambda: {**(export.arrays() if export.arrays else {}), **effect.arrays},
        more={**export.more, **effect.tables},
    )
