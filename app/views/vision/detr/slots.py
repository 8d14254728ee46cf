"""What each slot has specialised in: its boxes over many scenes, the paper's figure 7."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import streamlit as st
from jaxtyping import Bool, Float, Float32

from app.services import detector
from app.style import theme
from app.style.number_format import three
from app.ui import charts, progress, projector
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.views.vision.detr.params import COUNT, HERE, OF

COLUMNS: Final = 5
PANEL: Final = 190  # px
LARGEST_DOT: Final = (
    16.0  # px, of a box as long as the picture: dots are to the boxes' scale in side
)
FAINT: Final = 3.0
BESIDE: Final = 0.02  # between two panels, as a share of the figure
BELOW: Final = 0.09
BARE: Final[dict[str, object]] = {
    "showline": True,
    "mirror": True,
    "linewidth": 1,
    "showticklabels": False,
    "showgrid": False,
    "zeroline": False,
    "ticks": "",
    "constrain": "domain",
}


class SlotBoxes(Protocol):
    """The answers for many scenes: a core.models.vision.detector.SlotBoxes."""

    @property
    def boxes(self) -> Float32[np.ndarray, "scene slot 4"]: ...
    @property
    def probabilities(self) -> Float32[np.ndarray, "scene slot class"]: ...
    @property
    def claims(self) -> Bool[np.ndarray, "scene slot"]: ...
    @property
    def claim_shares(self) -> Float[np.ndarray, " slot"]: ...


def figure(model_id: str) -> Export | None:
    """One square a slot, one dot a scene: the box's centre; larger dots are larger boxes."""
    with controls():
        count = COUNT.slider("Scenes", step=50, width=320)
    found = progress.outcome(detector.slot_boxes(model_id, count), model_id)
    if found is None:
        return None
    caption = f"{model_id} · boxes of every slot in the scenes 0 to {count - 1}"
    answers = detector.answers(model_id)
    shares = found.claim_shares
    busiest = int(shares.argmax())
    answer(
        f"Slot {busiest} claims an object most often, in **{shares[busiest]:.0%}** of "
        f"{count} scenes; all {len(shares)} together claim **{three(float(shares.sum()))}** a "
        "scene."
    )
    chart = _chart(found)
    charts.show(chart, key=HERE.key("slots"), name="slots", caption=caption)
    if OF.value == "picture":
        st.caption("Counted over generated scenes, whichever picture is chosen above.")
    st.caption(
        "Percentages: in how many scenes the slot claims an object. Coloured dots are those "
        "claims, as large as their boxes; grey ones its boxes when it says “no object”."
    )
    return Export(
        name="slots",
        caption=caption,
        table=lambda: _table(found, answers),
        arrays=lambda: {"boxes": found.boxes, "probabilities": found.probabilities},
    )


def _chart(found: SlotBoxes) -> charts.Figure:
    """Squares side by side, in rows: `make_subplots`, typed."""
    dark = st.context.theme.type == "dark"
    slots = range(found.boxes.shape[1])
    rows = -(-len(slots) // COLUMNS)
    layout: dict[str, object] = {
        "template": charts.template(dark=dark),
        "height": PANEL * rows + 70,
        "showlegend": False,
        "margin": {"t": 40},
        "annotations": [_title(found, slot, rows) for slot in slots],
    }
    quiet = theme.page_colours(dark=dark)["borderColor"]
    for slot in slots:
        across, down = _panel(slot, rows)
        name, frame = _axis(slot), BARE | {"linecolor": quiet}
        layout[f"xaxis{name}"] = frame | {"domain": across, "range": (0, 1), "anchor": f"y{name}"}
        layout[f"yaxis{name}"] = frame | {
            "domain": down,
            "range": (1, 0),
            "anchor": f"x{name}",
            "scaleanchor": f"x{name}",
        }
    dots = [_dots(found, slot, claimed=claimed) for slot in slots for claimed in (False, True)]
    return charts.Figure(dots, layout)


def _dots(found: SlotBoxes, slot: int, *, claimed: bool) -> dict[str, object]:
    """A slot's boxes in the scenes where it claims an object, or where it does not."""
    dark = st.context.theme.type == "dark"
    x, y, width, height = found.boxes[found.claims[:, slot] == claimed, slot].T
    quiet = theme.page_colours(dark=dark)["borderColor"]
    return {
        "type": "scatter",
        "x": charts.numbers(x),
        "y": charts.numbers(y),
        "xaxis": f"x{_axis(slot)}",
        "yaxis": f"y{_axis(slot)}",
        "mode": "markers",
        "name": f"slot {slot}, {'an object' if claimed else 'no object'}",
        "marker": {
            "size": LARGEST_DOT * 2 * np.sqrt(width * height) if claimed else FAINT,
            "color": theme.colour("query", dark=dark) if claimed else quiet,
            "opacity": 0.55,
            "line": {"width": 0},
        },
        "hovertemplate": "%{fullData.name}: centre %{x:.2f}, %{y:.2f}<extra></extra>",
    }


def _title(found: SlotBoxes, slot: int, rows: int) -> dict[str, object]:
    across, down = _panel(slot, rows)
    return {
        "text": f"slot {slot} · {found.claim_shares[slot]:.0%}",
        "x": sum(across) / 2,
        "y": down[1],
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 18 if projector.is_on() else 13},
    }


def _panel(slot: int, rows: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a slot's square stands, as shares of the figure: across, and from its bottom up."""
    row, column = divmod(slot, COLUMNS)
    wide = (1 - (COLUMNS - 1) * BESIDE) / COLUMNS
    high = (1 - (rows - 1) * BELOW) / rows
    left, top = column * (wide + BESIDE), 1 - row * (high + BELOW)
    return (left, left + wide), (max(0.0, top - high), top)


def _axis(slot: int) -> str:
    """Plotly's number of a panel's axes; the first has none."""
    return str(slot + 1) if slot else ""


def _table(found: SlotBoxes, answers: tuple[str, ...]) -> Table:
    lines = (
        (
            scene, slot, answers[int(found.probabilities[scene, slot].argmax())],
            float(found.probabilities[scene, slot].max()),
            *(float(number) for number in found.boxes[scene, slot]),
        )
        for scene in range(found.boxes.shape[0])
        for slot in range(found.boxes.shape[1])
    )  # fmt: skip
    return ("scene", "slot", "says", "p", "centre_x", "centre_y", "width", "height"), lines
