"""What each slot has specialised in: its boxes over many scenes, the paper's figure 7."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from app.services import detector
from app.style import theme
from app.ui import charts, progress, projector
from app.ui.export_bar import Export, Table
from app.views.vision.detr.params import ANSWERS, COUNT, HERE

COLUMNS = 5
PANEL = 190  # px
LARGEST_DOT = 16.0  # px, of a box as long as the picture: dots are to the boxes' scale in side
FAINT = 3.0


def figure(model_id: str) -> Export | None:
    """One square a slot, one dot a scene: the box's centre; larger dots are larger boxes."""
    count = COUNT.slider("Scenes", step=50, width=320)
    found = progress.outcome(detector.slot_boxes(model_id, count), model_id)
    if found is None:
        return None
    caption = f"{model_id} · boxes of every slot in the scenes 0 to {count - 1}"
    chart = _chart(found)
    charts.show(chart, key=HERE.key("slots"), name="slots", caption=caption)
    st.caption(
        "Percentages: in how many scenes the slot claims an object. Coloured dots are those "
        "claims, as large as their boxes; grey ones its boxes when it says “no object”."
    )
    return Export(
        name="slots",
        caption=caption,
        table=lambda: _table(found),
        arrays=lambda: {"boxes": found.boxes, "probabilities": found.probabilities},
    )


def _chart(found: Any) -> go.Figure:
    slots = found.boxes.shape[1]
    dark = st.context.theme.type == "dark"
    claims, shares = found.claims, found.claim_shares
    rows = -(-slots // COLUMNS)
    figure: go.Figure = make_subplots(
        rows, COLUMNS, horizontal_spacing=0.02, vertical_spacing=0.09,
        subplot_titles=[f"slot {slot} · {share:.0%}" for slot, share in enumerate(shares)],
    )  # fmt: skip
    quiet = theme.page_colours(dark=dark)["borderColor"]
    for slot in range(slots):
        for claimed in (False, True):
            chosen = claims[:, slot] == claimed
            x, y, width, height = found.boxes[chosen, slot].T
            size = LARGEST_DOT * 2 * np.sqrt(width * height) if claimed else FAINT
            figure.add_trace(
                go.Scatter(
                    x=x,
                    y=y,
                    mode="markers",
                    name=f"slot {slot}, {'an object' if claimed else 'no object'}",
                    showlegend=False,
                    marker={
                        "size": size,
                        "color": theme.colour("query", dark=dark) if claimed else quiet,
                        "opacity": 0.55,
                        "line": {"width": 0},
                    },
                    hovertemplate="%{fullData.name}: centre %{x:.2f}, %{y:.2f}<extra></extra>",
                ),
                row=slot // COLUMNS + 1,
                col=slot % COLUMNS + 1,
            )
    figure.update_layout(
        template=charts.template(dark=dark), height=PANEL * rows + 70, showlegend=False,
        margin={"t": 40},
    )  # fmt: skip
    frame: dict[str, Any] = {"showline": True, "mirror": True, "linecolor": quiet, "linewidth": 1}
    bare: dict[str, Any] = {
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
    }
    figure.update_xaxes(range=[0, 1], constrain="domain", **frame, **bare)
    figure.update_yaxes(range=[1, 0], constrain="domain", **frame, **bare)
    for row in range(rows):
        for column in range(COLUMNS):
            number = row * COLUMNS + column + 1
            figure.update_yaxes(
                scaleanchor=f"x{number if number > 1 else ''}", row=row + 1, col=column + 1
            )
    figure.update_annotations(font_size=18 if projector.is_on() else 13)  # the panels' titles
    return figure


def _table(found: Any) -> Table:
    lines = (
        (
            scene, slot, ANSWERS[int(found.probabilities[scene, slot].argmax())],
            float(found.probabilities[scene, slot].max()),
            *(float(number) for number in found.boxes[scene, slot]),
        )
        for scene in range(found.boxes.shape[0])
        for slot in range(found.boxes.shape[1])
    )  # fmt: skip
    return ("scene", "slot", "says", "p", "centre_x", "centre_y", "width", "height"), lines
