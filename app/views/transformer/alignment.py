"""Cross-attention as an alignment: per head and averaged, and where it fails."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.head_view import Choice, Display, HeadView, head_view, head_view_frame
from app.components.heat_map import HeatMap, heat_map
from app.services import translator
from app.style.markdown_escape import plain, sentence
from app.style.number_format import three
from app.style.visible_space import visible
from app.style.worked import choices
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import choosing, inputs
from app.views.transformer.state import DECODED, HEAD, LAYER, NAMES, TEXT, asked
from core.catalog import ModelCard
from core.explain.attention.alignment import agreement, alignment
from core.outputs.decoding import Decoding
from core.trace import AttentionKind

HERE: Final = Scope("transformer", "alignment")
SPECIAL: Final = HERE.choice("special", ["shown", "hidden"])
CELL: Final = HERE.cell("cell")  # the row that says, the source token that is read
PIN: Final = HERE.whole("pin", -1, 511, -1)  # a row


def render() -> Figure | None:
    """The map, its measured flaws, and the check by erasure."""
    card = inputs.ask()
    if card is None:
        return None
    decoded = progress.outcome(translator.decode(asked()), card.id)
    return None if decoded is None else partial(_figure, decoded, card)


def _figure(decoded: Decoding, card: ModelCard) -> Export | None:
    trace = decoded.trace
    encoding = trace.encoding
    if encoding is None:
        return None
    left, right = st.columns([8, 4], gap="large")
    with left:
        with controls():
            layer, head = choosing.layer_and_head(trace, AttentionKind.CROSS)
        weights = translator.maps(trace, AttentionKind.CROSS, layer, head)
        said = answer()
        view = _view(decoded, weights, choosing.name_of(layer, head), card)
        display = Display(layout="both", threshold=0.05)
        _draw(view, display, _kept(decoded))
        said.markdown(_answered(decoded, weights, encoding.special))
        st.caption(
            f"German: {sentence(decoded.text or '∅')} A row is the position that says the token; "
            "it is fed the one before."
        )
    with right:
        _measured(decoded, weights, encoding.special)
        _all_heads(decoded, encoding.special)
    _check(decoded, weights, card)
    return Export(
        name="alignment",
        caption=view.caption,
        table=lambda: (
            ("position", "token", "source", "source_token", "weight"),
            (
                (i, said, j, read, repr(float(weights[i, j])))
                for i, said in enumerate(decoded.labels)
                for j, read in enumerate(trace.tokens)
            ),
        ),
        arrays=lambda: {
            "weights": weights,
            **{  # every head's own, whatever was fused: (head, query, key)
                f"heads_{index}": layer.weights
                for index, layer in enumerate(trace.layers[AttentionKind.CROSS])
            },
        },
        offline=("head_view", lambda: head_view_frame(view, display)),
    )


def _answered(decoded: Decoding, weights: np.ndarray, special: np.ndarray) -> str:
    """The chosen weight, or the largest on a word, in Markdown."""
    words = np.where(special, 0, weights)
    row, column = CELL.value or divmod(int(words.argmax()), weights.shape[1])
    return (
        f"Saying *{plain(decoded.labels[row])}*, it looks at "
        f"*{plain(decoded.trace.tokens[column])}* with **{three(float(weights[row, column]))}**; "
        f"**{alignment(weights, special).end_mass:.0%}** of all weight rests on the end token."
    )


def _draw(view: HeadView, display: Display, kept: np.ndarray) -> None:
    """The map; cell and pin are kept as rows and source tokens, whichever of these are shown."""
    columns, rows = np.flatnonzero(kept).tolist(), len(view.query_tokens)
    cell, pin = CELL.value, PIN.value
    if cell is not None and not (cell[0] < rows and cell[1] in columns):
        cell = None
    selection = head_view(
        view,
        display=display,
        selected=Choice(
            cell=cell and (cell[0], columns.index(cell[1])),
            pinned=pin if 0 <= pin < rows else None,
        ),
        key=HERE.key("map"),
    )
    chosen = selection.cell
    CELL.put(chosen and (chosen[0], columns[chosen[1]]))
    PIN.put(-1 if selection.pinned is None else selection.pinned)


def _kept(decoded: Decoding) -> np.ndarray:
    """Which source tokens the map shows."""
    encoding = decoded.trace.encoding
    if SPECIAL.value == "hidden" and encoding is not None and (~encoding.special).any():
        return ~encoding.special
    return np.ones(len(decoded.trace.tokens), dtype=bool)


def _view(decoded: Decoding, weights: np.ndarray, name: str, card: ModelCard) -> HeadView:
    tokens, kept = decoded.trace.tokens, _kept(decoded)
    encoding = decoded.trace.encoding
    keys = () if encoding is None else encoding.ids[kept].tolist()
    removed = None if kept.all() else weights[None][:, :, ~kept].sum(axis=2)
    return HeadView(
        kind=AttentionKind.CROSS,
        names=(name,),
        palette=(0,),
        maps=weights[None][:, :, kept],
        query_tokens=decoded.labels,
        key_tokens=tuple(token for token, keep in zip(tokens, kept, strict=True) if keep),
        query_ids=tuple((one,) for one in decoded.label_ids.tolist()),
        key_ids=tuple((one,) for one in keys),
        visible_keys=np.full(len(decoded.labels), int(kept.sum()), dtype=np.int64),
        uniform_keys=np.full(len(decoded.labels), len(tokens), dtype=np.int64),
        removed=removed,
        caption=f"{card.title}, cross-attention, {name} · “{TEXT.value}”",
    )


def _measured(decoded: Decoding, weights: np.ndarray, special: np.ndarray) -> None:
    found = alignment(weights, special)
    tokens, count = decoded.trace.tokens, len(decoded.labels)
    st.subheader("Where it fails, measured")
    bits, spread = choices(float(found.entropy))
    unread = ", ".join(f"“{visible(tokens[int(i)])}”" for i in found.unread[:8])
    st.markdown(
        f"- **{found.end_mass:.0%}** of all weight rests on the source's end token, where nothing "
        f"is to be read; {found.at_end} of {count} target tokens look there most.\n"
        f"- **{len(found.unread)}** source tokens are nobody's first choice"
        + (f": {plain(unread)}.\n" if unread else ".\n")
        + f"- A row spreads over {spread} tokens ({bits} of "
        f"{three(float(found.uniform_entropy))} bits)."
    )


def _all_heads(decoded: Decoding, special: np.ndarray) -> None:
    """How much of each head's weight lies on the end token."""
    layers = decoded.trace.layers[AttentionKind.CROSS]
    mass = np.stack([one.weights[:, :, special].sum(axis=2).mean(axis=1) for one in layers])
    layer, head = LAYER.value, HEAD.value
    heat_map(
        HeatMap(
            values=mass.astype(np.float32),
            rows=tuple(str(i) for i in range(len(layers))),
            columns=tuple(str(i) for i in range(mass.shape[1])),
            label="Weight on the end token, every head",
            caption="Mean weight on the source's end token",
            title="Weight on the end token, every head",
            row_title="layer",
            column_title="head",
            scale="sequential",
            hue="cross",
            limit=1.0,
            numbers=True,
            names=NAMES.names(decoded.trace.model_id, AttentionKind.CROSS),
            cell=(44, 34),
        ),
        key=HERE.key(f"end-mass.{layer}.{head}"),
        selected=(layer, head) if layer >= 0 and head >= 0 else None,
    )


