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
from app.views.vision.why import asking, params
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
    """One map a method, in a row of its own for the slow ones; dim pictures for those to come."""
    names = [name for name in asking.rows()[row] if name not in answers.refused]
    awaited = sum(name in answers.awaited for name in names)
    wanted = params.wanted()
    if not awaited:
        _shown()[row] = tuple(names)
    if not names:
        return
    figures = tuple(
        _figure(chosen, asked, params.METHODS[name], answers.found.get(name), SMALL)
        for name in names
    )
    picture_row(
        figures,
        key=f"{ROWS[row]}.before{awaited}" if awaited else ROWS[row],
        label=f"{row.capitalize()} methods side by side: click one to see it large",
        caption=f"Evidence for {asked.title} · {chosen.source} · each map on a scale of its own",
        clickable=not awaited,
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


def awaited_map(chosen: Chosen, asked: Asked, method: EvidenceMethod) -> None:
    """The picture, where the chosen method's map will stand."""
    figure = _figure(chosen, asked, method, None, LARGE)
    picture_map(figure, key=f"{MAP}.before.{method.id}", clickable=False)


def strongest(method: EvidenceMethod, values: Values) -> str:
    """The patch that speaks most for the class, in Markdown."""
    one = max(patch_evidence(values), key=lambda one: one.value)
    row, column = divmod(int(values.argmax()), values.shape[1])
    most = "speaks most for it" if method.class_specific else "has the largest number"
    return (
        f"By {method.title} the patch in row {row}, column {column} {most}: "
        f"**{three(one.value)}**, {three(100 * one.share)} % of all that does."
    )


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
    for name, values in answers.found.items():
        one = patch_evidence(values)[patch]
        lines.append(
            f"| {params.METHODS[name].title} | {three(one.value)} | {one.rank} of {values.size} "
            f"| {three(100 * one.share)} % |"
        )
    st.markdown("\n".join(lines))


def tables(answers: Answers) -> Mapping[str, Values]:
    """Every map, under its method's id."""
    return dict(answers.found)


def _figure(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, values: Values | None, width: float
) -> PictureMap:
    """Without values, the dim picture of what is still to come."""
    grid = chosen.seen.grid
    rows, columns = (grid.rows, grid.columns) if values is None else values.shape
    specific = f"for {asked.title}" if method.class_specific else "the same for every class"
    title = method.title if method.class_specific else f"{method.title} *"
    return PictureMap(
        picture=chosen.seen.picture,
        rows=rows,
        columns=columns,
        label=f"{method.title}, {specific}",
        caption=f"{method.title}, {specific} · {chosen.source}",
        values=values,
        dark=np.ones((rows, columns), dtype=bool) if values is None else None,
        scale="diverging" if method.signed else "sequential",
        notes=_notes(values, method) if values is not None and width == LARGE else (),
        width=width,
        grid=width == LARGE,
        title=f"{title} …" if values is None else title,
    )


def _notes(values: Values, method: EvidenceMethod) -> tuple[str, ...]:
    def note(one: PatchEvidence) -> str:
        of = "" if not method.signed else " of what speaks for it" if one.value > 0 else " of what "
        if method.signed and one.value <= 0:
            of += "speaks against it"
        rank = f"rank {one.rank} of {values.size}"
        return f"{three(one.value)} · {rank} · {three(100 * one.share)} %{of}"

    return tuple(map(note, patch_evidence(values)))
