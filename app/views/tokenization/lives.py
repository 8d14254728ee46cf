"""Births and deaths: when each token was made, and when its last use was merged away."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.services import bpe_training
from app.style.markdown_escape import plain
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.views.tokenization import controls, exports, steps
from app.views.tokenization.state import HERE, TRAINED, recipe
from core.tokenization import bpe
from core.tokenization.bpe import BPETraining, Lifetime

MOST_DRAWN: Final = 600  # lives; the table has all
NAMED: Final = 44  # lives that fit with a name each
EVERY_TICK: Final = 12  # merges that are ticked one by one
LISTED: Final = 12  # dead tokens in a sentence


def render() -> Figure | None:
    """Ask for a corpus, train on it, draw every token's life."""
    corpus = controls.corpus_input()
    if corpus is None:
        return None
    training = progress.trained(bpe_training.train(recipe(corpus)), "Training")
    return None if training is None else partial(_figure, training)


def _figure(training: BPETraining) -> Export:
    lives = bpe.lifetimes(training)
    answer(sentence(training, lives))
    drawn = lives[:MOST_DRAWN]
    _timeline(training, drawn)
    if len(drawn) < len(lives):
        st.caption(f"The figure draws the first {len(drawn):,} of {len(lives):,}; CSV has all.")
    return Export(
        name="bpe-lives",
        caption=f"Births and deaths · {exports.caption(training)}",
        table=lambda: _table(lives),
        left_out=controls.left_out(),
    )


def sentence(training: BPETraining, lives: Sequence[Lifetime]) -> str:
    """How many died, which of them lived longest, and what the dead cost."""
    n_merges = len(training.steps)
    made = [life for life in lives if life.born]
    dead = [life for life in made if life.died is not None]
    if not dead:
        return f"After {n_merges:,} merges every one of the {len(made):,} made tokens is in use."
    by_age = sorted(dead, key=lambda life: -(life.lasted or 0))
    names = " · ".join(plain(steps.short_name(life.token)) for life in by_age[:LISTED])
    more = f" and {len(dead) - LISTED:,} more" if len(dead) > LISTED else ""
    oldest = by_age[0]
    return (
        f"After {n_merges:,} merges **{len(dead):,} of the {len(made):,}** tokens that they made "
        f"stand nowhere in the corpus any more: {names}{more}. "
        f"**{plain(steps.short_name(oldest.token))}** lasted longest: made by merge "
        f"{oldest.born:,}, {steps.times(oldest.uses_at_birth)} in the text, gone into "
        f"{plain(steps.short_name(oldest.swallowed_by or ''))} by merge {oldest.died:,}."
    )


def _timeline(training: BPETraining, drawn: Sequence[Lifetime]) -> None:
    end = len(training.steps)
    curves = [
        _lines("in use at the end", [(i, x) for i, x in enumerate(drawn) if x.died is None], end),
        _lines("dead", [(i, x) for i, x in enumerate(drawn) if x.died is not None], end),
    ]
    chart = charts.chart(
        [curve for curve in curves if len(curve.x)],
        x_title="merges",
        y_title="" if len(drawn) <= NAMED else "tokens, in order of birth",
        height=max(320, min(760, 90 + 19 * len(drawn))),
    )
    chart.y_axis(autorange="reversed", showgrid=False)
    for trace in chart.data:
        trace["marker"]["size"] = 6
    chart.x_axis(range=(-0.02 * max(1, end), 1.02 * max(1, end)))  # no mark on a name
    if end <= EVERY_TICK:
        chart.x_axis(dtick=1)
    names = [charts.plain(steps.short_name(life.token)) for life in drawn]
    named = len(drawn) <= NAMED
    chart.y_axis(tickvals=list(range(len(drawn))) if named else [], ticktext=names if named else [])
    charts.show(
        chart,
        key=HERE.key("lives-chart"),
        name="bpe-lives",
        caption=exports.caption(training),
    )


def _lines(name: str, lives: Sequence[tuple[int, Lifetime]], end: int) -> charts.Curve:
    """One line a life, with a gap after each."""
    x = [[life.born, end if life.died is None else life.died, np.nan] for _, life in lives]
    y = [[place, place, np.nan] for place, _ in lives]
    dead = name == "dead"
    return charts.Curve(
        name=name,
        x=np.array(x, dtype=np.float64).reshape(-1),
        y=np.array(y, dtype=np.float64).reshape(-1),
        hover=tuple(text for _, life in lives for text in (*_said(life), "")),
        dashed=dead,
        hue="negative" if dead else "encoder",
        hollow=tuple(dead for _ in lives for _ in range(3)),
    )


def _said(life: Lifetime) -> tuple[str, str]:
    """What stands at a line's two ends."""
    made = f"made by merge {life.born:,}" if life.born else "a symbol of the corpus"
    born = f"{life.token}: {made}, {steps.times(life.uses_at_birth)} in the text"
    if life.died is None:
        return born, f"{life.token}: in use {steps.times(life.uses)} in the end"
    return born, f"{life.token}: its last use went into {life.swallowed_by}, merge {life.died:,}"


def _table(lives: Sequence[Lifetime]) -> Table:
    header = ["id", "token", "born", "uses_at_birth", "died", "swallowed_by", "uses"]
    return header, [
        (life.id, life.token, life.born, life.uses_at_birth,
         "" if life.died is None else life.died, life.swallowed_by or "", life.uses)
        for life in lives
    ]  # fmt: skip


VIEW: Final = View("lives", "Births and deaths", TRAINED, render)
