"""Contextual embeddings: one word in several sentences, layer by layer."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.services import encoder, engine
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.logit_lens import layer_name, layer_number
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.views.bert import inputs, state
from app.views.bert.contexts import Contexts, contexts_of, parting
from app.views.bert.word_examples import EXAMPLES, WordExample, senses_of
from core.catalog import ModelCard
from core.explain.embeddings.contextual_vectors import project


def render() -> Figure | None:
    """Ask for a word and sentences; compare its vectors."""
    count = len([line for line in state.SENTENCES.value.splitlines() if line.strip()])
    in_sentences = f"in {count} sentence{'s' * (count != 1)}"
    with input_line(quoted(state.WORD.value), in_sentences, inputs.encoder_title()):
        word = state.WORD.line("Word", max_chars=40)
        given = state.SENTENCES.area("Sentences, one a line", height=140, lines=True)
        card = inputs.encoder_picker()
        example_chips(EXAMPLES, _take_example, key=state.HERE.key("word-example"))
    if card is None:
        return None
    sentences = tuple(line.strip() for line in given.splitlines() if line.strip())
    if not word.strip():
        st.info("Which word? Write it beside the sentences.")
        return None
    if len(sentences) > state.MOST_SENTENCES:
        st.warning(
            f"{len(sentences)} sentences are more than the {state.MOST_SENTENCES} that are "
            f"compared; the first {state.MOST_SENTENCES} are shown.",
            icon=":material/info:",
        )
    return partial(figure, inputs.loaded(card), word.strip(), sentences[: state.MOST_SENTENCES])


def figure(card: ModelCard, word: str, sentences: tuple[str, ...]) -> Export | None:
    """Everything below the input."""
    asked = [encoder.edited_trace(Given(card.id, sentence)) for sentence in sentences]
    traces: list[TextTrace] = []
    for request, future in asked:
        trace = progress.outcome(future, card.id)
        if trace is None:
            return None
        traces.append(TextTrace(request, trace))
    found = engine.derived(
        ("contexts", word, *(one.request for one in traces)),
        lambda: contexts_of(word, sentences, traces),
    )
    if found is None:
        st.info(
            f"Fewer than two sentences have “{plain(word)}” as a whole word. Write it into at "
            "least two, in the same form."
        )
        return None
    if found.missing:
        st.caption(
            f"Without “{plain(word)}” and left out: "
            + " · ".join(plain(sentence) for sentence in found.missing)
        )
    layer = _layer(found)
    said = answer()
    left, right = st.columns([6, 5], gap="large")
    with left:
        pair, similarity = _similarity(found, layer, word, card)
    said.markdown(_answered(found, layer, pair, senses_of(word, found.sentences)))
    with right:
        _plane(found, layer)
    _by_layer(found, layer, pair)
    _strips(found, pair, word, card)
    return Export(
        name="words-in-context",
        caption=f"{card.title} · “{word}”, {layer_name(layer)}",
        table=lambda: _table(found),
        arrays=lambda: {"vectors": found.vectors, "cosines": found.cosines},
        offline=("heat_map", lambda: heat_map_frame(similarity)),
        facts={"model": f"Model: {plain(card.title)}, d = {card.d_model}."},
    )


def _layer(found: Contexts) -> int:
    state.LAYER.kept_below(found.last_layer + 1)
    with controls():
        return one_of(
            state.LAYER,
            st.select_slider,
            "Layer",
            range(found.last_layer + 1),
            layer_number,
            numbers=lambda layer: layer - 1,
            width=300,
        )


def _said(layer: int) -> str:
    """Within a sentence."""
    return "the input" if layer == 0 else layer_name(layer)


def _answered(found: Contexts, layer: int, pair: tuple[int, int], senses: str) -> str:
    """Whether this layer tells an example's senses apart, else how alike two sentences are."""
    parted = parting(found.cosines[layer], senses)
    if parted is None:
        return (
            f"In {_said(layer)} sentences {pair[0] + 1} and {pair[1] + 1} have a cosine of "
            f"**{found.cosines[layer][pair]:.3f}**, other words of different sentences "
            f"**{found.baselines[layer]:.3f}** on average."
        )
    alike, other = (f"{low:.3f} to {high:.3f}" for low, high in (parted.alike, parted.other))
    said = (
        "keeps the senses apart"
        if not parted.mixed
        else f"does **not** keep them apart: {parted.mixed} of the {parted.n_other} pairs of "
        "different senses are at least as close as some pair of one sense"
    )
    where = _said(layer)
    return (
        f"The same sense: cosine **{alike}**; another sense: **{other}**. "
        f"{where[0].upper()}{where[1:]} {said}."
    )


