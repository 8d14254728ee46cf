"""BERT and GPT on the same sentence: both directions against one, on one colour scale."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame, selected_cell
from app.services import engine, models, text_maps
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import page_links, progress
from app.ui.answer import answer, model_name
from app.ui.chosen_words import InText, pair_in
from app.ui.controls import controls
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.head_names import named_head
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.ui.param_values import Cell
from app.ui.params import Param, Scope
from app.views.gpt.inputs import decoder_picker, decoder_title
from app.views.gpt.state import MODEL, NAMES
from core.catalog import Family, ModelCard
from core.explain.attention.head_means import mean_of_layers
from core.explain.embeddings.token_alignment import (
    SharedWords,
    WordMap,
    shared_words,
    word_map,
)
from core.trace import AttentionKind

KINDS = {Family.TEXT_ENCODER: AttentionKind.ENCODER, Family.TEXT_DECODER: AttentionKind.DECODER}
HERE: Final = Scope("gpt", "beside")
SENTENCE = "The animal didn't cross the street because it was too tired."
BERT: Final = HERE.text("bert", "bert-mini")
TEXT: Final = HERE.text("text", SENTENCE)
BERT_HEAD: Final = HERE.cell("bert_head")  # (layer, head); none: the mean of all
GPT_HEAD: Final = HERE.cell("head")
CELL: Final = HERE.cell("cell")
HEADS: Final = ("BERT’s head", "GPT’s head")
EXAMPLES = {
    "it → animal": SENTENCE,
    "the end decides": "The bank of the river was muddy.",
    "garden path": "The old man the boats.",
    "Paris": "Paris is the capital of France.",
}


def render() -> Figure | None:
    """A sentence, two models, two maps."""
    encoders = models.cards(Family.TEXT_ENCODER)
    with input_line(quoted(TEXT.value), model_title(BERT, encoders), decoder_title(MODEL)):
        TEXT.area("Sentence")
        take = _take_example
        example_chips(EXAMPLES, take, key=HERE.key("example"), text=TEXT, bring=take)
        bert = pick_model(BERT, encoders, problems=models.problems())
        gpt = decoder_picker(MODEL)
    if bert is None or gpt is None:
        return None
    text = TEXT.value
    found = [_traced(card, text) for card in (bert, gpt)]
    both = tuple(one for one in found if one is not None)
    if len(both) < 2:
        return None
    encodings = [text_maps.encodings(one.trace, one.trace.kinds[0])[0] for one in both]
    words_axis = shared_words(text, encodings)
    if words_axis is None:
        st.info(
            "The two tokenizers leave no common word axis here: one of them gives no places in "
            "the text, or drops a word. Choose another model or sentence."
        )
        return None
    with controls():
        for traced, param, label in zip(both, (BERT_HEAD, GPT_HEAD), HEADS, strict=True):
            _choose_head(traced, param, label)
    return partial(_figure, (bert, both[0]), (gpt, both[1]), words_axis)


def _traced(card: ModelCard, text: str) -> TextTrace | None:
    request, future = engine.request_trace(card.id, text)
    trace = progress.outcome(future, card.id)
    return None if trace is None else TextTrace(request, trace)


def _take_example(text: str) -> None:
    TEXT.put(text)
    CELL.reset()


def _figure(
    bert: tuple[ModelCard, TextTrace], gpt: tuple[ModelCard, TextTrace], axis: SharedWords
) -> Export:
    said = answer()
    columns = st.columns(2, gap="large")
    maps: list[WordMap] = []
    names: list[str] = []
    for (_, traced), param, of_words in zip(
        (bert, gpt), (BERT_HEAD, GPT_HEAD), axis.by_encoding, strict=True
    ):
        weights, name = _weights(traced, param.value)
        maps.append(word_map(weights, of_words, len(axis.labels)))
        names.append(name)
    # a causal map's first word has only itself to look at: its 1 would bleach all else
    causal = maps[1].weights[1:] if len(axis.labels) > 1 else maps[1].weights
    limit = max(float(maps[0].weights.max()), float(causal.max()))
    drawn: list[HeatMap] = []
    size = len(axis.labels)
    keys = tuple(HERE.key(f"beside.{index}") for index in range(2))
    cell = InText(CELL, pair_in(axis.labels, axis.labels), figures=keys)
    selected = cell.value
    for key in keys:  # whichever map was clicked, both show the cell
        selected = selected_cell(key, selected, (size, size))
    cell.put(selected)
    for index, (column, (card, traced)) in enumerate(zip(columns, (bert, gpt), strict=True)):
        figure = _map(card, traced, axis, maps[index], names[index], limit)
        drawn.append(figure)
        with column:
            heat_map(figure, key=keys[index], selected=selected)
            _say(traced, maps[index])
    said.markdown(_answered(axis, maps, (bert[0], gpt[0]), selected))
    if selected is None:
        st.caption("Click a cell: the same pair lights up in both maps.")
    text = TEXT.value
    with st.container(horizontal=True):
        for card in (bert[0], gpt[0]):
            page_links.link(
                "attention",
                f"Every head of {card.title} on this sentence",
                {"text": text, "model": card.id},
                icon=":material/visibility:",
            )
    caption = f"{bert[0].title} ({names[0]}) and {gpt[0].title} ({names[1]}) on “{text[:200]}”"
    return Export(
        name="bert-and-gpt",
        caption=caption,
        table=lambda: _table(axis, maps),
        arrays=lambda: {
            "bert": maps[0].weights,
            "gpt": maps[1].weights,
            "words": np.array(axis.labels),
        },
        offline=("heat_map", lambda: heat_map_frame(drawn[0])),
    )


def _choose_head(traced: TextTrace, param: Param[Cell | None], label: str) -> None:
    trace, kind = traced.trace, traced.trace.kinds[0]
    layers = range(trace.n_layers())
    heads = [(layer, head) for layer in layers for head in range(trace.n_heads(kind, layer))]
    names = NAMES.names(trace.model_id, kind)
    if param.value not in heads:
        param.put(None)
    one_of(
        param,
        st.selectbox,
        label,
        heads,
        lambda head: f"layer {head[0]} · {named_head(names, *head)}",
        placeholder="mean of all heads",
    )


def _weights(traced: TextTrace, chosen: tuple[int, int] | None) -> tuple[np.ndarray, str]:
    """A head's token map, or the mean of all heads of all layers, and its name."""
    kind = traced.trace.kinds[0]
    if chosen is not None:
        layer, head = chosen
        return text_maps.weights(traced, kind, layer)[head], f"layer {layer} · head {head}"
    layers = range(traced.trace.n_layers())
    maps = (text_maps.weights(traced, kind, layer) for layer in layers)
    return mean_of_layers(maps), "mean of all heads"


