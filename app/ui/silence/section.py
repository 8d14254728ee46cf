"""The section: which heads are silent, the prediction before and after, every head in turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Bool

from app.components.moved_answers import Moved, moved_answers
from app.services import silencing
from app.services.engine import TextTrace
from app.services.silencing import Question
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui import progress
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.heads_line import heads_line
from app.ui.options import one_of
from app.ui.silence import maps
from app.ui.silence.maps import Maps
from app.ui.silence.params import FILLS, OWN, Silence
from core.catalog import ModelCard
from core.explain.predictions.prediction_change import PredictionChange, prediction_change
from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import AttentionKind

TOP: Final = 6  # tokens of each side
OFFERED: Final = 10  # answers to choose from
HELP: Final = "See what the prediction becomes without some heads, or what each head is worth."


@dataclass(frozen=True)
class Asked:
    """One answer of a view, and what is needed to name it."""

    card: ModelCard  # with the opened model's counts
    question: Question
    vocabulary: Sequence[str]
    kind: AttentionKind
    traced: Callable[[], TextTrace | None]  # asked for only where it is shown
    left_out: Callable[[TextTrace], Bool[np.ndarray, " key"]]  # keys that are no words
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


def silence_heads(params: Silence, asked: Asked) -> Effect | None:
    """Draw it; None while it is folded, and after an error was shown."""
    params.open.toggle("Silence heads", help=HELP)
    if not params.open.value:
        return None
    card = asked.card
    maps.take_clicks(params, (card.layers, card.heads))
    with controls("-silent"):
        heads_line(
            params.heads,
            [card.heads] * card.layers,
            "Silent heads",
            hint=f"In their place, at every token: {FILLS[params.instead.value]}.",
        )
        params.instead.segmented("In their place")
    found = progress.outcome(silencing.predictions(asked.question, params.changes), card.id)
    if found is None:
        return None
    change = _chosen(params, asked, *found)
    left, right = st.columns([6, 5], gap="large")
    with right:
        _side_by_side(params, asked, change)
    with left:
        shown = maps.render(params, asked, change)
    return Effect(
        _sentence(params, asked, change),
        params.words,
        {"silenced heads": lambda: _table(asked, change)} | _tables(shown),
        _arrays(params, change, shown),
    )


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


def _chosen(
    params: Silence, asked: Asked, before: TokenDistribution, after: TokenDistribution
) -> PredictionChange:
    """The answer and what it is compared with, as chosen; a link's must be in the vocabulary."""
    likeliest = before.top(OFFERED)
    own = likeliest[0] if asked.original is None else asked.original
    of, model = params.scope.key("answer-of"), asked.question.model_id
    other_model = st.session_state.setdefault(of, model) != model
    st.session_state[of] = model
    for param in (params.answer, params.against):
        if other_model or param.value >= len(before):  # ids of another vocabulary
            param.reset()
    answer = own if params.answer.value == OWN else params.answer.value
    if params.against.value == answer:
        params.against.reset()
    other = next(token for token in likeliest if token != answer)

    def offered(chosen: int, *left_out: int) -> list[int]:
        tokens = dict.fromkeys((OWN, *likeliest, *[chosen][: chosen != OWN]))
        return [token for token in tokens if token not in left_out]

    with controls("-answer"):
        one_of(
            params.answer,
            st.selectbox,
            "Answer",
            offered(params.answer.value, own),
            lambda token: asked.name(own if token == OWN else token),
        )
        one_of(
            params.against,
            st.selectbox,
            "Compared with",
            offered(params.against.value, other, answer),
            lambda token: asked.name(other if token == OWN else token),
        )
        params.sweep.toggle(
            "What each head is worth",
            help=f"Runs the model {asked.card.layers * asked.card.heads} times, "
            f"{silencing.SLICE} at once, one head silenced each time.",
        )
        if params.sweep.value:
            params.effect.segmented("Measured in")
    against = other if params.against.value == OWN else params.against.value
    return prediction_change(before, after, answer, against)


def _side_by_side(params: Silence, asked: Asked, change: PredictionChange) -> None:
    tokens = dict.fromkeys((*change.top(TOP), change.answer, change.against))
    rows = tuple(
        Moved(
            asked.name(token),
            change.before.probability(token),
            change.after.probability(token),
            change.before.rank(token),
            change.after.rank(token),
            lit=token == change.answer,
        )
        for token in tokens
    )
    moved_answers(
        rows,
        label="The likeliest tokens, before and after",
        key=params.scope.key("silenced-bars"),
        caption=f"{asked.card.title} · “{asked.question.text}” · {params.words}",
        clickable=False,
        hue=str(asked.kind),
    )
    if not params.heads.value:
        st.caption("Every head speaks: click one in the map, or name it above.")
        return
    first, second = map(three, change.logit_differences)
    st.markdown(
        f"Logit of {plain(asked.name(change.answer))} less that of "
        f"{plain(asked.name(change.against))}: **{first}** before, **{second}** after. "
        f"KL(before ‖ after): **{three(change.divergence)} bits**."
    )


def _sentence(params: Silence, asked: Asked, change: PredictionChange) -> str:
    silent = params.heads.value
    if not silent:
        return ""
    (layer, head), count = silent[0], len(silent)
    without = f"layer {layer}, head {head}" if count == 1 else f"{count} heads"
    (before, after), (_, rank) = change.probabilities, change.ranks
    return (
        f"Without {without}, **{plain(asked.name(change.answer))}** has **{three(after)}** "
        f"(rank {rank:,}) instead of {three(before)}."
    )


def _table(asked: Asked, change: PredictionChange) -> Table:
    tokens = dict.fromkeys((*change.top(OFFERED), change.answer, change.against))
    lines = (
        (
            asked.vocabulary[token],
            token,
            repr(change.before.probability(token)),
            repr(change.after.probability(token)),
            change.before.rank(token),
            change.after.rank(token),
        )
        for token in tokens
    )
    return ("token", "id", "before", "after", "rank_before", "rank_after"), lines


def _tables(shown: Maps) -> dict[str, Callable[[], Table]]:
    return {"every head": shown.table} if shown.arrays else {}


def _arrays(params: Silence, change: PredictionChange, shown: Maps) -> dict[str, np.ndarray]:
    return {
        "silenced_heads": np.array(params.heads.value, dtype=np.int64).reshape(-1, 2),
        "silenced_instead": np.array(params.instead.value),
        "silenced_answer": np.array([change.answer, change.against], dtype=np.int64),
        "log_probabilities_before": change.before.log_probabilities,
        "log_probabilities_after": change.after.log_probabilities,
        **shown.arrays,
    }
