"""The figures: all methods side by side, and the chosen one large."""

from collections.abc import Mapping
from typing import Final, cast

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.picture_map import PictureMap, picture_map, picture_row
from app.components.selection import clicked_index
from app.style.number_format import three
from app.style.worked import step, total
from app.views.vision.inputs import Chosen
from app.views.vision.why import params
from app.views.vision.why.asking import Answers, Asked
from core.explain.attribution.patch_evidence import (
    PatchEvidence,
    evidence_sums,
    patch_evidence,
)
from core.explain.attribution.registry import EvidenceMethod

SMALL: Final = 116.0  # px
LARGE: Final = 420.0
ROWS: Final = {"quick": params.HERE.key("quick"), "slow": params.HERE.key("slow")}
SHOWN: Final = params.HERE.key("shown")  # by row, which methods the reader saw: what a click counts
MAP: Final = params.HERE.key("map")

Values = Float32[np.ndarray, "row column"]


def pick_method() -> None:
    """A click on a small map, read before anything is drawn."""
    for row, names in _shown().items():
        clicked = clicked_index(ROWS[row], len(names))
        if clicked is not None:
            params.want(names[clicked])


def _shown() -> dict[str, tuple[str, ...]]:
    return cast("dict[str, tuple[str, ...]]", st.session_state.setdefault(SHOWN, {}))


def small_maps(chosen: Chosen, asked: Asked, answers: Answers, row: str) -> None:
    """One map a method, in a row of its own for the slow ones."""
    names = tuple(answers.maps)
    _shown()[row] = names
    if not names:
        return
    figures = tuple(
        _figure(chosen, asked, params.METHODS[name], answers.maps[name], SMALL) for name in names
    )
    wanted = params.wanted()
    picture_row(
        figures,
        key=ROWS[row],
        label=f"{row.capitalize()} methods side by side: click one to see it large",
        caption=f"Evidence for {asked.title} · {chosen.source} · each map on a scale of its own",
        lit=names.index(wanted) if wanted in names else None,
    )


def large_map(chosen: Chosen, asked: Asked, method: EvidenceMethod, values: Values) -> PictureMap:
    """The chosen method's map; a click selects a patch."""
    figure = _figure(chosen, asked, method, values, LARGE)
    wanted = params.PATCH.value
    seed = wanted if 0 <= wanted < values.size else None
    picked = picture_map(figure, key=MAP, selected=seed)
    params.PATCH.put(params.NO_PATCH if picked is None else picked)
    return figure


def sums(method: EvidenceMethod, values: Values) -> None:
    """How much speaks for it and how much against it, in the method's own unit."""
    found = evidence_sums(values)
    if not method.signed:
        st.caption(
            f"Sum over all patches: {three(found.positive)}. This method has no negative numbers."
        )
        return
    (plus, minus), together = step([found.positive, found.negative], found.together, total)
    st.caption(
        f"For: +{plus} on {found.n_positive} patches · against: "
        f"{minus} on {found.n_negative} · together {together}."
    )


def patch_table(answers: Answers, patch: int) -> None:
    """One patch in every method."""
    lines = ["| method | value | rank | share |", "|---|---:|---:|---:|"]
    for name, values in answers.maps.items():
        one = patch_evidence(values)[patch]
        lines.append(
            f"| {params.METHODS[name].title} | {three(one.value)} | {one.rank} of {values.size} "
            f"| {three(100 * one.share)} % |"
        )
    st.markdown("\n".join(lines))


def tables(answers: Answers) -> Mapping[str, Values]:
    """Every map, under its method's id."""
    return dict(answers.maps)


def _figure(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, values: Values, width: float
) -> PictureMap:
    rows, columns = values.shape
    specific = f"for {asked.title}" if method.class_specific else "the same for every class"
    return PictureMap(
        picture=chosen.seen.picture,
        rows=rows,
        columns=columns,
        label=f"{method.title}, {specific}",
        caption=f"{method.title}, {specific} · {chosen.source}",
        values=values,
        scale="diverging" if method.signed else "sequential",
        notes=_notes(values, method) if width == LARGE else (),
        width=width,
        grid=width == LARGE,
        title=method.title if method.class_specific else f"{method.title} *",
    )


def _notes(values: Values, method: EvidenceMethod) -> tuple[str, ...]:
    def note(one: PatchEvidence) -> str:
        of = "" if not method.signed else " of what speaks for it" if one.value > 0 else " of what "
        if method.signed and one.value <= 0:
            of += "speaks against it"
        rank = f"rank {one.rank} of {values.size}"
        return f"{three(one.value)} · {rank} · {three(100 * one.share)} %{of}"

    return tuple(map(note, patch_evidence(values)))
