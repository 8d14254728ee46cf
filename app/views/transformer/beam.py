"""Beam search as a growing tree: every hypothesis, its score, and what became of it."""

from functools import partial
from typing import Final

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
from app.components.selection import Seed
from app.services import translator
from app.services.translator import SearchChoice
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import inputs
from app.views.transformer.state import HERE, MODEL, TEXT
from core.catalog import ModelCard
from core.outputs.translation import LARGEST_PENALTY, MOST_BEAMS, Normalisation, Translation

NORMALISATIONS: Final = {
    Normalisation.LENGTH: "|Y|^α",
    Normalisation.WU: "((5 + |Y|) / 6)^α",
}
LARGEST_MARGIN: Final = 20.0  # nats
OWN: Final = Scope("transformer", "beams")
BEAMS: Final = OWN.whole("beams", 1, MOST_BEAMS, 4)
ALPHA: Final = OWN.real("alpha", -LARGEST_PENALTY, LARGEST_PENALTY, 0.6)
NORMALISATION: Final = OWN.choice("normalisation", NORMALISATIONS)
WORD_MARGIN: Final = OWN.real("word_margin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
HYPOTHESIS_MARGIN: Final = OWN.real("margin", 0.0, LARGEST_MARGIN, 0.0)  # 0: off
PRUNED: Final = OWN.choice("pruned", ["shown", "hidden"])
DEPTH: Final = OWN.whole("depth", 0, 511, 511)  # tokens that the tree shows; 511: all
NODE: Final = OWN.whole("node", -1, 20_000, -1)
GREEDY = SearchChoice(1, 0.0, "length")


def render() -> Figure | None:
    """Settings, the tree, greedy beside it."""
    card = inputs.ask()
    if card is None:
        return None
    _settings()
    text = TEXT.value
    _forget_place(card, text)
    found = progress.outcome(translator.translate(card.id, text, _search()), card.id)
    greedy = progress.outcome(translator.translate(card.id, text, GREEDY), card.id)
    if found is None or greedy is None:
        return None
    return partial(_figure, found, greedy, card)


def _search() -> SearchChoice:
    """How the reader wants the search."""
    return SearchChoice(
        beams=BEAMS.value,
        length_penalty=ALPHA.value,
        normalisation=NORMALISATION.value,
        word_margin=WORD_MARGIN.value or None,
        hypothesis_margin=HYPOTHESIS_MARGIN.value or None,
    )


def _forget_place(card: ModelCard, text: str) -> None:
    """Another sentence grows another tree."""
    grown = (card.id, text)
    if st.session_state.setdefault(OWN.key("of"), grown) != grown:
        st.session_state[OWN.key("of")] = grown
        DEPTH.reset()
        NODE.reset()


def _settings() -> None:
    with controls():
        BEAMS.slider("Beams", width=190, help="1 is greedy decoding. Vaswani et al. 2017 use 4.")
        NORMALISATION.segmented(
            "Scores are divided by",
            help="|Y|^α as in transformers' generate; ((5 + |Y|) / 6)^α in Wu et al. 2016. "
            "|Y| counts the end.",
        )
        ALPHA.number_input(
            "α",
            step=0.1,
            width=110,
            help="0: no penalty; larger favours longer translations.",
        )
        with st.popover("Pruning", icon=":material/content_cut:", width="content"):
            WORD_MARGIN.slider(
                "Margin for the next word, nats (0: off)",
                step=0.25,
                help="Words whose log P lies further below the step's best word are left out.",
            )
            HYPOTHESIS_MARGIN.slider(
                "Margin for hypotheses, nats (0: off)",
                step=0.25,
                help="Once one is finished: those whose score ÷ penalty is worse by more are "
                "dropped.",
            )
            st.caption(
                "Both as in Wu et al. 2016, section 7, who use 3.0. They compare live hypotheses "
                "only when those end; here each is compared at its present length."
            )


def _display() -> None:
    PRUNED.segmented("Dropped candidates")


def _figure(found: Translation, greedy: Translation, card: ModelCard) -> Export:
    answer(_answered(found, greedy))
    tree = _tree(found, card)
    pruned = PRUNED.value == "shown"
    place = beam_tree(
        tree,
        key=HERE.key("tree"),
        place=Place(DEPTH.value, NODE.value),
        pruned=pruned,
    )
    last = len(found.steps)
    DEPTH.put(DEPTH.default if place.step >= last else place.step)
    NODE.put(place.node)
    return Export(
        name="beam-search",
        caption=tree.caption,
        table=lambda: _table(found),
        offline=("beam_tree", lambda: beam_tree_frame(tree, seed=Seed(place), pruned=pruned)),
        facts={"beams": str(found.settings.beams), "limit": str(found.settings.limit)},
    )


def _answered(found: Translation, greedy: Translation) -> str:
    """What the search found, and what greedy decoding would have, in Markdown."""
    beams = found.settings.beams
    name = "Greedy" if beams == 1 else f"Beam search, {beams} beams"
    same = greedy.tokens == found.tokens
    better = greedy.score - found.score
    (other, own), apart = (
        ((three(greedy.score), three(found.score)), "0")
        if same
        else step([greedy.score, found.score], abs(better), lambda a, b: abs(a - b))
    )
    said = (
        f"{name}: “**{plain(found.text) or '∅'}**” at Σ −log P = **{own}** nats, ÷ penalty "
        f"**{found.normalised:.3g}**"
    )
    if beams == 1:
        return f"{said}."
    if same:
        return f"{said}; greedy says the same sentence."
    than = "worse than the beam’s" if better >= 0 else "better, before the penalty"
    return f"{said}; greedy “{plain(greedy.text) or '∅'}” at **{other}**: **{apart}** nats {than}."


def _tree(found: Translation, card: ModelCard) -> BeamTree:
    settings = found.settings
    alpha = f"{settings.length_penalty:g}"
    penalty = NORMALISATIONS[settings.normalisation].replace("α", alpha)
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
        caption=f"{card.title}, {settings.beams} beams, ÷ {penalty}{margins} · “{TEXT.value}”",
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


VIEW: Final = View(
    "beams",
    "Beam search",
    (
        *(MODEL, TEXT, BEAMS, ALPHA, NORMALISATION),
        *(WORD_MARGIN, HYPOTHESIS_MARGIN, PRUNED, DEPTH, NODE),
    ),
    render,
    _display,
)
