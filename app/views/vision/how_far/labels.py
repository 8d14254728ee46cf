"""Every head at a glance: how far it looks here as a colour, what it does over many as a letter."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid import GridSettings, head_grid, head_grid_frame
from app.components.selection import Seed
from app.style.number_format import three
from app.ui import head_names
from app.ui.page import go
from app.views.vision.attention import params as attention
from app.views.vision.how_far.measures import HERE, Measured
from app.views.vision.state import PAGE
from core.data.known_roles import Layers
from core.explain.attention.head_overview import HeadOverview, head_overview
from core.explain.attention.role_patterns import BROAD

LAYER = HERE.whole("layer", 0, 199, 0)
HEAD = HERE.whole("head", 0, 199, 0)
PARAMS: Final = (LAYER, HEAD)
LABEL: Final = "How far every head looks, layers by heads"
HEIGHT: Final = 420.0  # px at most


def render(measured: Measured, named: Layers | None) -> None:
    """The grid, and the way to the selected head."""
    st.markdown("**What every head does**")
    heads = tuple(len(reach.distances) for reach in measured.reach)
    layer = min(LAYER.value, len(heads) - 1)
    selected = (layer, min(HEAD.value, heads[layer] - 1))
    settings = _settings(measured, named)
    chosen = head_grid(
        _overview(measured),
        selected=(selected,),
        label=settings.label,
        key=HERE.key("labels"),
        shared=settings.shared,
        caption=settings.caption,
        notes=settings.notes,
        names=settings.names,
        height=settings.height,
    )
    layer, head = chosen[-1]
    LAYER.put(layer)
    HEAD.put(head)
    st.caption("Colour: mean attention distance in pixels, on the picture above.")
    if named is not None:
        head_names.caption(named)
    if st.button(
        f"See layer {layer}, head {head} on the picture",
        type="tertiary",
        icon=":material/visibility:",
    ):
        attention.LAYER.put(layer)
        attention.HEAD.put(head)
        attention.FUSION.put("one")
        go(PAGE, "attention")


def frame(measured: Measured, named: Layers | None) -> bytes:
    """For the offline page."""
    seed = Seed(((LAYER.value, HEAD.value),))
    return head_grid_frame(_overview(measured), _settings(measured, named), seed=seed)


def _settings(measured: Measured, named: Layers | None) -> GridSettings:
    return GridSettings(
        LABEL,
        shared=True,
        caption=f"{LABEL} · {measured.caption}",
        notes=_notes(measured),
        names=None if named is None else head_names.names(named),
        height=HEIGHT,
    )


def _overview(measured: Measured) -> HeadOverview:
    """A grid whose maps are one cell each: the head's distance."""
    layers = (reach.distances.astype(np.float32)[:, None, None] for reach in measured.reach)
    return head_overview(list(layers), query_tokens=("",), key_tokens=("",))


def _notes(measured: Measured) -> tuple[tuple[str, ...], ...]:
    masses = measured.masses

    def note(layer: int, head: int) -> str:
        reach, held = measured.reach[layer], masses.masses[layer][:, head]
        shares = (
            f"{role} {three(float(mass))}"
            for role, mass in zip(masses.roles, held, strict=True)
            if role != BROAD
        )
        entropy = three(float(reach.entropies[head]))
        return f"here {three(float(reach.distances[head]))} px, {entropy} bits; {', '.join(shares)}"

    return tuple(
        tuple(note(layer, head) for head in range(len(reach.distances)))
        for layer, reach in enumerate(measured.reach)
    )
