"""Who belongs to whom? Every head as a finder of syntactic relations and of what pronouns mean."""

from functools import partial
from typing import Final

import streamlit as st

from app.components.heat_map import clicked_cell, pick_cell
from app.components.token_table import token_table
from app.services import engine, relations
from app.services.relations import Relations
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.answer import answer, model_name
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.views.attention.inputs import read_model
from app.views.attention.syntax import example, state, table
from app.views.attention.syntax.grid import accuracies
from app.views.attention.syntax.table import head_name
from core.catalog import Family, ModelCard
from core.explain.attention.relation_heads import RelationHeads

TABLE: Final = state.HERE.key("table")
GRID: Final = state.HERE.key("grid")


def render() -> Figure | None:
    """Ask for a model, score its heads."""
    card = read_model()
    return None if card is None else partial(_figure, card)


def _figure(card: ModelCard) -> Export | None:
    said = answer()
    with controls():
        state.BY.segmented("A word counts by how much a head", help=BY_HELP)
        state.TOWARDS.segmented("From a word", help=TOWARDS_HELP)
    job = relations.of_model(card.id, written=state.BY.value == "written")
    measured = progress.trained(job, "Scoring the heads", "sentences")
    if measured is None:
        return None
    card = progress.outcome(engine.loaded_card(card.id), card.id) or card
    rows = table.rows_of(measured.table)
    if not rows:
        st.info("This model's heads look back alone: no relation goes that way. Choose another.")
        return None
    caption = (
        f"{card.title}, {len(measured.sentences)} sentences · {state.BY.names[state.BY.value]}"
    )
    hue = "decoder" if card.family == Family.TEXT_DECODER else "encoder"
    left, right = st.columns([8, 6], gap="medium")
    with left:
        found = _chosen_row(rows, caption, hue)
    head = _chosen_head(found)
    said.markdown(_answered(card, rows, found, head))
    with right:
        _example(card, measured, found, head)
    with left:
        pick_cell(accuracies(found, head, caption, hue), key=GRID)
        st.caption("Every head as a finder of this relation; click one to see it on a sentence.")
    return Export(
        "syntax",
        caption,
        lambda: table.table(measured.table),
        lambda: table.arrays(measured.table),
        facts=_facts(card, measured),
    )


BY_HELP: Final = (
    "By its attention weight, or by weight times the length of what is written, ‖αf(x)‖ "
    "(Kobayashi et al. 2020)."
)
TOWARDS_HELP: Final = (
    "A determiner may look at its noun, or the noun at its determiner. A model that reads from "
    "left to right sees only one of them."
)


def _chosen_row(rows: tuple[RelationHeads, ...], caption: str, hue: str) -> RelationHeads:
    """The relation that is shown: the link's or the reader's, else the first."""
    names = [table.written(one.relation) for one in rows]
    at = names.index(state.RELATION.value) if state.RELATION.value in names else 0
    drawn = table.figure(rows, caption, hue)
    clicked = token_table(drawn, key=TABLE, selected=(at, 0))
    if clicked is not None and clicked[0] != at:
        at = clicked[0]
        state.HEADS.reset()
        state.RELATION.put(names[at])
    elif state.RELATION.value != names[at]:
        state.RELATION.reset()
    return rows[at]


def _chosen_head(found: RelationHeads) -> int:
    layers, most = (1 + max(numbers) for numbers in zip(*found.heads, strict=True))
    clicked = clicked_cell(GRID, (layers, most))
    if clicked in found.heads:
        state.HEADS.put((clicked,))
    present = state.HEADS.among(found.heads)[-1:]
    state.HEADS.put(present)
    return found.heads.index(present[0]) if present else found.best


def _answered(
    card: ModelCard, rows: tuple[RelationHeads, ...], found: RelationHeads, head: int
) -> str:
    clear = sum(table.beats(one) for one in rows)
    score = found.accuracy[head].mean
    return (
        f"In {plain(model_name(card))} heads beat the best guess at **{clear}** of "
        f"{len(rows)} relations. *{plain(str(found.relation))}*: head "
        f"**{head_name(found.heads[head])}** finds **{score:.0%}** of {found.n_links}; "
        f"{table.guess_name(found)} finds **{found.baseline_accuracy:.0%}**."
    )


def _example(card: ModelCard, measured: Relations, found: RelationHeads, head: int) -> None:
    shown = measured.example(found, head)
    drawn = example.draw(card, found, head, shown)
    if drawn is not None:
        st.markdown(example.told(shown, found.heads[head]))
        example.open_button(drawn, found.heads[head], shown)


def _facts(card: ModelCard, measured: Relations) -> dict[str, str]:
    return {
        "sentences": str(len(measured.sentences)),
        "model": f"Model: {plain(card.title)}, {card.size} parameters; {card.task}. "
        f"{card.licence}. {card.paper}",
    }


VIEW: Final = View("syntax", "Syntax", state.PARAMS, render)