def _similarity(
    found: Contexts, layer: int, word: str, card: ModelCard
) -> tuple[tuple[int, int], HeatMap]:
    names = tuple(str(index + 1) for index in range(len(found.sentences)))
    chosen = state.COMPARED.value
    size = len(names)
    if chosen is None or not (chosen[0] < size and chosen[1] < size):
        chosen = (0, size - 1)
    drawn = HeatMap(
        values=found.cosines[layer],
        rows=names,
        columns=names,
        row_title="sentence",
        column_title="sentence",
        row_notes=found.sentences,
        column_notes=found.sentences,
        label=f"Cosine between the vectors of “{word}” in every two sentences, {layer_name(layer)}",
        caption=f"{card.title} · “{word}” · {layer_name(layer)}",
        title=f"Cosines in {_said(layer)}",
        limit=1.0,
        numbers=True,
        cell=(60, 34),
    )
    picked = heat_map(drawn, key=state.HERE.key("contexts"), selected=chosen)
    state.COMPARED.put(picked)
    pair = picked or chosen
    st.caption(
        f"{_label(found, pair[0])} and {_label(found, pair[1])}: cosine "
        f"**{plain(f'{found.cosines[layer][pair]:.3f}')}**; other words of different sentences "
        f"have {plain(f'{found.baselines[layer]:.3f}')} on average. Click a cell to follow two "
        "sentences below."
    )
    return pair, drawn


def _label(found: Contexts, index: int) -> str:
    return f"**{index + 1}** {plain(found.sentences[index])}"


def _plane(found: Contexts, layer: int) -> None:
    projection = project(found.vectors[layer])
    curves = [
        charts.Curve(
            name=f"{index + 1}",
            x=projection.points[index : index + 1, 0].astype(np.float64),
            y=projection.points[index : index + 1, 1].astype(np.float64),
            hover=(f"{index + 1}: {sentence}",),
            lines=False,
        )
        for index, sentence in enumerate(found.sentences)
    ]
    first, second = projection.explained
    chart = charts.chart(
        curves,
        x_title=f"first axis: {first:.0%} of the variance",
        y_title=f"second axis: {second:.0%}",
        height=360,
    )
    charts.show(chart, key=state.HERE.key("plane"), name="words-in-context")
    st.caption(
        f"PCA of these {len(found.sentences)} vectors: the plane keeps {first + second:.0%} of "
        "their variance; what lies outside is not seen."
    )


def _by_layer(found: Contexts, layer: int, pair: tuple[int, int]) -> None:
    st.subheader("When do the senses part?")
    layers = tuple(map(layer_number, range(found.last_layer + 1)))
    off = ~np.eye(len(found.sentences), dtype=bool)
    curves = [
        charts.Curve(
            f"sentences {pair[0] + 1} and {pair[1] + 1}",
            layers,
            found.cosines[:, pair[0], pair[1]].astype(np.float64),
        ),
        charts.Curve(
            "all pairs, mean", layers, found.cosines[:, off].mean(axis=1).astype(np.float64)
        ),
        charts.Curve(
            "other words of different sentences, mean",
            layers,
            found.baselines.astype(np.float64),
            dashed=True,
        ),
    ]
    chart = charts.chart(curves, x_title="layer", y_title="cosine", height=320)
    chart.x_axis(type="category", categoryorder="array", categoryarray=list(layers))
    charts.show(chart, key=state.HERE.key("by-layer"), name="similarity-by-layer")
    st.caption(
        f"Shown above: {_said(layer)}. In the input the word has the same token vector everywhere, "
        "so only its position (and LayerNorm) tells two sentences apart. A cosine says something "
        "only against the dashed line: vectors of unrelated words are alike, too."
    )


def _strips(found: Contexts, pair: tuple[int, int], word: str, card: ModelCard) -> None:
    st.subheader("The vector itself")
    rows = [
        (layer, index) for layer in range(found.last_layer + 1) for index in dict.fromkeys(pair)
    ]
    values = np.stack([found.vectors[layer, index] for layer, index in rows])
    heat_map(
        HeatMap(
            values=values,
            rows=tuple(f"{layer_number(layer)}·{index + 1}" for layer, index in rows),
            row_title="layer·sentence",
            columns=tuple(str(index) for index in range(values.shape[1])),
            label=f"The vector of “{word}” in two sentences, layer by layer",
            caption=f"{card.title} · “{word}”",
            cell=(12, 16),
        ),
        key=state.HERE.key("vectors"),
    )
    pieces = found.pieces[pair[0]]
    if len(pieces) > 1:
        st.caption(f"“{plain(word)}” is {len(pieces)} pieces here; its vector is their mean.")


def _table(found: Contexts) -> Table:
    header = ["layer", "sentence_a", "sentence_b", "cosine", "baseline"]
    size = len(found.sentences)
    return header, [
        (layer_number(layer), found.sentences[a], found.sentences[b],
         float(found.cosines[layer, a, b]), float(found.baselines[layer]))
        for layer in range(found.last_layer + 1)
        for a in range(size)
        for b in range(a + 1, size)
    ]  # fmt: skip


def _take_example(example: WordExample) -> None:
    state.WORD.put(example.word)
    state.SENTENCES.put("\n".join(example.sentences))
    state.COMPARED.reset()


VIEW: Final = View(
    "context",
    "Words in context",
    (state.MODEL, state.WORD, state.SENTENCES, state.LAYER, state.COMPARED),
    render,
)
