"""How long attention takes on this machine, and which power of n that is."""

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.services.attention_timing import REST, stopwatch
from app.style.markdown_escape import plain
from app.style.number_format import duration, three
from app.ui import charts
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from core.blocks.attention_time import AttentionTimes, fitted_exponent

HUES: Final = {"explicit": "cross", "fused": "encoder", "feed_forward": "value"}
LOOK: Final = 1.0  # seconds between two looks at a measurement
SERIES: Final = {
    "explicit": "explicit: all maps written out",
    "fused": "fused: no map is kept",
    "feed_forward": "feed-forward, for comparison",
}
HERE: Final = Scope("blocks", "cost.measured")
FROM: Final = HERE.whole("from", 64, 2048, 1024)


def render() -> Figure | None:
    """The button, or the progress; the last measurement's figure, if there is one."""
    watch = stopwatch()
    if watch.measuring:
        _progress()
    else:
        _button()
    if watch.failed:
        st.warning(
            "The measurement was stopped by this machine, perhaps for lack of memory. Close what "
            "you don't need and try again.",
            icon=":material/info:",
        )
    if watch.times is None:
        return None
    return partial(_times, watch.times)


def _button() -> None:
    watch = stopwatch()
    label = "Measure again" if watch.times else "Measure on this machine"
    st.button(
        label,
        icon=":material/timer:",
        disabled=bool(watch.resting),
        on_click=watch.start,
        help=f"Once in {REST / 60:.0f} minutes for all readers together.",
    )
    if watch.times is None:
        st.caption(
            "Nothing has been measured since this server started. It takes about 20 seconds on "
            "one core; everybody who looks at this page sees the same measurement."
        )


@st.fragment(run_every=LOOK)
def _progress() -> None:
    watch = stopwatch()
    if not watch.measuring:
        st.rerun(scope="app")
    st.progress(watch.share, text=f"Measuring on this machine: {100 * watch.share:.0f} % …")


def _times(times: AttentionTimes) -> Export:
    clock = "CPU time of one thread" if times.device == "cpu" else "time on the GPU"
    caption = f"{times.machine}, {clock}; d_model 512, 8 heads, batch 1, float32"
    series = _series(times)
    slopes = {
        name: fitted_exponent(times.lengths, seconds, shortest=float(FROM.value))
        for name, seconds in series.items()
    }
    curves = [
        charts.Curve(
            f"{title} · n^{slopes[name][0]:.2f}",
            times.lengths,
            series[name],
            tuple(
                f"{title}, n = {n:,.0f}: {duration(seconds)}"
                for n, seconds in zip(times.lengths, series[name], strict=True)
            ),
            hue=HUES[name],
        )
        for name, title in SERIES.items()
    ]
    fitted = times.lengths[times.lengths >= FROM.value]
    for name, (slope, factor) in slopes.items():
        fit = charts.Curve(
            f"fit {three(factor)} s · n^{slope:.2f}",
            fitted,
            factor * fitted**slope,
            markers=False,
            dashed=True,
            hue=HUES[name],
        )
        curves.append(fit)
    figure = charts.chart(
        curves,
        x_title="length of the sequence n (log)",
        y_title="seconds a layer (log)",
        log_x=True,
        log_y=True,
        height=420,
    )
    explicit, fused = slopes["explicit"][0], slopes["fused"][0]
    answer(
        f"Here attention’s time grows as n to the **{explicit:.2f}** with all maps written out, to "
        f"the **{fused:.2f}** fused. {_meeting(times)}"
    )
    charts.show(figure, key=HERE.key("times"), name="attention-time", caption=caption)
    left, right = st.columns([3, 1], vertical_alignment="bottom", gap="large")
    left.caption(f"Measured on: {plain(caption)}.")
    with right:
        FROM.slider("Fit from n =", step=64)
    return Export("attention-time", caption, lambda: _table(times))


def _series(times: AttentionTimes) -> dict[str, np.ndarray]:
    """By the words of SERIES."""
    return {"explicit": times.explicit, "fused": times.fused, "feed_forward": times.feed_forward}


def _meeting(times: AttentionTimes) -> str:
    """From which length on attention takes longer than the layer beside it."""
    found = [
        f"{name} from n = {length:,.0f}"
        for name, seconds in (("explicit", times.explicit), ("fused", times.fused))
        if (length := times.slower_from(seconds)) is not None
    ]
    if not found:
        return "At none of these lengths does attention take longer than the feed-forward layer."
    return f"Longer than the feed-forward layer: {', '.join(found)} on."


def _table(times: AttentionTimes) -> tuple[list[str], Iterator[tuple[float, ...]]]:
    header = ["n", *(f"{name}_seconds" for name in SERIES)]
    return header, zip(times.lengths, *_series(times).values(), strict=True)


VIEW: Final = View("measured", "Measured here", (FROM,), render)
