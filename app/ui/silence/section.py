"""The section: which heads are silent, the prediction before and after, every head in turn."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.services import silencing
from app.services.questions import Silenced
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import prediction, progress
from app.ui.controls import controls
from app.ui.heads_line import heads_line
from app.ui.silence import maps
from app.ui.silence.asked import Asked, Effect
from app.ui.silence.edges import edges_line
from app.ui.silence.params import FILLS, Silence
from app.ui.silence.patching import patched_arrays, patched_table, patching
from app.ui.silence.prediction import (
    chosen_answer,
    own_answer,
    sentence,
    side_by_side,
    table,
)
from core.explain.predictions.token_distribution import TokenDistribution
from core.interventions import Intervention
from core.trace import AttentionKind

HELP: Final = "See what the prediction becomes without some heads, or what each head is worth."


def silence_heads(params: Silence, question: Callable[[], Asked | None]) -> Effect | None:
    """Draw it; None while it is folded, and after an error was shown.

    question: asked for once it is open; None where there is nothing to ask, which was told.
    """
    params.open.toggle("Silence heads", help=HELP)
    asked = question() if params.open.value else None
    if asked is None:
        return None
    default = next(iter(asked.heads))
    heads = asked.heads[default if params.kind is None else AttentionKind(params.kind.value)]
    maps.take_clicks(params, heads)
    with controls("-silent"):
        if params.kind is not None:
            params.kind.selectbox("Attention")
        heads_line(
            params.heads,
            [heads.each] * heads.layers,
            "Silent heads",
            hint=f"In their place, at every token: {FILLS[params.instead.value]}.",
        )
        params.instead.segmented("In their place")
        edges = edges_line(params.edges, heads)
    changes = (*params.silent(heads.kind), *edges)
    found = progress.outcome(silencing.predictions(asked.question, changes), asked.card.id)
    if found is None or _asks(params, asked, found[0], changes):
        return None
    change = chosen_answer(params, asked, *found, n_heads=heads.layers * heads.each)
    words = params.words(blocked=bool(edges))
    left, right = st.columns([5, 6], gap="large")
    with left:
        side_by_side(params, asked, change, heads.kind, words)
    with right:
        names = params.names.names(asked.card.id, heads.kind)
        shown = maps.render(params, asked, heads, names, change)
    quantity = params.quantity(asked.question.position, change.answer, change.against)
    patched = params.patching and patching(params.patching, asked, heads, names, quantity)
    return Effect(
        sentence(params, asked, change, n_edges=len(edges)),
        words,
        {"silenced heads": lambda: table(asked.vocabulary, change)}
        | ({"every head": shown.table} if shown.arrays else {})
        | ({"patched": lambda: patched_table(patched)} if patched else {}),
        {
            "silenced_heads": np.array(params.heads.value, dtype=np.int64).reshape(-1, 2),
            "silenced_kind": np.array(str(heads.kind)),
            "blocked_edges": np.array(
                [(edge.layer, edge.head, edge.query, edge.key) for edge in edges], dtype=np.int64
            ).reshape(-1, 4),
            "silenced_instead": np.array(params.instead.value),
            "silenced_answer": np.array([change.answer, change.against], dtype=np.int64),
            "log_probabilities_before": change.before.log_probabilities,
            "log_probabilities_after": change.after.log_probabilities,
            **shown.arrays,
            **(patched_arrays(patched) if patched else {}),
        },
    )


def _asks(
    params: Silence, asked: Asked, before: TokenDistribution, changes: tuple[Intervention, ...]
) -> bool:
    """Whether the reader is still to say what becomes of the answer without these heads."""
    if not changes:
        return False
    own = own_answer(params, asked, before)
    name, share = plain(asked.name(own)), three(before.probability(own))
    return prediction.asks(
        params.scope.key("prediction-silenced"),
        f"**{name}** has {share}. What becomes of it once this is silenced?",
        Silenced(asked.question, changes, own),
        asked.card.id,
    )
