"""The built-in sentence on which a head does most clearly what it was found by."""

import streamlit as st

from app.components.head_grid import HeadId
from app.services import engine, many_sentences, relations, text_maps
from app.ui import progress
from app.views.attention import state
from app.views.attention.heads.find.state import HERE
from app.views.attention.opening import Opened
from core.catalog import ModelCard
from core.explain.attention.find_heads import clearest_input, strongest_place
from core.explain.attention.relation_heads import RelationHeads
from core.explain.attention.role_patterns import role_patterns
from core.explain.embeddings.token_alignment import words_at
from core.trace import AttentionKind


def asked_for(head: str) -> bool:
    """Whether the reader wants to see it."""
    return st.button(
        f"Show me the best example of head {head}",
        type="tertiary",
        icon=":material/school:",
        key=HERE.key("best"),
    )


def of_role(card: ModelCard, kind: AttentionKind, head: HeadId, role: str) -> Opened | None:
    """The text where most weight lies on the role's places above even attention, and where."""
    job = many_sentences.built_in(card.id)
    read = progress.trained(job, "Reading the built-in sentences", "texts")
    if read is None:
        return None
    masses = read[kind].masses(written=state.NAMES.by.value == "written")
    best = clearest_input(masses, role, *head)
    if best is None:
        st.info("No built-in sentence has such places, so none can be shown.")
        return None
    text = many_sentences.TEXTS[best[0]]
    trace = progress.outcome(engine.request_maps(card.id, text)[1], card.id)
    if trace is None:
        return None
    patterns = role_patterns(*text_maps.encodings(trace, kind))
    weights = trace.attention(head[0], kind=kind).weights[head[1]]
    return Opened(kind, head, strongest_place(weights, patterns, role), text)


def of_relation(
    card: ModelCard, measured: relations.Relations, found: RelationHeads, head: HeadId
) -> Opened | None:
    """Where the head is right and the best guess is not, as clearly as anywhere."""
    example = measured.example(found, found.heads.index(head))
    sentence = example.sentence
    trace = progress.outcome(engine.request_maps(card.id, sentence.text)[1], card.id)
    if trace is None:
        return None
    kind = trace.kinds[0]
    words = words_at(sentence.spans, sentence.words, text_maps.encodings(trace, kind)[0])
    if words is None:
        raise ValueError(f"the tokens of “{sentence.text}” fitted its words before")
    cell = words.first_token(example.word), words.first_token(example.found)
    return Opened(kind, head, cell, sentence.text)
