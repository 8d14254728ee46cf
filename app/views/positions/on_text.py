"""A real head under positions that its model was not trained with: a labelled counterfactual."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.services import positions as positioning
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui import charts, progress
from app.ui.charts import Curve
from app.ui.chosen_words import InText, pair_in
from app.ui.controls import controls
from app.ui.export_bar import Export, offline_map
from app.ui.params import Scope
from app.views.positions import reading, state
from core import positions
from core.catalog import Family, ModelCard
from core.errors import InputError
from core.explain.attention.map_overlap import moved_attention
from core.interventions import DropPositions
from core.positions import Counterfactual
from core.trace import AttentionKind, Encoding, Trace

FAMILIES = (Family.TEXT_ENCODER, Family.TEXT_DECODER)
SCHEMES = {"rotary": "Rotary", "alibi": "ALiBi", "t5": "T5 buckets"}
FARTHEST = 60  # positions between query and key in the curve by distance

HERE: Final = Scope("positions", "relative")
SCHEME: Final = HERE.choice("scheme", SCHEMES)
OPEN: Final = HERE.flag("both_sides")
STRENGTH: Final = HERE.real("t5_step", 0.0, 2.0, 0.25)
BARE: Final = HERE.flag("bare")
PAIR: Final = HERE.cell("cell")
PARAMS: Final = (*state.READING, SCHEME, OPEN, STRENGTH, BARE, PAIR)


def render(card: ModelCard) -> Export | None:
    """Head and scheme; the map before, what the scores get, the map after."""
    st.subheader("On your own text: what if this head had been given …")
    change = DropPositions() if BARE.value else None
    _, future = positioning.trace(card.id, state.TEXT.value, change)
    trace = progress.outcome(future, card.id)
    if trace is None:
        return None
    kind = trace.kinds[0]
    with controls():
        left, middle, right = st.columns([5, 4, 4], gap="medium", vertical_alignment="bottom")
        with left:
            layer, head = reading.choose_head(trace, kind)
        with middle:
            scheme = SCHEME.segmented("Positions")
        with right:
            BARE.toggle(
                "Without the model's own positions",
                help="Otherwise they are still in its queries and keys, and the new ones come on "
                "top.",
            )
            _settings(scheme, kind)
    try:
        found = _found(trace, kind, (layer, head))
    except InputError as error:
        st.info(plain(str(error)))
        return None
    encoding = trace.query_encoding(kind)
    if encoding is None:
        raise ValueError("a text's trace has an encoding")
    source = _source(card, layer, head)
    maps = _maps(found, encoding, source)
    _pair(trace, kind, (layer, head), found, encoding)
    return Export(
        "counterfactual-positions",
        source,
        lambda: (
            ("query", "query_token", "key", "key_token", "weight", "added", "changed"),
            _rows(found, encoding),
        ),
        lambda: {"weights": found.weights, "added": found.added, "changed": found.changed},
        offline=offline_map(maps),
    )


def _settings(scheme: str, kind: AttentionKind) -> None:
    if scheme == "alibi" and kind == AttentionKind.ENCODER:
        OPEN.toggle(
            "Both sides: −m |i − j|",
            help="ALiBi is causal. On an encoder the future is masked, too, unless both sides are "
            "open, which the paper does not do.",
        )
    if scheme == "t5":
        STRENGTH.slider(
            "Bias: −s × (bucket within its side), s",
            step=0.05,
            help="T5 learns a number a bucket. These are stated, not learned.",
        )


def _found(trace: Trace, kind: AttentionKind, place: tuple[int, int]) -> Counterfactual:
    layer, head = place
    attention = trace.attention(layer, kind=kind)
    queries, _ = positions.queries_and_keys(attention, head)
    n = len(queries)
    scheme = SCHEME.value
    if scheme == "rotary":
        return positions.rotated(attention, head)
    if scheme == "alibi":
        causal = kind == AttentionKind.DECODER or not OPEN.value
        return positions.biased(
            attention, head, positions.alibi(n, attention.n_heads, causal=causal)[head]
        )
    bias = positions.t5_bias(positions.t5_buckets(n, n), positions.falling(STRENGTH.value))
    return positions.biased(attention, head, bias)


def _source(card: ModelCard, layer: int, head: int) -> str:
    own = "without its own positions" if BARE.value else "its own positions kept"
    return (
        f"Counterfactual: {card.title}, layer {layer} · head {head}, {own}, with "
        f"{SCHEMES[SCHEME.value]} · “{state.TEXT.value}”"
    )


def _maps(found: Counterfactual, encoding: Encoding, source: str) -> HeatMap:
    masked = ~np.isfinite(found.added)
    finite = np.where(masked, 0, found.added).astype(np.float32)
    top = float(max(found.weights.max(), found.changed.max()))
    tokens, ids = encoding.tokens, tuple(encoding.ids.tolist())
    own = "without its positions" if BARE.value else "as it is"
    shown = (
        ("before", found.weights, f"The head {own}", "sequential", None),
        ("added", finite, "What its scores get", "diverging", masked),
        ("after", found.changed, "What if (counterfactual)", "sequential", masked),
    )
    drawn: list[HeatMap] = []
    keys = tuple(HERE.key(name) for name, *_ in shown)
    pair = InText(PAIR, pair_in(tokens, tokens), figures=keys)
    cell = pair.value
    for key in keys:  # whichever map was clicked, all three show the pair
        cell = selected_cell(key, cell, (len(tokens), len(tokens)))
    pair.put(cell)
    for column, (name, values, title, scale, hidden) in zip(
        st.columns(3, gap="medium"), shown, strict=True
    ):
        figure = HeatMap(
            values=values,
            rows=tokens,
            columns=tokens,
            label=f"{title}: queries by keys",
            caption=source,
            title=title,
            row_title="query",
            column_title="key",
            row_ids=ids,
            column_ids=ids,
            scale="sequential" if scale == "sequential" else "diverging",
            limit=top if scale == "sequential" else None,
            hidden=hidden if hidden is not None and hidden.any() else None,
            height=360,
        )
        with column:
            heat_map(figure, key=HERE.key(name), selected=cell)
        drawn.append(figure)
    moved = moved_attention(found.weights, found.changed)
    st.caption(
        "**Counterfactual:** this model was never trained with these positions. On average "
        f"{three(100 * moved)} % of a query's attention goes elsewhere than before."
    )
    return drawn[2]


def _pair(
    trace: Trace,
    kind: AttentionKind,
    place: tuple[int, int],
    found: Counterfactual,
    encoding: Encoding,
) -> None:
    """One query and one key: their weights, and under rotation their product by distance."""
    cell = PAIR.value
    if cell is None:
        strongest = int(np.argmax(found.weights))
        cell = divmod(strongest, found.weights.shape[1])
    query, key = cell
    names = (
        f"{plain(visible(encoding.tokens[query]))} (position {query})",
        (f"{plain(visible(encoding.tokens[key]))} (position {key})"),
    )
    st.markdown(
        f"**{names[0]} → {names[1]}**: weight {three(float(found.weights[cell]))}, then "
        f"{three(float(found.changed[cell]))}; its score got {_signed(found.added[cell])}. "
        "Click another cell for another pair."
    )
    if SCHEME.value != "rotary":
        return
    attention = trace.attention(place[0], kind=kind)
    queries, keys = positions.queries_and_keys(attention, place[1])
    offsets = np.arange(-FARTHEST, FARTHEST + 1)
    products = positions.products_by_offset(queries[query], keys[key], offsets) * attention.scale
    ones = positions.decay_bound(offsets, queries.shape[1])
    bound = ones * float(np.abs(products).max() / ones.max())
    chart = charts.chart(
        [
            Curve("q · k × scale of this pair", offsets.astype(float), products, markers=False),
            Curve(
                "the paper's bound, for comparison scaled to its top",
                offsets.astype(float),
                bound,
                markers=False,
                dashed=True,
            ),
        ],
        x_title="i − j: how far the key stands before the query",
        y_title="score",
        height=300,
    )
    charts.mark_x(chart, float(query - key), "here")
    charts.show(chart, key=HERE.key("by-distance"), name="rotary-product-by-distance")


def _signed(value: float) -> str:
    return "−∞" if not np.isfinite(value) else ("+" if value > 0 else "") + three(float(value))


def _rows(found: Counterfactual, encoding: Encoding) -> Iterator[tuple[object, ...]]:
    tokens = encoding.tokens
    for query in range(len(tokens)):
        for key in range(len(tokens)):
            numbers = (array[query, key] for array in (found.weights, found.added, found.changed))
            weight, added, changed = (repr(float(value)) for value in numbers)
            yield query, tokens[query], key, tokens[key], weight, added, changed
