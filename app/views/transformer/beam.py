"""Beam search as a growing tree: every hypothesis, its score, and what became of it."""

import streamlit as st

from app.components.beam_tree import (
    BeamTree,
    Column,
    Ending,
    Node,
    Place,
    beam_tree,
    beam_tree_frame,
)
from app.services import translator
from app.services.translator import SearchChoice, Translation
from app.style.markdown_escape import plain
from app.ui import progress, projector
from app.views.transformer import state
from app.views.transformer.exports import Table, export_row
from app.views.transformer.words import about_beams
from core.catalog import ModelCard

GREEDY = SearchChoice(1, 0.0, "length")


def render(card: ModelCard) -> None:
    """Settings, the tree, greedy beside it."""
    _settings()
    text, search = state.get(state.TEXT), state.search()
    found = progress.outcome(translator.translate(card.id, text, search), card.id)
    greedy = progress.outcome(translator.translate(card.id, text, GREEDY), card.id)
    if found is not None and greedy is not None:
        _figure(found, greedy, card)


def _settings() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(
            "Beams",
            1,
            translator.MOST_BEAMS,
            key=state.key(state.BEAMS),
            width=190,
            help="1 is greedy decoding. Vaswani et al. 2017 use 4.",
        )
        st.segmented_control(
            "Scores are divided by",
            list(state.NORMALISATIONS),
            format_func=state.NORMALISATIONS.__getitem__,
            key=state.key(state.NORMALISATION),
            required=True,
            help="|Y|^α as in transformers' generate; ((5 + |Y|) / 6)^α in Wu et al. 2016. "
            "|Y| counts the end.",
        )
        st.number_input(
            "α",
            min_value=-translator.LARGEST_PENALTY,
            max_value=translator.LARGEST_PENALTY,
            step=0.1,
            key=state.key(state.ALPHA),
            width=110,
            help="0: no penalty; larger favours longer translations.",
        )
        with st.popover("Pruning", icon=":material/content_cut:", width="content"):
            st.slider(
                "Margin for the next word, nats (0: off)",
                0.0,
                state.LARGEST_MARGIN,
                step=0.25,
                key=state.key(state.WORD_MARGIN),
                help="Words whose log P lies further below the step's best word are left out.",
            )
            st.slider(
                "Margin for hypotheses, nats (0: off)",
                0.0,
                state.LARGEST_MARGIN,
                step=0.25,
                key=state.key(state.HYPOTHESIS_MARGIN),
                help="Once one is finished: those whose score ÷ penalty is worse by more are "
                "dropped.",
            )
            st.caption(
                "Both as in Wu et al. 2016, section 7, who use 3.0. They compare live hypotheses "
                "only when those end; here each is compared at its present length."
            )
        with st.popover("Display", icon=":material/tune:", width="content"):
            st.segmented_control(
                "Dropped candidates",
                ["shown", "hidden"],
                key=state.key(state.PRUNED),
                required=True,
            )
            projector.toggle(state.PAGE)


@st.fragment
def _figure(found: Translation, greedy: Translation, card: ModelCard) -> None:
    _result(found, greedy)
    tree = _tree(found, card)
    pruned = state.get(state.PRUNED) == "shown"
    place = beam_tree(
        tree,
        key=f"{state.PAGE}.tree",
        place=Place(state.get(state.DEPTH), state.get(state.NODE)),
        pruned=pruned,
    )
    last = len(found.steps)
    state.put(state.DEPTH, state.DEPTH.default if place.step >= last else place.step)
    state.put(state.NODE, place.node)
    about_beams(found)
    export_row(
        name="beam-search",
        caption=tree.caption,
        table=lambda: _table(found),
        offline=("beam_tree", lambda: beam_tree_frame(tree, place=place, pruned=pruned)),
    )


def _result(found: Translation, greedy: Translation) -> None:
    left, right = st.columns(2)
    beams = found.settings.beams
    name = "Greedy" if beams == 1 else f"Beam search, {beams} beams"
    left.markdown(
        f"{name}: **{plain(found.text) or '∅'}**  \nΣ −log P = {found.score:.3g} nats, "
        f"÷ penalty {found.normalised:.3g}; {len(found.tokens)} tokens"
    )
    if beams > 1:
        better = greedy.score - found.score
        said = (
            "the same sentence"
            if greedy.tokens == found.tokens
            else f"Σ −log P = {greedy.score:.3g}: {_more(better)}; {len(greedy.tokens)} tokens"
        )
        right.markdown(f"Greedy: {plain(greedy.text) or '∅'}  \n{said}")


def _more(better: float) -> str:
    if better >= 0:
        return f"{better:.3g} nats worse than the beam's"
    return f"{-better:.3g} nats better, before the penalty"


def _tree(found: Translation, card: ModelCard) -> BeamTree:
    settings = found.settings
    alpha = f"{settings.length_penalty:g}"
    penalty = state.NORMALISATIONS[settings.normalisation].replace("α", alpha)
    margins = "".join(
        f", {name} margin {margin:g}"
        for name, margin in (
            ("word", settings.word_margin),
            ("hypothesis", settings.hypothesis_margin),
        )
        if margin is not None
    )
    return BeamTree(
        columns=tuple(
            Column(
                step.penalty,
                tuple(
                    Node(
                        one.node,
                        one.parent,
                        one.token,
                        one.word_score,
                        one.score,
                        one.normalised,
                        str(one.fate),
                    )
                    for one in step.hypotheses
                ),
            )
            for step in found.steps
        ),
        endings=tuple(Ending(one.node, one.text) for one in found.finished),
        beams=settings.beams,
        penalty=penalty,
        label=f"Beam search with {settings.beams} beams",
        caption=f"{card.title}, {settings.beams} beams, ÷ {penalty}{margins} · "
        f"“{state.get(state.TEXT)}”",
    )


def _table(found: Translation) -> Table:
    header = (
        *("length", "node", "parent", "token", "minus_log_p", "sum_minus_log_p"),
        *("penalty", "normalised", "fate"),
    )
    rows = (
        (
            *(step.length, one.node, one.parent, one.token, repr(one.word_score), repr(one.score)),
            *(repr(step.penalty), repr(one.normalised), str(one.fate)),
        )
        for step in found.steps
        for one in step.hypotheses
    )
    return header, rows
