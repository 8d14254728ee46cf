"""How wrong the painting gets as more is hidden."""

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import count, three
from app.ui import charts
from app.ui.charts import Curve
from app.views.vision.inputs import Chosen
from app.views.vision.mae import params
from core.outputs.autoencoder import ErrorByRatio, Reconstruction


def render(chosen: Chosen, shown: Reconstruction, found: ErrorByRatio) -> None:
    """Several draws of each share, their mean, and one flat colour for comparison."""
    st.subheader("How much can be hidden?")
    chart = charts.chart(
        curves(chosen.card.title, found),
        x_title="hidden patches (%)",
        y_title="mean squared error at hidden patches",
        height=340,
    )
    if shown.hidden.any():
        share = 100 * float(shown.hidden.mean())
        charts.mark_x(chart, share, f"shown: {share:.0f} %")
    charts.show(
        chart,
        key=params.HERE.key("curve"),
        name="error-by-ratio",
        caption=f"{chosen.card.title} · {chosen.picture.name} · {len(found.seeds)} draws a share",
    )
    st.caption(
        f"This picture, painted {found.errors.size} times just now: {len(found.seeds)} random "
        f"masks for each of {len(found.ratios)} shares. The dotted line paints all hidden patches "
        f"in the mean colour of the visible ones. {plain(chosen.card.title)} was trained with 75 % "
        "hidden; other shares are new to it."
        if chosen.card.id == "mae-mini"
        else f"{found.errors.size} paintings: {len(found.seeds)} random masks for each of "
        f"{len(found.ratios)} shares. The dotted line paints all hidden patches in the mean colour "
        "of the visible ones."
    )


def curves(title: str, found: ErrorByRatio) -> tuple[Curve, ...]:
    """Shares too small to hide a patch are left out."""
    used = found.hides
    percent, errors = 100 * np.array(found.ratios)[used], found.errors[:, used].astype(float)
    flat = found.mean_flat[used]
    has_flat = ~np.isnan(flat)
    return (
        Curve(
            f"{title}, mean of {len(errors)} draws",
            percent,
            found.mean_errors[used],
            hue="decoder",
        ),
        Curve(
            "single draws",
            np.tile(percent, len(errors)),
            errors.reshape(-1),
            hover=tuple(
                f"draw {seed}, {count(share)} % hidden: {three(value)}"
                for seed, row in zip(found.seeds, errors, strict=True)
                for share, value in zip(percent, row, strict=True)
            ),
            lines=False,
            hue="decoder",
            hollow=(True,) * errors.size,
        ),
        Curve(
            "one flat colour",
            percent[has_flat],
            flat[has_flat],
            markers=False,
            dashed=True,
            hue="key",
        ),
    )
