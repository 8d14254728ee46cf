"""One prediction before and after: which answer is looked at, the bars, the sentence."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from app.components.moved_answers import Moved, moved_answers
from app.services.silencing import SLICE
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.controls import controls
from app.ui.export_bar import Table
from app.ui.silence.asked import Asked
from app.ui.silence.params import Silence
from app.ui.token_choice import OWN, forget_other_vocabulary, token_choice
from core.explain.predictions.prediction_change import PredictionChange, prediction_change
from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import AttentionKind

TOP: Final = 6  # tokens of each side
OFFERED: Final = 10  # answers to choose from
Named = Callable[[int], str]  # a token for the reader


def chosen_answer(
    params: Silence,
    asked: Asked,
    before: TokenDistribution,
    after: TokenDistribution,
    n_heads: int,
) -> PredictionChange:
    """The answer and what it is compared with, as chosen; a link's must be in the vocabulary."""
    likeliest = before.top(OFFERED)
    own = likeliest[0] if asked.original is None else asked.original
    answer = own_answer(params, asked, before)
    other = next(token for token in likeliest if token != answer)
    if params.against.value in (answer, other):
        params.against.reset()
    with controls("-answer"):
        token_choice(
            params.answer,
            "Answer",
            likeliest,
            own,
            named=asked.name,
            vocabulary=asked.vocabulary,
            left_out=(own,),
        )
        against = token_choice(
            params.against,
            "Compared with",
            likeliest,
            other,
            named=asked.name,
            vocabulary=asked.vocabulary,
            left_out=(other, answer),
        )
        params.sweep.toggle(
            "What each head is worth",
            help=f"Runs the model {n_heads} times, {SLICE} at once, one head silenced each time.",
        )
        patched = params.patching is not None and params.patching.open.value
        if params.sweep.value or patched:
            params.effect.segmented("Measured in")
    return prediction_change(before, after, answer, against)


def own_answer(params: Silence, asked: Asked, before: TokenDistribution) -> int:
    """The token that is looked at: the chosen one, what stood there, or the likeliest."""
    forget_other_vocabulary(
        params.scope.key("answer-of"),
        asked.question.model_id,
        len(before),
        *(params.answer, params.against),
    )
    own = before.top(1)[0] if asked.original is None else asked.original
    if params.answer.value == own:
        params.answer.reset()  # a link may name what the view takes by itself
    return own if params.answer.value == OWN else params.answer.value


def side_by_side(
    params: Silence, asked: Asked, change: PredictionChange, hue: AttentionKind, words: str
) -> None:
    """The likeliest tokens of both, and how far the whole moved. words: of what is changed."""
    moved_bars(
        change,
        asked.name,
        key=params.scope.key("silenced-bars"),
        caption=" · ".join(filter(None, (asked.card.title, f"“{asked.question.text}”", words))),
        hue=hue,
    )
    if words:
        st.markdown(how_far(change, asked.name))
    else:
        st.caption("Every head speaks: click one in the map, or name it above.")


def moved_bars(
    change: PredictionChange, named: Named, *, key: str, caption: str, hue: AttentionKind
) -> None:
    """The likeliest tokens of both sides."""
    tokens = dict.fromkeys((*change.top(TOP), change.answer, change.against))
    rows = tuple(
        Moved(
            named(token),
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
        key=key,
        caption=caption,
        clickable=False,
        hue=str(hue),
    )


def how_far(change: PredictionChange, named: Named) -> str:
    """How far the answer moved, and all of them together, in Markdown."""
    first, second = map(three, change.logit_differences)
    return (
        f"Logit of {plain(named(change.answer))} less that of "
        f"{plain(named(change.against))}: **{first}** before, **{second}** after. "
        f"KL(before ‖ after): **{three(change.divergence)} bits**."
    )


def sentence(params: Silence, asked: Asked, change: PredictionChange, *, n_edges: int) -> str:
    """For the view's answer, in Markdown; "" while nothing is changed."""
    silent = params.heads.value
    parts = [f"layer {layer}, head {head}" for layer, head in silent]
    if len(silent) > 1:
        parts = [f"{len(silent)} heads"]
    if n_edges:
        parts.append("one edge" if n_edges == 1 else f"{n_edges} edges")
    if not parts:
        return ""
    return without(f"Without {' and '.join(parts)}", change, asked.name)


def without(what: str, change: PredictionChange, named: Named) -> str:
    """What the answer becomes, as a sentence in Markdown."""
    (before, after), (_, rank) = change.probabilities, change.ranks
    return (
        f"{what}, **{plain(named(change.answer))}** has "
        f"**{three(after)}** (rank {rank:,}) instead of {three(before)}."
    )


def table(vocabulary: Sequence[str], change: PredictionChange) -> Table:
    """A line a token of either side."""
    tokens = dict.fromkeys((*change.top(OFFERED), change.answer, change.against))
    lines = (
        (
            vocabulary[token],
            token,
            repr(change.before.probability(token)),
            repr(change.after.probability(token)),
            change.before.rank(token),
            change.after.rank(token),
        )
        for token in tokens
    )
    return ("token", "id", "before", "after", "rank_before", "rank_after"), lines
