"""The film: one row of the rollout, frame by frame, on the picture; and where its mass lies."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm, Standing, film_frame, picture_film
from app.components.picture_map import PictureMap
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.export_bar import Export, matrix_table
from app.views.vision.inputs import Chosen
from app.views.vision.rollout import controls
from app.views.vision.rollout.controls import FILM, HERE, SCALE, Settings
from app.views.vision.rollout.maps import Stack, per_head
from core.explain.flow.row_masses import RowMasses, row_masses
from core.trace import PatchGrid, Trace

STAGED = (
    "Between this model's stages 2 × 2 patches are merged into one. The row follows the patch "
    "that holds the chosen one, and gives each of its parts an equal share. The paper's rollout "
    "knows no merging; this is its plainest extension."
)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What the film showed."""

    export: Export
    caption: str
    origin: str  # in words
    settings: Settings


def render(chosen: Chosen, trace: Trace, stack: Stack, at: Standing) -> Shown:
    """Film on the left, masses by layer on the right."""
    film, settings = stack.film(), stack.settings
    token = settings.token if settings.origin == "token" else None
    masses = row_masses(film, stack.grid, token=token)
    origin = origin_name(chosen, settings)
    caption = (
        f"{chosen.card.title} · {chosen.picture.name} · rollout from {origin} · "
        f"residual {settings.residual:g} · heads fused by {settings.fusion} · "
        f"{settings.discard:.0%} discarded · first layer {settings.start}"
    )
    figure = _figure(chosen, film, stack, settings, masses, origin, caption)
    answer(answered(figure, at.step))
    left, right = st.columns([6, 5], gap="large")
    with left:
        picture_film(figure, at, key=FILM)
    with right:
        _by_layer(chosen, masses, figure.frames, settings)
        _scale()
        if stack.is_staged:
            st.caption(STAGED)
        if settings.origin != "token":
            st.caption(_explain_origin(chosen, trace, settings))
    names = token_names(chosen.seen.prefix, stack.grid)
    export = Export(
        "rollout",
        caption,
        lambda: matrix_table(film, figure.frames, names, names=("frame", "token", "share")),
        lambda: {"film": film, **stack.arrays(), **per_head(trace, settings.start)},
        offline=("picture_film", lambda: film_frame(figure)),
    )
    return Shown(export, caption, origin, settings)


def _figure(
    chosen: Chosen,
    film: np.ndarray,
    stack: Stack,
    settings: Settings,
    masses: RowMasses,
    origin: str,
    caption: str,
) -> PictureFilm:
    grid = stack.grid
    values = film[:, grid.prefix_tokens :]
    others = values.copy()
    if settings.origin == "token" and settings.token >= grid.prefix_tokens:
        others[:, settings.token - grid.prefix_tokens] = 0
    tops = others.max(axis=1)
    if settings.scale == "film":
        tops = np.full_like(tops, tops.max())
    frames = (
        "before any layer",
        *(f"after layer {settings.start + n}" for n in range(len(film) - 1)),
    )
    return PictureFilm(
        sheet=PictureMap(
            picture=chosen.seen.picture,
            rows=grid.rows,
            columns=grid.columns,
            label=f"Attention rollout from {origin}, over the picture",
            caption=caption,
            width=470,
        ),
        values=values.reshape(-1, grid.rows, grid.columns),
        prefix=film[:, : grid.prefix_tokens],
        prefix_names=chosen.seen.prefix,
        frames=frames,
        lines=tuple(_line(masses, frame) for frame in range(len(film))),
        limits=tuple(map(float, tops)),
        scale=SCALE.names[settings.scale],
        uniform=1 / film.shape[1],
    )


def answered(figure: PictureFilm, step: int) -> str:
    """The patch with the largest share in the frame that is shown, in Markdown."""
    values = figure.values[step]
    row, column = divmod(int(values.argmax()), values.shape[1])
    share = float(values.max())
    on_prefix = float(figure.prefix[step].sum())
    rest = f"; **{three(on_prefix)}** of the row is on prefix tokens" if figure.prefix.size else ""
    even = f", {three(share / figure.uniform)} times the even one" if figure.uniform else ""
    return (
        f"{figure.frames[step].capitalize()}, the patch in row {row}, column {column} has the "
        f"largest share of all patches, **{three(share)}**{even}{rest}."
    )


def _line(masses: RowMasses, frame: int) -> str:
    """The mass on prefix tokens first: a map may hide it."""
    parts: list[str] = []
    if masses.prefix.shape[1]:
        parts.append(f"{three(float(masses.prefix[frame].sum()))} on prefix tokens")
    if masses.itself is not None:
        parts.append(f"{three(float(masses.itself[frame]))} on the patch itself")
    other = "other patches" if masses.itself is not None else "patches"
    parts.append(f"{three(float(masses.patches[frame]))} on {other}")
    return " · ".join(parts)


def _by_layer(
    chosen: Chosen, masses: RowMasses, frames: tuple[str, ...], settings: Settings
) -> None:
    st.markdown("**Where the row's mass lies**")
    x = np.arange(len(frames), dtype=np.float64) + settings.start
    curves = [
        Curve(name, x, masses.prefix[:, index].astype(np.float64))
        for index, name in enumerate(chosen.seen.prefix)
    ]
    if masses.itself is not None:
        curves.append(Curve("the patch itself", x, masses.itself.astype(np.float64)))
    curves.append(
        Curve(
            "other patches" if masses.itself is not None else "patches",
            x,
            masses.patches.astype(np.float64),
        )
    )
    chart = charts.chart(
        curves, x_title="layers done", y_title="share of the row", y_range=(0, 1.03), height=300
    )
    charts.show(chart, key=HERE.key("masses"), name="rollout-masses")


def _scale() -> None:
    SCALE.segmented(
        "Colour scale",
        help="The top of the scale is the largest patch other than the chosen one, which would "
        "outshine all others; its number is on hover.",
    )


def origin_name(chosen: Chosen, settings: Settings) -> str:
    """Where the row begins, in words."""
    if settings.origin == "token":
        return controls.token_name(settings.token, chosen.seen.prefix, settings.grid)
    return "the mean of all patches" if settings.origin == "mean" else "the attention pool"


def _explain_origin(chosen: Chosen, trace: Trace, settings: Settings) -> str:
    if settings.origin == "pool":
        return (
            "This model has no class token: one learned query reads all patches out at the end, "
            "and the row begins where it looks."
        )
    if "[CLS]" in chosen.seen.prefix:
        return "The mean of all patches' rows: what a model that averages its patches would use."
    instead = " (its answer begins at the attention pool)" if trace.pool is not None else ""
    return f"This model has no class token: shown is the mean of all patches' rows{instead}."


def token_names(prefix: tuple[str, ...], grid: PatchGrid) -> tuple[str, ...]:
    """Every token: prefix tokens by name, patches by place."""
    places = (divmod(patch, grid.columns) for patch in range(grid.n_patches))
    return (*prefix, *(f"patch {row}:{column}" for row, column in places))
