"""The figure of the attention page: all heads, the chosen ones, one cell worked out.

A click in it reruns only what is drawn here.
"""

from dataclasses import dataclass

import streamlit as st

from app.components.head_grid import head_grid, selected_heads
from app.components.head_view import Choice, Display, HeadView, head_view, head_view_frame
from app.components.selection import Seed
from app.components.worked_cell import worked_cell
from app.services import text_maps
from app.services.engine import TextTrace
from app.services.shown_maps import (
    HeadId,
    ShownMaps,
    every_head,
    mean_name,
    shown_maps,
    valid_heads,
)
from app.style.markdown_escape import plain
from app.ui import head_names
from app.ui.answer import answer
from app.ui.chosen_words import InText, pair_in, token_in
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.silence import with_effect
from app.views.attention import exports, state
from app.views.attention.asking import asks
from app.views.attention.bertviz_panel import bertviz_panel
from app.views.attention.kind import pick_kind
from app.views.attention.silencing import silence
from app.views.attention.words import answered, facts, hidden_note, sink_note
from core.catalog import ModelCard
from core.data.known_roles import Layers
from core.errors import InputError
from core.trace import AttentionKind


def figure(traced: TextTrace, card: ModelCard) -> Export | None:
    """Everything below the input."""
    kind = pick_kind(traced.trace.kinds)
    heads = valid_heads(traced, kind, state.HEADS.among(every_head(traced, kind)))
    overview = text_maps.overview(traced, kind)
    said = answer()
    each = tuple(len(maxima) for maxima in overview.maxima)
    heads = selected_heads(_grid(kind), heads, each)
    state.HEADS.put(heads)
    if asks(traced, card, kind, heads[-1], _looking()):
        return None
    grid, view = st.columns([5, 9], gap="medium")
    with grid:
        with controls():
            state.NAMES.control()
        named = state.NAMES.layers(traced.trace.model_id, kind)
        heads = _choose_heads(traced, kind, heads, named)
        if named is not None:
            head_names.caption(named, state.NAMES.over(traced.trace.model_id))
    with view:
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            title = st.empty()
            if pair := _is_pair(traced, kind):
                state.BETWEEN.segmented("Which sentence looks at which", quiet=True)
            else:
                state.BETWEEN.reset()
            several = len(heads) > 1
            state.MEAN.toggle("Mean", disabled=not several, help=MEAN_HELP)
        shown = shown_maps(
            traced,
            kind,
            heads if state.MEAN.value else heads[: state.MOST_OVERLAID],
            mean=state.MEAN.value,
            reduction=state.reduction(pair=pair),
        )
        title.markdown(f"**{state.KIND_TITLES[kind].capitalize()}**, {_count(shown)}")
        largest = max(float(layer.max()) for layer in overview.maxima)
        drawn = _draw(traced, shown, kind, card, largest)
        said.markdown(answered(shown, drawn.selection))
        hidden_note(shown)
        sink_note(traced, kind)
    silenced = silence(traced, card, kind)
    if silenced is not None and silenced.said:
        said.markdown(f"{answered(shown, drawn.selection)} {silenced.said}")
    _cell(traced, kind, shown, drawn.selection.front)
    bertviz_panel(traced, kind, heads)
    told = facts(card, kind, traced)
    export = exports.export(traced, kind, shown, drawn.view, drawn.frame, told, named)
    return with_effect(export, silenced)


MEAN_HELP = (
    "Ctrl-click, ⌘-click or Shift-click adds heads; a click on a layer's or head's label takes the "
    "whole row or column. Then see them overlaid, or their mean."
)


def _looking() -> int | None:
    """The query that is pinned, or of the chosen cell."""
    if state.DIRECTION.value == "from" and state.PIN.value >= 0:
        return state.PIN.value
    return None if state.CELL.value is None else state.CELL.value[0]


def _grid(kind: AttentionKind) -> str:
    return state.HERE.key(f"grid.{kind}")


