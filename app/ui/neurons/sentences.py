"""The sentences of our own at which a neuron fires most, each around the token that fires."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.token_table import TokenTable, token_table
from app.services import direct_logits
from app.style.number_format import three
from app.ui import progress
from app.ui.direct_logits import Shown
from app.ui.direct_logits.pushed import short
from app.ui.neurons.neuron import Neuron
from app.ui.neurons.params import NeuronParams
from core.outputs.firing import Firing

SHOWN: Final = 8  # sentences
AROUND: Final = 6  # tokens on either side


def sentences(params: NeuronParams, shown: Shown, neuron: Neuron) -> tuple[Firing, ...] | None:
    """Draw them; every sentence's activations, strongest first; None after an error was shown."""
    job = direct_logits.firings(shown.card.id, neuron.layer, neuron.index)
    fired = progress.trained(job, "Reading our sentences", "sentences")
    if fired is None:
        return None
    st.markdown(f"**Where {neuron.name} fires most**, of {len(fired)} sentences of our own")
    top = fired[:SHOWN]
    largest = max(abs(one.strength) for one in top) or 1.0
    places = [range(one.peak - AROUND, one.peak + AROUND + 1) for one in top]
    token_table(
        TokenTable(
            cells=tuple(
                tuple(short(_token(one, place)) for place in around)
                for one, around in zip(top, places, strict=True)
            ),
            shades=np.array(
                [
                    [abs(_activation(one, place)) / largest for place in around]
                    for one, around in zip(top, places, strict=True)
                ],
                dtype=np.float32,
            ),
            rows=tuple(three(one.strength) for one in top),
            columns=tuple(
                f"{offset:+d}".replace("-", "−") if offset else "fires"
                for offset in range(-AROUND, AROUND + 1)
            ),
            label=f"Sentences at which {neuron.name} fires most",
            notes=tuple(
                tuple(f"activation {three(_activation(one, place))}" for place in around)
                for one, around in zip(top, places, strict=True)
            ),
            marked=np.array([[offset == AROUND for offset in range(2 * AROUND + 1)] for _ in top]),
            row_title="activation",
            shade_title=(
                "Shade: size of the activation beside the largest here. Underlined: where it is "
                f"largest, special tokens left out. Up to {AROUND} tokens on either side."
            ),
            caption=f"{shown.card.title} · {neuron.name}, sentences of Glassformer's own",
            hue=str(shown.kind),
            cell_ids=tuple(
                tuple(_id(one, place) for place in around)
                for one, around in zip(top, places, strict=True)
            ),
        ),
        key=params.scope.key("sentences"),
    )
    return fired


def _token(one: Firing, place: int) -> str:
    return one.tokens[place] if 0 <= place < len(one.tokens) else ""


def _id(one: Firing, place: int) -> int:
    return int(one.ids[place]) if 0 <= place < len(one.tokens) else -1


def _activation(one: Firing, place: int) -> float:
    return float(one.activations[place]) if 0 <= place < len(one.tokens) else 0.0
