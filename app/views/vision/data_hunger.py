"""How many photographs does a network need? Four small ones, beside the ViT paper's large ones."""

from typing import Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import count
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import plain_table
from app.ui.export_bar import Export, Table
from app.ui.page import View
from app.ui.params import Scope
from core.data import data_hunger
from core.data.data_hunger import BIT_L, DATASETS, VIT_PAPER, DataHunger, Kind, Point
from core.errors import InputError

HERE: Final = Scope("vision", "data")
SHARES: Final = {"1.0": "all", "0.3": "three tenths", "0.1": "a tenth"}
SHARE: Final = HERE.choice("share", SHARES)
TITLES: Final = {
    Kind.CNN: "CNN",
    Kind.SWIN: "Swin",
    Kind.VIT: "ViT",
    Kind.VIT_AFTER_MAE: "ViT after MAE",
}
LARGE: Final = ("ViT-B/16", "ViT-L/16", "ViT-H/14", "ViT-B/32", "ViT-L/32")
HEIGHT: Final = 370  # px


def render() -> Export | None:
    """Both charts and every training; or why there are none."""
    try:
        measured = data_hunger.read()
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    with controls():
        SHARE.segmented("Photographs to train on")
    share = float(SHARE.value)
    answer(_answered(measured, share))
    left, right = st.columns(2, gap="large")
    caption = (
        f"{measured.classes} classes at {measured.side} px, {measured.held_out} unseen "
        f"photographs, {measured.date}: {measured.command}"
    )
    with left:
        _here(measured, share, caption)
    with right:
        _paper()
    _trainings(measured)
    return Export("data-hunger", caption, lambda: _table(measured))


def _answered(measured: DataHunger, share: float) -> str:
    cnn, vit, after = (
        measured.at(kind, share) for kind in (Kind.CNN, Kind.VIT, Kind.VIT_AFTER_MAE)
    )
    return (
        f"With {vit.photos:,} photographs the CNN gets **{_percent(cnn.mean)}** of unseen ones "
        f"right, the ViT **{_percent(vit.mean)}**, and the ViT that first learned to paint hidden "
        f"patches **{_percent(after.mean)}**."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _here(measured: DataHunger, share: float, caption: str) -> None:
    curves = [_curve(TITLES[kind], measured.of(kind)) for kind in Kind]
    chart = charts.chart(
        curves,
        x_title=f"trained here: photographs of {measured.classes} classes (log)",
        y_title="top-1 accuracy, %",
        log_x=True,
        height=HEIGHT,
    )
    photos = [point.photos for point in measured.of(Kind.VIT)]
    chart.x_axis(tickvals=photos, ticktext=[f"{n:,}" for n in photos])
    charts.mark_x(chart, float(measured.at(Kind.VIT, share).photos), "")
    charts.show(chart, key=HERE.key("here"), name="data-hunger", caption=caption)


def _curve(title: str, points: tuple[Point, ...]) -> charts.Curve:
    mean, low, high = (
        100 * np.array([getattr(point, name) for point in points])
        for name in ("mean", "low", "high")
    )
    return charts.Curve(
        title,
        np.array([float(point.photos) for point in points]),
        mean,
        interval=(np.maximum(low, 0.0), np.minimum(high, 100.0)),
        hover=tuple(
            f"{title}: {_percent(point.mean)} ({_percent(point.low)} to {_percent(point.high)}) "
            f"with {point.photos:,} photographs"
            for point in points
        ),
    )


def _paper() -> None:
    curves: list[charts.Curve] = []
    for name in LARGE:
        pairs = [
            (dataset.pictures, value)
            for dataset, value in zip(DATASETS, VIT_PAPER[name], strict=True)
            if value is not None
        ]
        x, y = (np.array(values) for values in zip(*pairs, strict=True))
        curves.append(charts.Curve(name, x, y, dashed=name.endswith("32")))
    chart = charts.chart(
        curves,
        x_title="the ViT paper: pictures to pre-train on (log)",
        y_title="top-1 on ImageNet, %",
        log_x=True,
        height=HEIGHT,
    )
    chart.x_axis(
        tickvals=[each.pictures for each in DATASETS],
        ticktext=[f"{each.name}<br>{each.pictures / 1e6:g} M" for each in DATASETS],
    )
    charts.mark_y(chart, BIT_L, f"BiT-L, a CNN, on JFT-300M: {BIT_L}", left=True)
    charts.show(chart, key=HERE.key("paper"), name="vit-paper-table-5")


def _trainings(measured: DataHunger) -> None:
    points = [measured.at(kind, float(share)) for share in reversed(SHARES) for kind in Kind]
    n_seeds = len(points[0].accuracies)
    with st.expander(f"All {len(points) * n_seeds} trainings"):
        plain_table(
            {
                "photographs": [f"{point.photos:,}" for point in points],
                "network": [TITLES[point.kind] for point in points],
                "parameters": [f"{measured.parameters[point.kind]:,}" for point in points],
                "mean, %": [f"{100 * point.mean:.1f}" for point in points],
                "95 %": [f"{100 * point.low:.1f} … {100 * point.high:.1f}" for point in points],
                **{
                    f"seed {seed}, %": [f"{100 * p.accuracies[seed]:.1f}" for p in points]
                    for seed in range(n_seeds)
                },
            }
        )
    st.caption(
        f"Each network reads {measured.steps:,} batches of {measured.batch} varied pictures, "
        "however few photographs they come from, and is asked once, at the end. A seed draws "
        "photographs, weights and batches; bars: 95 % of the mean, by Student's t over "
        f"{n_seeds} seeds. The masked autoencoder saw all {measured.pretrained_on:,} training "
        f"photographs in {measured.pretraining_steps:,} batches, and no label. Settings are the "
        "same for all, chosen on training photographs; Muon for the matrices inside the blocks, "
        "AdamW for all else. "
        f"{count(measured.seconds / 60)} minutes, {measured.device}, {measured.date}: "
        f"`{measured.command}`."
    )


def _table(measured: DataHunger) -> Table:
    return ("network", "photographs", "seed", "accuracy"), (
        (TITLES[point.kind], point.photos, seed, accuracy)
        for point in measured.points
        for seed, accuracy in enumerate(point.accuracies)
    )


VIEW: Final = View("data", "How much data?", (SHARE,), figure=render)