def _map(
    card: ModelCard,
    traced: TextTrace,
    axis: SharedWords,
    found: WordMap,
    name: str,
    limit: float,
) -> HeatMap:
    kind = traced.trace.kinds[0]
    causal = kind == AttentionKind.DECODER
    size = len(axis.labels)
    return HeatMap(
        values=found.weights,
        rows=axis.labels,
        columns=axis.labels,
        label=f"{card.title}, {name}: words by words",
        caption=f"{card.title}, {name}, “{TEXT.value[:200]}”",
        title=f"{card.title}: {'causal' if causal else 'bidirectional'}",
        row_title="looks",
        column_title="is looked at",
        scale="sequential",
        hue=kind.value,
        limit=limit,
        hidden=np.triu(np.ones((size, size), dtype=bool), 1) if causal else None,
        cell=(44, 32),
    )


def _later(found: WordMap) -> float:
    """The mean share of a row that goes to words to the right."""
    return float(np.triu(found.weights, 1).sum(axis=1).mean()) if len(found.weights) > 1 else 0.0


def _say(traced: TextTrace, found: WordMap) -> None:
    special = float(found.special_mass.mean())
    parts = [f"On words to the right: **{three(_later(found))}** of a row on average."]
    if traced.trace.kinds[0] == AttentionKind.DECODER:
        parts.append(
            "The mask leaves exactly 0 there. The first word can look only at itself: 1, above "
            "the colour scale."
        )
    if special:
        parts.append(f"On special tokens, not drawn: {three(special)}.")
    st.markdown(" ".join(parts))


def _answered(
    axis: SharedWords,
    maps: list[WordMap],
    cards: tuple[ModelCard, ModelCard],
    cell: tuple[int, int] | None,
) -> str:
    """The chosen pair in both maps, else what each gives to words to the right, in Markdown."""
    if cell is None:
        each = ", ".join(
            f"{plain(model_name(card))} **{three(_later(one))}**"
            for card, one in zip(cards, maps, strict=True)
        )
        return f"Of a word’s attention, words to its right get on average: {each}."
    row, column = cell
    values = [float(one.weights[row, column]) for one in maps]
    return (
        f"**{plain(axis.labels[row])} → {plain(axis.labels[column])}**: "
        + " · ".join(
            f"{plain(card.title)} {three(value)}" for card, value in zip(cards, values, strict=True)
        )
        + (" · for GPT this word has not been said yet" if column > row else "")
    )


def _table(axis: SharedWords, maps: list[WordMap]) -> Table:
    header = ["query", "query_word", "key", "key_word", "bert", "gpt"]
    size = len(axis.labels)
    rows = [
        (q, axis.labels[q], k, axis.labels[k], *(repr(float(one.weights[q, k])) for one in maps))
        for q in range(size)
        for k in range(size)
    ]
    return header, rows


VIEW: Final = View(
    "beside",
    "Beside BERT",
    (MODEL, BERT, TEXT, BERT_HEAD, GPT_HEAD, CELL, *NAMES.params),
    render,
    NAMES.control,
)