def _check(decoded: Decoding, weights: np.ndarray, card: ModelCard) -> None:
    st.subheader("Is it true? Hide a source token and see")
    if not st.toggle("Hide every source token in turn", key=HERE.key("erase")):
        st.caption(
            "One forward pass for each source token, in which nobody may look at it: whose "
            "probability falls?"
        )
        return
    found = progress.outcome(translator.erasure(asked()), card.id)
    if found is None:
        return
    same = agreement(weights, found.drops)
    left, right = st.columns([8, 4], gap="large")
    with left:
        heat_map(
            HeatMap(
                values=found.drops,
                rows=decoded.labels,
                columns=decoded.trace.tokens,
                label="Fall of log P when a source token is hidden",
                caption=f"{card.title}: fall of log P, in nats, when a source token is hidden",
                title="Fall of log P in nats when the source token is hidden",
                row_title="says",
                column_title="hidden",
                height=420,
            ),
            key=HERE.key("erasure"),
        )
    with right:
        st.markdown(
            f"For **{len(same)} of {len(decoded.labels)}** target tokens the source token looked "
            "at most is also the one whose absence hurts most. Where the two differ, the drawn "
            "alignment is not what the word depends on."
        )
        differ = [i for i in range(len(decoded.labels)) if i not in same][:8]
        data_table(
            {
                "says": [visible(decoded.labels[i]) for i in differ],
                "looks at": [
                    visible(decoded.trace.tokens[int(weights[i].argmax())]) for i in differ
                ],
                "needs": [
                    visible(decoded.trace.tokens[int(found.drops[i].argmax())]) for i in differ
                ],
            },
        )
        st.caption(
            "Erasure: [Li et al. 2016](https://arxiv.org/abs/1612.08220). It sees one token at a "
            "time; words that stand in for each other hide their need."
        )


def _display() -> None:
    SPECIAL.segmented("Lines for special tokens")
    NAMES.control()


VIEW: Final = View(
    "alignment",
    "Alignment",
    (*DECODED, LAYER, HEAD, SPECIAL, CELL, PIN, *NAMES.params),
    render,
    _display,
)
