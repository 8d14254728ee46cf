"""A real head's M = W^Q (W^K)ᵀ: its spectrum, its rank, and who looks at whom."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.services import blocks, engine
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.examples import preset_chips
from app.ui.export_bar import Export, Table, matrix_table
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.blocks.sentence import sentence_and_model
from app.views.blocks.state import MODEL, TEXT
from core.blocks.qk_circuit import HeadMetric, parts
from core.catalog import ModelCard
from core.errors import InputError
from core.positions.counterfactual import plain_scores
from core.trace import AttentionKind, Trace

HERE: Final = Scope("blocks", "attention.metric")
LAYER: Final = HERE.whole("layer", 0, 99, 0)
HEAD: Final = HERE.whole("head", 0, 99, 0)
PRESETS: Final = {
    "BERT mini's most symmetric head": (MODEL.at("bert-mini"), LAYER.at(3), HEAD.at(0)),
    "its least symmetric": (MODEL.at("bert-mini"), LAYER.at(1), HEAD.at(2)),
    "MiniLM: it → animal": (
        MODEL.at("minilm-l6"),
        LAYER.at(3),
        HEAD.at(1),
        TEXT.at(TEXT.default),
    ),
}
WIDEST: Final = 1024  # d_model up to which M's spectrum is computed while the reader waits
MOST_TOKENS: Final = 24  # of the maps at the end


def render() -> Figure | None:
    """A sentence and a model; the figure."""
    loaded = sentence_and_model(lambda: preset_chips(PRESETS, key=HERE.key("preset")))
    return None if loaded is None else partial(_figure, loaded)


def _figure(loaded: ModelCard) -> Export | None:
    """Choose a head; its matrices, their product, and what it does to a sentence."""
    if loaded.d_model > WIDEST:
        st.info(
            f"{plain(loaded.title)} has d_model = {loaded.d_model}: M would have "
            f"{loaded.d_model**2:,} entries. Choose a model with d_model up to {WIDEST}."
        )
        return None
    place = _chosen(loaded)
    found = progress.outcome(blocks.projections(loaded.id, *place), loaded.id)
    if found is None:
        return None
    metric = blocks.metric(loaded.id, place, found)
    caption = f"{loaded.title}, layer {place[0]}, head {place[1]}: M = W^Q (W^K)ᵀ"
    answer(
        f"Layer {place[0]}, head {place[1]} compares tokens in **{metric.rank}** of "
        f"{loaded.d_model} dimensions; **{three(metric.symmetric_share)}** of ‖M‖² is symmetric "
        "(random matrices: about 0.5)."
    )
    maps, spectrum, eigenvalues = st.columns([4, 4, 4], gap="medium")
    with maps:
        _shares(loaded, place)
    with spectrum:
        _spectrum(metric, caption)
    with eigenvalues:
        _eigenvalues(metric, caption)
    _numbers(metric, loaded)
    trace = progress.outcome(engine.request_trace(loaded.id, TEXT.value)[1], loaded.id)
    tables = {} if trace is None else _on_the_sentence(trace, place, caption)
    return Export(
        name="head-metric",
        caption=caption,
        table=lambda: (
            ("index", "singular_value", "eigenvalue_of_symmetric_part"),
            zip(
                range(1, len(metric.singular_values) + 1),
                metric.singular_values.tolist(),
                metric.eigenvalues.tolist(),
                strict=True,
            ),
        ),
        more={"symmetric shares": lambda: _share_table(loaded), **tables},
        arrays=lambda: {
            "M": metric.matrix, "W_Q": found.query, "W_K": found.key,
            "singular_values": metric.singular_values, "eigenvalues": metric.eigenvalues,
        },
    )  # fmt: skip


def _chosen(card: ModelCard) -> tuple[int, int]:
    """The head that was clicked, or that of the link, or the nearest that this model has."""
    place = LAYER.kept_below(card.layers), HEAD.kept_below(card.heads)
    clicked = selected_cell(HERE.key("shares"), place, (card.layers, card.heads))
    if clicked is None or clicked == place:
        return place
    LAYER.put(clicked[0])
    HEAD.put(clicked[1])
    return clicked


def _shares(card: ModelCard, place: tuple[int, int]) -> None:
    """All heads at a glance; a click chooses one."""
    try:
        shares = blocks.symmetric_shares(card.id, card.layers, card.heads)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return
    heat_map(
        HeatMap(
            shares.astype(np.float32),
            tuple(str(layer) for layer in range(card.layers)),
            tuple(str(head) for head in range(card.heads)),
            label="Symmetric share of every head",
            title="How symmetric is M? Click a head.",
            row_title="layer",
            column_title="head",
            caption=f"{card.title}: symmetric share of ‖M‖² of every head",
            scale="sequential",
            floor=float(np.floor(20 * shares.min()) / 20),
            limit=float(np.ceil(20 * shares.max() + 1e-9) / 20),
            numbers=card.heads <= 8,
            height=250.0,
        ),
        key=HERE.key("shares"),
        selected=place,
    )


def _spectrum(metric: HeadMetric, caption: str) -> None:
    values = metric.singular_values
    positions = np.arange(1, len(values) + 1, dtype=np.float64)
    floor = float(values[0]) * 1e-18  # zero has no place on a logarithmic axis
    chart = charts.chart(
        [
            charts.Curve(
                "singular values of M",
                positions,
                np.maximum(values, floor),
                tuple(
                    f"σ {position:.0f} = {value:.3g}"
                    for position, value in zip(positions, values, strict=True)
                ),
                markers=False,
            )
        ],
        x_title="number",
        y_title="singular value (log)",
        log_y=True,
        height=330,
    )
    charts.mark_x(chart, metric.d_head, f"d_head = {metric.d_head}")
    charts.mark_y(chart, metric.tolerance, "below: rounding")
    charts.show(chart, key=HERE.key("spectrum"), name="singular-values", caption=caption)


def _eigenvalues(metric: HeadMetric, caption: str) -> None:
    values = metric.eigenvalues
    positions = np.arange(1, len(values) + 1, dtype=np.float64)
    chart = charts.chart(
        [
            charts.Curve(
                "eigenvalues of the symmetric part",
                positions,
                values,
                tuple(
                    f"eigenvalue {position:.0f} = {value:.3g}"
                    for position, value in zip(positions, values, strict=True)
                ),
                markers=False,
            )
        ],
        x_title="number",
        y_title="eigenvalue",
        height=330,
    )
    charts.mark_y(chart, 0.0, "")
    charts.show(chart, key=HERE.key("eigenvalues"), name="eigenvalues", caption=caption)


def _numbers(metric: HeadMetric, card: ModelCard) -> None:
    st.markdown(
        f"M is {card.d_model} × {card.d_model}, of numerical **rank {metric.rank}** ≤ d_head = "
        f"{metric.d_head}: it compares tokens in {metric.rank} of {card.d_model} dimensions. "
        f"**{metric.symmetric_share:.3g}** of ‖M‖² is symmetric (random matrices: about 0.5), "
        f"{1 - metric.symmetric_share:.3g} antisymmetric. Of the symmetric part's eigenvalues, the "
        f"positive ones sum to {metric.attraction:.3g} (like draws like), the negative ones to "
        f"−{metric.repulsion:.3g} (like keeps off like)."
    )


def _share_table(card: ModelCard) -> Table:
    shares = blocks.symmetric_shares(card.id, card.layers, card.heads)
    return matrix_table(
        shares, [f"layer {i}" for i in range(card.layers)], [f"head {i}" for i in range(card.heads)]
    )


def _on_the_sentence(
    trace: Trace, place: tuple[int, int], caption: str
) -> dict[str, Callable[[], Table]]:
    """The head's scores before mask and softmax, and their two parts; returns the tables."""
    layer, head = place
    attention = trace.attention(layer)
    if attention.queries is None or attention.keys is None:
        st.info("This model hides its queries and keys, so its scores can't be taken apart.")
        return {}
    tokens = trace.tokens[:MOST_TOKENS]
    count = len(tokens)
    ids = () if trace.encoding is None else tuple(trace.encoding.ids[:count].tolist())
    scores = plain_scores(attention, head)[:count, :count]
    symmetric, antisymmetric = parts(scores.astype(np.float64))
    st.subheader("On your sentence")
    limit = float(np.abs(scores).max())
    causal = " The future is not masked here." if AttentionKind.DECODER in trace.kinds else ""
    shown = (
        ("scores q · k / √d_k", scores),
        ("symmetric: we look at each other", symmetric),
        ("antisymmetric: I at you, not you at me", antisymmetric),
    )
    for number, (place_, (title, values)) in enumerate(zip(st.columns(3), shown, strict=True)):
        with place_:
            heat_map(
                HeatMap(
                    values.astype(np.float32), tokens, tokens, label=title, title=title,
                    caption=caption, limit=limit, row_ids=ids, column_ids=ids, height=330.0,
                ),
                key=HERE.key(f"part-{number}"),
            )  # fmt: skip
    cut = f" The first {count} of {len(trace.tokens)} tokens." if count < len(trace.tokens) else ""
    st.caption(
        "One colour scale for all three; left = middle + right. The scores hold the model's biases "
        f"too (and rotary positions, where it has them), M does not.{causal}{cut}"
    )

    return {
        "scores": lambda: matrix_table(scores, tokens, tokens),
        "antisymmetric": lambda: matrix_table(antisymmetric, tokens, tokens),
    }


VIEW: Final = View("metric", "A real head's M", (MODEL, TEXT, LAYER, HEAD), render)
