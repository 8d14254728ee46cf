"""What a patch can have heard of after each block, and how much by attention rollout."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.services import vision
from app.style.number_format import three
from app.views.vision.swin import params
from app.views.vision.swin.geometry import Geometry
from app.views.vision.swin.looks import Traced
from core.explain import reach, stage_rollout_row

KEY = params.HERE.key("reach")
SMALL = 132  # px


def render(
    geometry: Geometry, picture: np.ndarray, caption: str, traced: Traced | None = None
) -> np.ndarray:
    """Small multiples, one a block; returns reach as (block, row, column)."""
    reached = reach(geometry.blocks, geometry.patch)
    st.subheader("Reach: whom can my patch have heard of?")
    flow = None
    if traced is not None and params.FLOW.toggle(
        "How much, too: attention rollout across the stages"
    ):
        flow = _rollouts(traced)
    first = geometry.first
    figures = [
        PictureMap(
            picture=picture,
            rows=first.rows,
            columns=first.columns,
            label=f"Reach after {count} blocks: {int(seen.sum())} of {first.n_patches} patches",
            values=None if flow is None else _within(flow[count], seen),
            dark=~seen,
            width=SMALL,
            title=_title(count, seen),
            grid=False,
        )
        for count, seen in enumerate(reached)
    ]
    picture_row(
        figures,
        key=KEY,
        label="Reach after every block",
        caption=f"{caption} · reach of patch {geometry.patch}, block by block",
        clickable=False,
    )
    own_scales = " Colours: each map at its own scale; hover for the share." * (flow is not None)
    st.caption(_words(reached) + own_scales)
    return np.stack(reached)


def answered(geometry: Geometry, block: int) -> str:
    """How far the patch has reached by a block, and when it has heard of all, in Markdown."""
    reached = reach(geometry.blocks, geometry.patch)
    share = three(100 * float(reached[block + 1].mean()))
    whole = next((count for count, seen in enumerate(reached) if seen.all()), None)
    end = "never of all of it" if whole is None else f"of all of it after block **{whole - 1}**"
    return f"After block {block} the patch can have heard of **{share} %** of the picture; {end}."


def _title(count: int, seen: np.ndarray) -> str:
    if not count:
        return "the patch"
    return f"after block {count - 1} · {seen.mean():.0%}"


def _words(reached: tuple[np.ndarray, ...]) -> str:
    whole = next((count for count, seen in enumerate(reached) if seen.all()), None)
    end = (
        f"After block {whole - 1} it can have heard of the whole picture; in a ViT, after block 0."
        if whole is not None
        else "Even after the last block it has not heard of the whole picture."
    )
    return (
        "Bright patches may have influenced the chosen one, by windows, shifts and merges alone, "
        f"whatever the weights. {end}"
    )


def _rollouts(traced: Traced) -> list[np.ndarray]:
    """The patch's rollout row after each block, on the first grid."""
    geometry = traced.geometry
    alone = np.zeros(geometry.first.n_patches, dtype=np.float32)
    alone[geometry.patch] = 1

    def compute() -> list[np.ndarray]:
        return [
            stage_rollout_row(traced.trace, geometry.patch_in(block), stop_layer=block + 1)
            for block in range(len(geometry.blocks))
        ]

    return [alone, *vision.derived(traced.request, "swin-rollout", compute, geometry.patch)]


def _within(row: np.ndarray, seen: np.ndarray) -> np.ndarray:
    return np.where(seen, row.reshape(seen.shape), np.nan).astype(np.float32)
