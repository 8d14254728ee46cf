"""The chosen layer's patches in colours: their three leading principal components."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map
from app.style.number_format import three
from app.style.worked import step, total
from app.views.vision.patches import params
from core.explain.embeddings.patch_components import PatchComponents

CHANNELS: Final = ("red", "green", "blue")
WIDTH: Final = 400.0
DRAWN: Final = 448  # pixels across, about


def draw_colours(title: str, layer: str, found: PatchComponents) -> None:
    """One coloured square a patch, and how much of the patches' variance the colours hold."""
    rows, columns = found.scores.shape[:2]
    size = max(1, DRAWN // max(rows, columns))
    label = f"{title}: principal components of the patches’ states, {layer}"
    picture_map(
        PictureMap(
            picture=found.colours.repeat(size, axis=0).repeat(size, axis=1),
            rows=rows,
            columns=columns,
            label=label,
            caption=f"{label}, as red, green and blue",
            notes=tuple(map(_note, found.scores.reshape(-1, len(CHANNELS)))),
            width=WIDTH,
            grid=False,
            title=f"Three principal components of the patches, {layer}",
        ),
        key=params.HERE.key("colours"),
        clickable=False,
    )
    explained = (100 * found.explained.astype(np.float64)).tolist()
    printed, together = step(explained, total(*explained), total)
    shares = ", ".join(f"{one} % {name}" for one, name in zip(printed, CHANNELS, strict=True))
    st.caption(
        f"Of the variance of these {rows * columns} patches: {shares}, together "
        f"{together} %. Each colour runs from its component’s "
        "least patch to its greatest; a component’s sign is arbitrary, here its largest entry is "
        "positive. Colours of two layers or pictures have nothing to do with each other. (After "
        "[Oquab et al. 2024](https://arxiv.org/abs/2304.07193), who cut the background off first "
        "and share components among pictures.)"
    )


def _note(scores: np.ndarray) -> str:
    return " · ".join(
        f"{name} {three(float(score))}" for name, score in zip(CHANNELS, scores, strict=True)
    )
