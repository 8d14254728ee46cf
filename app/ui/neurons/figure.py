"""The whole view below its input: the answer, the map of neurons, one of them, its sentences."""

from collections.abc import Mapping

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.services import direct_logits, silencing
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step, total
from app.ui import progress
from app.ui.direct_logits import Shown
from app.ui.direct_logits.pushed import pushed_table
from app.ui.export_bar import Export, offline_map
from app.ui.neurons.exports import arrays, neuron_table, sentence_table
from app.ui.neurons.neuron import CELL, Neuron, place_of, strongest
from app.ui.neurons.params import INSTEAD, NeuronParams
from app.ui.neurons.sentences import sentences
from app.ui.silence.prediction import how_far, moved_bars, table, without
from core.explain.attribution.neuron_writes import NeuronWrites
from core.explain.predictions.prediction_change import PredictionChange, prediction_change
from core.interventions import SilenceNeuron


def figure(
    params: NeuronParams,
    shown: Shown,
    answers: tuple[int, int | None],
    facts: Mapping[str, str],
    place: DeltaGenerator,
) -> Export | None:
    """Everything below the input, the answer in `place`; None after an error was shown.

    answers: as `params.answers.chosen` gives them.
    """
    answer, against = answers
    future = direct_logits.neurons(shown.question, answer, against, params.by.value)
    found = progress.outcome(future, shown.card.id)
    if found is None:
        return None
    what = shown.named(answer, against)
    cell = _looked_at(params, found)
    neuron = Neuron.of(found, cell)
    change = _silenced(params, shown, answers, neuron)
    if change is None:
        return None
    place.markdown(_answered(params, shown, found, neuron, change, what))
    drawn = _map(params, shown, found, what)
    left, right = st.columns([8, 5], gap="large")
    with left:
        heat_map(drawn, key=_key(params), selected=cell)
        _sum(found, what)
        st.markdown(f"**Before, and with {_instead(params)} in the place of {neuron.name}**")
        moved_bars(
            change,
            shown.name,
            key=params.scope.key("bars"),
            caption=f"{shown.card.title} · “{shown.text}” · silenced: {neuron.name}",
            hue=shown.kind,
        )
        st.markdown(how_far(change, shown.name))
    with right:
        st.markdown(
            f"**{neuron.title}**: activation {neuron.activation} × {neuron.unit} = "
            f"**{neuron.value}**, rank {neuron.rank:,} of {found.values.size:,} by size."
        )
        pushed_table(
            shown.name,
            (found.up, found.down),
            neuron.term,
            caption=f"{shown.card.title} · {neuron.name}",
            told="The tokens whose logits an activation of 1 moves most",
            kind=shown.kind,
            key=params.scope.key("pushed"),
        )
    fired = sentences(params, shown, neuron)
    return Export(
        name="neurons",
        caption=drawn.caption,
        table=lambda: neuron_table(shown, found),
        arrays=lambda: arrays(shown, found, neuron, change, fired),
        more={
            "silenced": lambda: table(shown.vocabulary, change),
            **({"sentences": lambda: sentence_table(fired)} if fired else {}),
        },
        offline=offline_map(drawn),
        facts=facts,
    )


def _key(params: NeuronParams) -> str:
    return params.scope.key("map")


def _instead(params: NeuronParams) -> str:
    return INSTEAD[params.instead.value]


def _looked_at(params: NeuronParams, found: NeuronWrites) -> tuple[int, int]:
    """The cell of the neuron that was clicked, else of the strongest."""
    first = strongest(found, params.by.value)
    known = place_of(found, params.neuron.value)
    shape = found.strongest.shape
    cell = selected_cell(_key(params), known or first, (shape[0], shape[1])) or first
    if cell == first:
        params.neuron.reset()
    else:
        params.neuron.put((cell[0], int(found.strongest[cell])))
    return cell


def _silenced(
    params: NeuronParams, shown: Shown, answers: tuple[int, int | None], neuron: Neuron
) -> PredictionChange | None:
    change = SilenceNeuron(neuron.layer, neuron.index, params.instead.value, shown.kind)
    both = progress.outcome(silencing.predictions(shown.question, (change,)), shown.card.id)
    return None if both is None else prediction_change(*both, *answers)


def _answered(
    params: NeuronParams,
    shown: Shown,
    found: NeuronWrites,
    neuron: Neuron,
    change: PredictionChange,
    what: str,
) -> str:
    return (
        f"{neuron.title} writes **{neuron.value}** to the {plain(what)} {shown.where}: "
        f"activation **{neuron.activation}** × **{neuron.unit}**, rank **{neuron.rank:,}** of "
        f"{found.values.size:,}. "
        + without(f"With {_instead(params)} in its place", change, shown.name)
    )


def _map(params: NeuronParams, shown: Shown, found: NeuronWrites, what: str) -> HeatMap:
    layers, ranks = found.strongest.shape
    written = np.take_along_axis(found.values, found.strongest, axis=1)
    activations = np.take_along_axis(found.activations, found.strongest, axis=1)
    by = params.by.value == "write"
    title = f"What the strongest neurons write to the {what}" if by else "The most active neurons"
    return HeatMap(
        values=(written if by else activations).astype(np.float32),
        rows=tuple(map(str, range(layers))),
        columns=tuple(str(rank + 1) for rank in range(ranks)),
        label=title,
        title=f"{title}; a cell names its neuron",
        caption=f"{shown.card.title} · {title} {shown.where} · “{shown.text}”",
        row_title="layer",
        column_title="rank in its layer",
        words=tuple(tuple(map(str, row)) for row in found.strongest.tolist()),
        cell_notes=tuple(
            tuple(
                f"neuron {neuron}, activation {three(active)}, writes {three(wrote)}"
                for neuron, active, wrote in zip(*row, strict=True)
            )
            for row in zip(
                found.strongest.tolist(), activations.tolist(), written.tolist(), strict=True
            )
        ),
        cell=CELL,
    )


def _sum(found: NeuronWrites, what: str) -> None:
    neurons, biases = float(found.values.sum()), float(found.biases.sum())
    parts, whole = step((neurons, biases), neurons + biases, total)
    st.caption(
        f"All {found.values.size:,} neurons ({parts[0]}) + the biases behind them ({parts[1]}) = "
        f"{whole}: what the MLPs write to the {plain(what)}, which is {three(found.logit)}."
    )
