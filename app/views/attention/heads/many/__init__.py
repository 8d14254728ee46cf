"""What does every head do over many sentences? The built-in ones, beside the reader's own file."""

from functools import partial
from typing import Final

import streamlit as st

from app.services import engine, many_sentences
from app.services.head_roles import SLICE
from app.services.many_sentences import ByKind
from app.ui import head_names, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.head_names import OverOwn
from app.ui.long_work import worked
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.views.attention.heads.many import exports, figure, file, words
from app.views.attention.heads.many.shown import Shown
from app.views.attention.heads.many.state import HERE, OWN, PARAMS
from app.views.attention.inputs import read_model
from app.views.attention.kind import pick_kind
from app.views.attention.one_head import choose_head
from app.views.attention.state import NAMES
from core.catalog import ModelCard
from core.data.sentence_files import Sentences


def render() -> Figure | None:
    """Ask for a model and, behind a button, for sentences; measure its heads."""
    card = read_model()
    return None if card is None else partial(_figure, card)


def _figure(card: ModelCard) -> Export | None:
    kinds = st.container()
    said = answer()
    with controls():
        ways = ("weights", "written")
        named = NAMES.by.names.__getitem__
        one_of(NAMES.by, st.segmented_control, "Names", ways, named, required=True, help=NAMES.help)
        head_place = st.container(width=130)
        file.field()
    own = file.sentences()
    job = many_sentences.built_in(card.id)
    built_in = progress.trained(job, "Reading the built-in sentences", "texts")
    if built_in is None:
        return None
    theirs = None if own is None else _over(card, own)
    card = progress.outcome(engine.loaded_card(card.id), card.id) or card
    with kinds:
        kind = pick_kind(tuple(built_in))
    found = Shown(
        kind,
        built_in[kind],
        None if theirs is None else theirs[kind],
        None if theirs is None else own,
        written=NAMES.by.value == "written",
    )
    if theirs is not None:
        roles = {each: over.roles for each, over in theirs.items()}
        head_names.remember(OverOwn(card.id, roles, found.over))
    with head_place:
        head = choose_head(found.heads, figure.chosen(found))
    said.markdown(words.answered(found, head))
    caption = words.caption(card, found)
    figure.draw(found, head, caption)
    st.subheader("Every head")
    figure.table(found)
    words.below(found, card)
    return Export(
        "many-sentences",
        caption,
        lambda: exports.roles(found),
        lambda: exports.arrays(found, head),
        more={"relative positions": lambda: exports.offsets(found)},
        facts=words.facts(card, found),
    )


def _over(card: ModelCard, own: Sentences) -> ByKind | None:
    return worked(
        (HERE, OWN),
        lambda: many_sentences.of_file(card.id, own),
        many_sentences.slice_seconds(card.id, own),
        doing="Naming the heads",
        of="sentences",
        n=len(own),
        a_slice=SLICE,
    )


VIEW: Final = View("many", "Over many sentences", PARAMS, render)