def _choose_heads(
    traced: TextTrace, kind: AttentionKind, heads: tuple[HeadId, ...], named: Layers | None
) -> tuple[HeadId, ...]:
    over = state.NAMES.over(traced.trace.model_id)
    chosen = head_grid(
        text_maps.overview(traced, kind),
        selected=heads,
        label=f"All heads: {state.KIND_TITLES[kind]}, layers by heads",
        key=_grid(kind),
        kind=kind,
        shared=state.SHARED.value,
        names=None if named is None else head_names.names(named, over),
    )
    heads = valid_heads(traced, kind, chosen)
    state.HEADS.put(heads)
    return heads


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the chosen heads' figure showed in this run."""

    view: HeadView
    display: Display
    selection: Choice

    def frame(self) -> bytes:
        """For the offline page."""
        return head_view_frame(self.view, self.display, seed=Seed(self.selection))


def _draw(
    traced: TextTrace, shown: ShownMaps, kind: AttentionKind, card: ModelCard, largest: float
) -> Drawn:
    """Draw the chosen maps, and remember what was selected, as tokens."""
    key = state.HERE.key(f"view.{kind}")
    queries = text_maps.encodings(traced.trace, kind)[0].tokens
    keys = text_maps.columns(traced.trace, kind).tokens
    outward = state.DIRECTION.value == "from"
    axis = shown.queries if outward else shown.keys
    in_text = InText(state.CELL, pair_in(queries, keys), figures=(key,))
    pinned = InText(state.PIN, token_in(queries if outward else keys), figures=(key,))
    cell, pin = in_text.value, pinned.value
    row = None if cell is None else shown.queries.find(cell[0])
    column = None if cell is None else shown.keys.find(cell[1])
    view = HeadView(
        kind=kind,
        names=shown.names,
        palette=tuple(range(len(shown.names))),
        maps=shown.maps,
        query_tokens=shown.queries.labels,
        key_tokens=shown.keys.labels,
        query_ids=shown.queries.ids,
        key_ids=shown.keys.ids,
        visible_keys=shown.visible_keys,
        uniform_keys=shown.uniform_keys,
        removed=shown.removed,
        caption=exports.caption(card, kind, shown),
    )
    display = state.display(largest)
    wanted = Choice(
        cell=None if row is None or column is None else (row, column),
        pinned=None if pin < 0 else axis.find(pin),
        front=min(state.FRONT.value, len(shown.names) - 1),
    )
    selection = head_view(view, display=display, selected=wanted, key=key)
    chosen = selection.cell
    in_text.put(chosen and (shown.queries.tokens[chosen[0]][0], shown.keys.tokens[chosen[1]][0]))
    pinned.put(-1 if selection.pinned is None else axis.tokens[selection.pinned][0])
    state.FRONT.put(selection.front)
    return Drawn(view, display, selection)


def _cell(traced: TextTrace, kind: AttentionKind, shown: ShownMaps, front: int) -> None:
    """The selected weight as arithmetic; of a mean, for its first head."""
    st.subheader("One cell, fully worked")
    place = state.CELL.value
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
    if state.WORDS.value:
        notes.append("The figure above merges pieces to words; this is the words' first pieces.")
    if shown.removed is not None and state.RENORMALISE.value:
        notes.append("The figure above is renormalised; this is the model's own row, whole.")
    st.caption(" ".join(notes))
    work_out(traced, kind, (layer, head), place, key=state.HERE.key("worked"))


def work_out(
    traced: TextTrace, kind: AttentionKind, at: HeadId, cell: tuple[int, int], *, key: str
) -> None:
    """A head's weight of a query and a key, as arithmetic."""
    layer, head = at
    try:
        worked = text_maps.cell(traced.trace, kind, layer=layer, place=(head, *cell))
    except InputError as error:
        st.info(plain(str(error)))
        return
    worked_cell(
        worked,
        key=key,
        kind=kind,
        caption=f"{traced.trace.model_id}, layer {layer}, head {head}",
    )


def _is_pair(traced: TextTrace, kind: AttentionKind) -> bool:
    """Whether rows and columns are two sentences, A and B."""
    queries, keys = text_maps.encodings(traced.trace, kind)
    return bool(queries.segments.any() and keys.segments.any())


def _count(shown: ShownMaps) -> str:
    if len(shown.names) > 1:
        return f"{len(shown.names)} heads overlaid"
    return "one head" if len(shown.heads) == 1 else mean_name(shown.heads)
