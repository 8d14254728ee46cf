"""The view's sentences."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid import HeadId
from app.services import head_roles
from app.services.many_sentences import OverMany
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import head_names
from app.views.attention import state
from app.views.attention.heads.many.shown import Shown
from app.views.attention.one_head import head_name
from core.catalog import ModelCard
from core.explain.attention.head_roles import ENOUGH, NO_ROLE
from core.explain.attention.relative_positions import (
    COLUMNS,
    FARTHER,
    OFFSETS,
    REACH,
    SPECIAL,
)
from core.explain.attention.role_patterns import ALIGNED, SYNTACTIC

ANNOTATED: Final = (SYNTACTIC, ALIGNED)  # roles of annotated sentences alone
ELSEWHERE: Final = {
    "on special tokens": COLUMNS.index(SPECIAL),
    f"on tokens more than {REACH} away": COLUMNS.index(FARTHER),
}

ELSEWHERE_TOO: Final = (
    " The other views of this page show these names, too; on BERT, GPT and Transformer, Names "
    "offers them."
)


def answered(found: Shown, head: HeadId) -> str:
    """How many heads have a name, and where the chosen one looks on average."""
    over = found.first
    column, (mean, low, high) = strongest(over, head)
    looks = (
        f"Head **{head_name(head)}** looks most at offset **{OFFSETS[column]}**: "
        f"**{three(mean)}** of its weight ({three(low)} to {three(high)})"
    )
    if found.theirs is None:
        even = three(float(over.offsets[head[0]].even[column]))
        return f"Over {over.n_sentences} built-in sentences: {_named(found)} {looks}, even {even}."
    other = three(float(found.built_in.offsets[head[0]].mean[head[1], column]))
    return f"Over your **{over.n_sentences}** sentences: {_named(found)} {looks}, built-in {other}."


def _named(found: Shown) -> str:
    over, total = found.first, len(found.heads)
    if over.n_sentences < ENOUGH:
        return f"too few to name a head, which takes {ENOUGH}."
    labels = _labels(found, over)
    told = f"**{sum(one != NO_ROLE for one in labels)}** of {total} heads have a clear role"
    if found.theirs is None:
        return f"{told}."
    pairs = zip(labels, _labels(found, found.built_in), strict=True)
    same = sum(one == other != NO_ROLE for one, other in pairs)
    return f"{told}, {same} as over the built-in ones."


def strongest(over: OverMany, head: HeadId) -> tuple[int, tuple[float, float, float]]:
    """The offset with most weight on average, and the mean with its interval."""
    layer, at = head
    means = over.offsets[layer]
    column = int(np.nanargmax(means.mean[at, : len(OFFSETS)]))
    mean, low, high = (float(part[at, column]) for part in (means.mean, means.low, means.high))
    return column, (mean, low, high)


def elsewhere(found: Shown, head: HeadId) -> str:
    """How much lies where the map and the chart do not reach."""
    layer, at = head
    told = " and ".join(
        f"{three(float(means.mean[at, column]))} {where}"
        for means in (found.first.offsets[layer],)
        for where, column in ELSEWHERE.items()
        if means.n_inputs[column]
    )
    return f"Head {head_name(head)} puts {told}." if told else ""


def _labels(found: Shown, over: OverMany) -> list[str]:
    return [one.label for layer in found.roles(over) for one in layer]


def caption(card: ModelCard, found: Shown) -> str:
    """Model, sentences and settings in one line."""
    read = f"{found.built_in.n_sentences} built-in sentences"
    if found.own is not None:
        read = f"{len(found.own)} sentences of {found.own.name}, beside {read}"
    by = "what heads write" if found.written else "where heads look"
    return f"{card.title}, {state.KIND_TITLES[found.kind]} · {read} · named by {by}"


def below(found: Shown, card: ModelCard) -> None:
    """When a head has a name, why others stand on the grid, and what was left out of the file."""
    head_names.caption(found.roles(found.first), found.over)
    left_out = (
        "Roles that need annotated sentences, such as a syntactic relation, are left out here"
        f"{_otherwise(found, card) if found.own is None else ''}. "
        "Induction shows over the built-in texts of repeated words; your own tell of it where "
        "words come again."
    )
    if found.own is not None:
        left_out += ELSEWHERE_TOO
        if found.own.blank:
            left_out += f" {found.own.blank} empty lines of {plain(found.own.name)} were left out."
    st.caption(left_out)


def _otherwise(found: Shown, card: ModelCard) -> str:
    """The heads that other views name by such a role."""
    known = head_roles.known(card.id)
    if known is None:
        return ""
    roles = known[found.kind]
    names = {
        (one.layer, one.head): one.label
        for layer in (roles.written if found.written and roles.written else roles.weights)
        for one in layer
        if one.label in ANNOTATED
    }
    here = zip(found.heads, _labels(found, found.first), strict=True)
    told = [
        f"{head_name(head)} {names[head]} (here {label})" for head, label in here if head in names
    ]
    return f"; the other views, which have them, call {', '.join(told)}" if told else ""


def facts(card: ModelCard, found: Shown) -> dict[str, str]:
    """For the prose."""
    return {
        "sentences": str(found.built_in.n_sentences),
        "model": f"Model: {plain(card.title)}, {card.size} parameters; {card.task}. "
        f"{card.licence}. {card.paper}",
    }
