"""The figure of the attention page: all heads, the chosen ones, one cell worked out.

A fragment: a click in it reruns only what is drawn here.
"""

from dataclasses import dataclass

import streamlit as st

from app.components.head_grid import head_grid
from app.components.head_view import Display, HeadView, Selection, head_view, head_view_frame
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.components.worked_cell import worked_cell
from app.services import engine
from app.services.engine import TextTrace
from app.services.shown_maps import (
    ShownMaps,
    mean_name,
    shown_maps,
    valid_heads,
)
from app.ui import params as links
from app.ui import projector, run_number
from app.ui.downloads import download
from app.views.attention import exports, state
from app.views.attention.bertviz_panel import bertviz_panel
from app.views.attention.controls import display_popover
from app.views.attention.words import about_the_figure, hidden_note
from core.catalog import ModelCard
from core.errors import InputError
from core.trace import AttentionKind

KIND_TITLES = {
    AttentionKind.ENCODER: "encoder self-attention",
    AttentionKind.DECODER: "decoder self-attention",
    AttentionKind.CROSS: "cross-attention",
}


@run_number.fragment
def figure(traced: TextTrace, card: ModelCard) -> None:
    """Everything below the input."""
    kind = _kind(traced)
    heads = valid_heads(traced, kind, state.get(state.HEADS))
    overview = engine.overview(traced, kind)
    grid, view = st.columns([5, 9], gap="medium")
    with grid:
        heads = _choose_heads(traced, kind, heads)
    with view:
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            title = st.empty()
            several = len(heads) > 1
            st.toggle("Mean", key=state.key(state.MEAN), disabled=not several, help=MEAN_HELP)
            display_popover()
        shown = shown_maps(
            traced,
            kind,
            heads if state.get(state.MEAN) else heads[: state.MOST_OVERLAID],
            mean=state.get(state.MEAN),
            reduction=state.reduction(),
        )
        title.markdown(f"**{KIND_TITLES[kind].capitalize()}**, {_count(shown)}")
        largest = max(float(layer.max()) for layer in overview.maxima)
        drawn = _draw(shown, kind, card, largest)
        hidden_note(shown)
    _cell(traced, kind, shown, drawn.selection.front)
    about_the_figure(card, kind, traced)
    bertviz_panel(traced, kind, heads)
    _take_it_with_you(traced, kind, shown, drawn)


MEAN_HELP = (
    "Shift-click adds heads; a click on a layer's or head's label takes the whole row or column. "
    "Then see them overlaid, or their mean."
)


def _kind(traced: TextTrace) -> AttentionKind:
    """The kind of attention that is shown; asked for only where there are several."""
    kinds = traced.trace.kinds
    if state.get(state.KIND) not in kinds:
        state.put(state.KIND, kinds[0].value)
    if len(kinds) > 1:
        st.segmented_control(
            "Which attention",
            [kind.value for kind in kinds],
            format_func=lambda kind: KIND_TITLES[AttentionKind(kind)],
            key=state.key(state.KIND),
            required=True,
            label_visibility="collapsed",
        )
    return AttentionKind(state.get(state.KIND))


def _choose_heads(
    traced: TextTrace, kind: AttentionKind, heads: tuple[state.HeadId, ...]
) -> tuple[state.HeadId, ...]:
    chosen = head_grid(
        engine.overview(traced, kind),
        selected=heads,
        label=f"All heads: {KIND_TITLES[kind]}, layers by heads",
        key=f"{state.PAGE}.grid.{kind}",
        kind=kind,
        shared=state.get(state.SHARED),
    )
    heads = valid_heads(traced, kind, chosen)
    state.put(state.HEADS, heads)
    return heads


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the chosen heads' figure showed in this run."""

    view: HeadView
    display: Display
    selection: Selection


def _draw(shown: ShownMaps, kind: AttentionKind, card: ModelCard, largest: float) -> Drawn:
    """Draw the chosen maps, and remember what was selected, as tokens."""
    cell, pin = state.get(state.CELL), state.get(state.PIN)
    axis = shown.queries if state.get(state.DIRECTION) == "from" else shown.keys
    row = None if cell is None else shown.queries.find(cell[0])
    column = None if cell is None else shown.keys.find(cell[1])
    view = HeadView(
        kind=kind,
        names=shown.names,
        palette=tuple(range(len(shown.names))),
        maps=shown.maps,
        query_tokens=shown.queries.labels,
        key_tokens=shown.keys.labels,
        visible_keys=shown.visible_keys,
        removed=shown.removed,
        caption=exports.caption(card, kind, shown),
    )
    display = state.display(largest)
    wanted = Selection(
        cell=None if row is None or column is None else (row, column),
        pinned=None if pin < 0 else axis.find(pin),
        front=min(state.get(state.FRONT), len(shown.names) - 1),
    )
    selection = head_view(view, display=display, selected=wanted, key=f"{state.PAGE}.view.{kind}")
    chosen = selection.cell
    state.put(
        state.CELL,
        chosen and (shown.queries.tokens[chosen[0]][0], shown.keys.tokens[chosen[1]][0]),
    )
    state.put(state.PIN, -1 if selection.pinned is None else axis.tokens[selection.pinned][0])
    state.put(state.FRONT, selection.front)
    return Drawn(view, display, selection)


def _cell(traced: TextTrace, kind: AttentionKind, shown: ShownMaps, front: int) -> None:
    """The selected weight as arithmetic; of a mean, for its first head."""
    st.subheader("One cell, fully worked")
    place = state.get(state.CELL)
    if place is None:
        st.caption("Click a cell of the heatmap (or a line) to see how its weight comes about.")
        return
    is_mean = len(shown.names) < len(shown.heads)
    heads = list(shown.heads)
    layer, head = heads[0 if is_mean else front]
    notes = [f"Layer {layer} · head {head}, token by token."]
    if is_mean:
        notes.append(
            f"The figure above shows a mean of {len(shown.heads)} heads; this is its first."
        )
    if state.get(state.WORDS):
        notes.append("The figure above merges pieces to words; this is the words' first pieces.")
    if shown.removed is not None and state.get(state.RENORMALISE):
        notes.append("The figure above is renormalised; this is the model's own row, whole.")
    st.caption(" ".join(notes))
    try:
        worked = engine.cell(traced.trace, kind, layer=layer, place=(head, *place))
    except InputError as error:
        st.info(str(error))
        return
    worked_cell(
        worked,
        key=f"{state.PAGE}.cell",
        kind=kind,
        caption=f"{traced.trace.model_id}, layer {layer}, head {head}",
    )


def _count(shown: ShownMaps) -> str:
    if len(shown.names) > 1:
        return f"{len(shown.names)} heads overlaid"
    return "one head" if len(shown.heads) == 1 else mean_name(shown.heads)


def _take_it_with_you(
    traced: TextTrace, kind: AttentionKind, shown: ShownMaps, drawn: Drawn
) -> None:
    params = links.written(state.PAGE, state.PARAMS)
    if projector.is_on():
        params[projector.PARAM.name] = "1"
    short, too_long = links.shortened(params)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        permalink(short, too_long=too_long, key=f"{state.PAGE}.link")
        download(
            "HTML",
            lambda: standalone_page(
                f"Attention: {', '.join(shown.names[:3])}",
                "head_view",
                head_view_frame(drawn.view, drawn.display, selected=drawn.selection),
                drawn.view.caption,
            ),
            "attention.html",
            "text/html",
            help="This figure as one page that works offline.",
        )
        exports.downloads(traced, kind, shown, line=drawn.view.caption, params=params)
