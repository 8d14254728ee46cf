"""Which heads find what came after this token last time? A repeated random sequence tells."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid.names import HeadNames
from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.services import decoder, text_maps
from app.services.decoder import HeadId, Ids
from app.services.engine import TextTrace
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.param_values import every_cell
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, model_input
from app.views.gpt.state import MODEL, NAMES
from core.explain.attention.induction_heads import repeated_sequence
from core.outputs.decoder import TokenInventory
from core.trace import AttentionKind

HERE: Final = Scope("gpt", "induction")
LENGTH: Final = HERE.whole("length", 2, 100, 25)
COPIES: Final = HERE.whole("copies", 2, 4, 2)
SEED: Final = HERE.whole("seed", 0, 999, 0)  # of the random tokens
SCORE: Final = HERE.choice(
    "score", {"induction": "induction: the token after", "previous": "previous token"}
)
HEAD: Final = HERE.cell("head")  # (layer, head); none: the strongest
SILENCED: Final = HERE.whole("silenced", 0, 20, 0)  # strongest heads that are silenced
CLEAR = 0.4  # from this score on a head is called an induction head here


def render() -> Figure | None:
    """The sequence, the scores of every head, the loss with and without the best of them."""
    opened = model_input()
    if opened is None:
        return None
    inventory = progress.outcome(decoder.inventory(opened.card.id), opened.card.id)
    if inventory is None:
        return None
    _controls()
    return partial(_figure, opened, inventory)


def _controls() -> None:
    with controls():
        boxes = st.columns([2, 2, 2, 5], vertical_alignment="bottom")
        with boxes[0]:
            LENGTH.number_input("Random tokens", step=1)
        with boxes[1]:
            COPIES.number_input("Copies", step=1)
        with boxes[2]:
            SEED.number_input("Seed", step=1)
        with boxes[3]:
            SCORE.segmented("Score", wrap=True)


def _figure(opened: Opened, inventory: TokenInventory) -> Export | None:
    ids, start = _sequence(opened, inventory)
    if not ids:
        return None
    request, future = decoder.trace_ids(opened.card.id, ids)
    trace = progress.outcome(future, opened.card.id)
    if trace is None:
        return None
    traced = TextTrace(request, trace)
    length = LENGTH.value
    scores = {
        name: decoder.induction_scores(
            traced, length=length, start=start, previous=name == "previous"
        )
        for name in ("induction", "previous")
    }
    shown = scores[SCORE.value]
    ranked = _ranked(scores["induction"])
    caption = f"{opened.card.title}: {length} random tokens × {COPIES.value}"
    names = NAMES.names(opened.card.id, AttentionKind.DECODER)
    scores_map = _scores_map(shown, caption, names)
    bits = _means(decoder.bits_of(traced), length, start)
    answer(_answered(scores["induction"], ranked, bits))
    left, right = st.columns([6, 7], gap="large")
    with left:
        head = _choose_head(scores_map, shown)
    with right:
        _loss(opened, traced, ids, start, ranked)
    _head_map(traced, head, scores, caption)
    return Export(
        facts=opened.facts,
        name="induction",
        caption=caption,
        table=lambda: _table(scores),
        arrays=lambda: {**scores, "bits": decoder.bits_of(traced), "ids": np.array(ids)},
        offline=("heat_map", lambda: heat_map_frame(scores_map)),
    )


def _sequence(opened: Opened, inventory: TokenInventory) -> tuple[Ids, int]:
    """The repeated ids after a start token; no ids after a message."""
    length, copies = LENGTH.value, COPIES.value
    start = () if inventory.start is None else (inventory.start,)
    total = len(start) + length * copies
    if total > inventory.limit:
        most = (inventory.limit - len(start)) // copies
        st.info(
            f"{length} tokens × {copies} copies make {total}; {opened.card.title} reads up to "
            f"{inventory.limit}. Take up to {most} random tokens."
        )
        return (), 0
    pool = decoder.random_words(inventory, opened.vocabulary)
    if length > len(pool):
        st.info(f"This tokenizer has {len(pool)} different tokens to draw from. Take fewer.")
        return (), 0
    drawn = repeated_sequence(pool, length=length, copies=copies, seed=SEED.value)
    return (*start, *drawn), len(start)


def _ranked(scores: np.ndarray) -> list[HeadId]:
    """Every head, the strongest first."""
    order = np.argsort(-scores, axis=None, kind="stable")
    return [(int(index // scores.shape[1]), int(index % scores.shape[1])) for index in order]


def _scores_map(shown: np.ndarray, caption: str, names: HeadNames | None) -> HeatMap:
    layers, heads = shown.shape
    return HeatMap(
        values=shown,
        rows=tuple(map(str, range(layers))),
        columns=tuple(map(str, range(heads))),
        label=f"{SCORE.value} score of every head, layers by heads",
        caption=caption,
        row_title="layer",
        column_title="head",
        scale="sequential",
        hue="decoder",
        limit=1.0,
        numbers=True,
        names=names,
        cell=(58, 40),
    )


def _choose_head(figure: HeatMap, shown: np.ndarray) -> HeadId:
    layers, heads = shown.shape
    best = _ranked(shown)[0]
    wanted: HeadId = HEAD.among(every_cell([heads] * layers)) or best
    chosen = heat_map(figure, key=HERE.key("induction"), selected=wanted)
    if chosen is not None and chosen != wanted:
        HEAD.put(chosen)
    return chosen or wanted


def _answered(scores: np.ndarray, ranked: list[HeadId], bits: tuple[float, float]) -> str:
    """How many heads copy, which one does so most, and what it is worth, in Markdown."""
    clear = int((scores >= CLEAR).sum())
    (layer, head), (first, later) = ranked[0], map(three, bits)
    count = f"**{clear}** head{'s' * (clear != 1)} with a score of {CLEAR:g} or more"
    return (
        f"{count}; the strongest is layer {layer}, head {head} with "
        f"**{three(float(scores[layer, head]))}**. A token costs **{first}** bits in the first "
        f"copy, **{later}** in later ones."
    )


def _loss(opened: Opened, traced: TextTrace, ids: Ids, start: int, ranked: list[HeadId]) -> None:
    """Bits by position, whole and with the strongest heads silenced."""
    count = SILENCED.slider(
        "Silence the strongest induction heads", 0, min(20, len(ranked)), step=1
    )
    places = np.arange(1, len(ids), dtype=np.float64)
    curves = [
        charts.Curve("the model", places, decoder.bits_of(traced), markers=False, hue="decoder")
    ]
    silenced = None
    if count:
        request, future = decoder.trace_ids(opened.card.id, ids, ranked[:count])
        cut = progress.outcome(future, opened.card.id)
        if cut is not None:
            silenced = decoder.bits_of(TextTrace(request, cut))
            name = f"{count} head{'s' * (count > 1)} silenced"
            curves.append(
                charts.Curve(name, places, silenced, markers=False, dashed=True, hue="positive")
            )
    chart = charts.chart(curves, x_title="position", y_title="surprise, bits", height=300)
    length = LENGTH.value
    for copy in range(1, COPIES.value):
        charts.mark_x(chart, start + copy * length, f"copy {copy + 1}")
    charts.show(chart, key=HERE.key("bits"), name="induction")
    first, later = _means(decoder.bits_of(traced), length, start)
    line = f"First copy: **{three(first)} bits** a token; later copies: **{three(later)}**."
    if silenced is not None:
        line += (
            f" With {count} silenced: later copies **{three(_means(silenced, length, start)[1])}**."
        )
    st.markdown(line)


def _means(bits: np.ndarray, length: int, start: int) -> tuple[float, float]:
    """Of the first copy, and of the later ones from their second token on.

    A copy's first token can't be known from what came before it; bits[i] is of token i + 1.
    """
    border = start + length
    places = np.arange(1, len(bits) + 1)
    later = bits[(places > border) & ((places - start) % length != 0)]
    return float(bits[places < border].mean()), float(later.mean())


def _head_map(traced: TextTrace, head: HeadId, scores: dict[str, np.ndarray], caption: str) -> None:
    """The chosen head's map: an induction head draws a stripe one copy back."""
    layer, index = head
    tokens, encoding = traced.trace.tokens, traced.trace.encoding
    ids = () if encoding is None else tuple(encoding.ids.tolist())
    weights = text_maps.weights(traced, AttentionKind.DECODER, layer)[index]
    st.subheader(f"Layer {layer} · head {index}")
    st.caption(
        f"Induction score {three(float(scores['induction'][head]))}, previous-token score "
        f"{three(float(scores['previous'][head]))}. An induction head draws a stripe one copy back "
        "and one to the right: rows look at what came after themselves."
    )
    heat_map(
        HeatMap(
            values=np.ascontiguousarray(weights),
            rows=tokens,
            columns=tokens,
            label=f"Attention of layer {layer}, head {index} on the repeated sequence",
            caption=f"{caption} · layer {layer}, head {index}",
            row_title="query",
            column_title="key",
            row_ids=ids,
            column_ids=ids,
            scale="sequential",
            hue="decoder",
            hidden=~traced.trace.attention(layer).allowed(),
            cell=(16, 16),
            height=620,
        ),
        key=HERE.key("stripe"),
    )


def _table(scores: dict[str, np.ndarray]) -> Table:
    header = ["layer", "head", "induction", "previous_token"]
    layers, heads = scores["induction"].shape
    rows = [
        (
            layer,
            head,
            *(repr(float(scores[name][layer, head])) for name in ("induction", "previous")),
        )
        for layer in range(layers)
        for head in range(heads)
    ]
    return header, rows


VIEW: Final = View(
    "induction",
    "Induction",
    (MODEL, LENGTH, COPIES, SEED, SCORE, HEAD, SILENCED, *NAMES.params),
    render,
    NAMES.control,
)
