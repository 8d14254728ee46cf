"""Heads forming: the film, the heads worth watching, and what the chosen one does when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.components.head_film import head_film, standing
from app.services import training_history
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.options import one_of
from app.ui.snapshot_slider import END
from app.views.training import maps
from app.views.training.curves import by_moment
from app.views.training.maps import BIAS, CLASS_ATTENTION, Kept
from app.views.training.state import HEAD, HERE, MAPS, MOMENT
from app.views.training.words import PATTERNS
from core.catalog import ModelCard
from core.data.snapshots import Course
from core.explain.attention.head_formation import pattern_masses, relative_entropy

FILM = HERE.key("film")
Head = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Telling:
    """A head worth watching, and why."""

    why: str
    head: Head
    score: float


def choose(card: ModelCard, course: Course, units: Mapping[str, str]) -> Kept | None:
    """The kept maps to be shown; a model with several kinds is asked which."""
    offered = maps.names(card)
    if not offered:
        return None
    name = offered[0]
    if len(offered) > 1:
        if MAPS.value not in offered:
            MAPS.put(name)
        name = one_of(
            MAPS,
            st.segmented_control,
            "Maps",
            offered,
            maps.NAMES.__getitem__,
            required=True,
            label_visibility="collapsed",
        )
    else:
        MAPS.put(MAPS.default)
    return maps.kept(card, name, course, units)


def render(card: ModelCard, kept: Kept) -> tuple[int, Head]:
    """Draw film and chips; return the moment and the head that are shown."""
    telling = training_history.derived(
        card, ("telling", kept.name), lambda: tuple(find_telling(kept))
    )
    wanted = HEAD.value
    if wanted is None or not _exists(wanted, kept.film.heads):
        wanted = telling[0].head
    last = len(kept.film.moments) - 1
    asked = MOMENT.value
    at = standing(
        FILM,
        (asked if 0 <= asked < last else last, wanted),
        n_moments=last + 1,
        heads=kept.film.heads,
    )
    moment, head = at
    MOMENT.put(END if moment == last else moment)
    HEAD.put(None if head == telling[0].head else head)
    said = answer()
    with controls("-telling"):
        st.caption("Worth watching", width="content")
        for one in telling:
            st.button(
                f"{one.why}: {one.head[0]}·{one.head[1]}",
                key=HERE.key(f"telling.{one.why}"),
                on_click=HEAD.put,
                args=(one.head,),
                help=f"Layer {one.head[0]}, head {one.head[1]}: {one.score:.3g} at the end",
                type="tertiary",
            )
    said.markdown(_answered(card, kept, head, moment))
    head_film(kept.film, at, key=FILM)
    return moment, head


def _answered(card: ModelCard, kept: Kept, head: Head, moment: int) -> str:
    """What the head gives most to at the moment, and gave at first, in Markdown."""
    found = _measured(card, kept, head)
    shares = {name: curve for name, curve in found.items() if not name.startswith("even")} or found
    name = max(shares, key=lambda name: float(shares[name][moment]))
    now, first = (three(float(shares[name][at])) for at in (moment, 0))
    when, began = (f"step {int(kept.steps[at]):,}" for at in (moment, 0))
    what = (
        f"has {name} bias"
        if kept.name == BIAS
        else f"has {name}"
        if name.startswith("even")
        else f"gives {name}"
        if name.startswith("on ")
        else f"gives most to {name}"
    )
    return (
        f"At {when} layer {head[0]}, head {head[1]} {what}: **{now}**; at {began} it was "
        f"**{first}**."
    )


def curves(card: ModelCard, kept: Kept, head: Head, moment: int) -> None:
    """What the chosen head gives to what, moment by moment."""
    st.subheader(f"Layer {head[0]}, head {head[1]}")
    by_moment(
        _measured(card, kept, head),
        kept.steps,
        moment,
        y_title="share" if kept.name != BIAS else "bias",
        name="head-in-training",
        caption=f"{kept.film.caption}, layer {head[0]}, head {head[1]}",
    )


def _measured(card: ModelCard, kept: Kept, head: Head) -> Mapping[str, np.ndarray]:
    return training_history.derived(
        card, ("measures", kept.name, head), lambda: measures(kept, kept.of_head(head))
    )


def measures(kept: Kept, head_maps: np.ndarray) -> Mapping[str, np.ndarray]:
    """Named curves over the moments, of one head's maps (moment, row, column)."""
    if kept.name == BIAS:
        flat = head_maps.reshape(len(head_maps), -1)
        return {
            "largest": flat.max(axis=1),
            "mean": flat.mean(axis=1),
            "smallest": flat.min(axis=1),
        }
    if kept.name == CLASS_ATTENTION:
        flat = head_maps.reshape(len(head_maps), 1, -1)
        on_patches = flat.sum(axis=-1)[:, 0]
        even = relative_entropy(flat / np.maximum(flat.sum(axis=-1, keepdims=True), 1e-9))
        return {"on patches, not on itself": on_patches, "evenness over patches": even}
    even = {"evenness": relative_entropy(head_maps, causal=kept.causal)}
    if head_maps.shape[1] != head_maps.shape[2] or kept.name == "cross":
        return even
    said = kept.film.columns if kept.causal else None
    masses = pattern_masses(head_maps, kept.special, said=said)
    return {PATTERNS[name]: curve for name, curve in masses.items()} | even


def find_telling(kept: Kept) -> Sequence[Telling]:
    """The clearest head of every pattern at the end; else the sharpest, and the most changed."""
    ends = {head: measures(kept, kept.of_head(head)) for head in _all_heads(kept.film.heads)}
    found: list[Telling] = []
    if kept.is_attention and kept.name != "cross":
        for pattern in ("followed", "previous", "next", "special", "first", "itself"):
            name = PATTERNS[pattern]
            if name not in next(iter(ends.values())):
                continue
            head = max(ends, key=lambda head: float(ends[head][name][-1]))
            found.append(Telling(name, head, float(ends[head][name][-1])))
        found.sort(key=lambda one: -one.score)
    elif kept.name != BIAS:
        even = "evenness" if kept.is_attention else "evenness over patches"
        head = min(ends, key=lambda head: float(ends[head][even][-1]))
        found.append(Telling("sharpest", head, float(ends[head][even][-1])))
    moved = {
        head: float(np.abs(np.diff(kept.of_head(head)[[0, -1]], axis=0)).mean()) for head in ends
    }
    changed = max(moved, key=moved.__getitem__)
    found.append(Telling("changed most", changed, moved[changed]))
    return found


def _all_heads(heads: tuple[int, ...]) -> list[Head]:
    return [(layer, head) for layer, count in enumerate(heads) for head in range(count)]


def _exists(head: Head, heads: tuple[int, ...]) -> bool:
    return head[0] < len(heads) and head[1] < heads[head[0]]
