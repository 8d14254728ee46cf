"""A view's numbers as files."""

from collections.abc import Sequence

import numpy as np

from app.ui.direct_logits import Shown
from app.ui.direct_logits.exports import first_tokens
from app.ui.export_bar import Table
from app.ui.neurons.neuron import Neuron
from core.explain.attribution.neuron_writes import NeuronWrites
from core.explain.predictions.prediction_change import PredictionChange
from core.outputs.firing import Firing


def neuron_table(shown: Shown, found: NeuronWrites) -> Table:
    """A line a neuron of the map."""
    lines = (
        (
            *(layer, neuron, repr(float(found.activations[layer, neuron]))),
            repr(float(found.values[layer, neuron])),
            *(first_tokens(shown, side.ids[at]) for side in (found.up, found.down)),
        )
        for at, (layer, neuron) in enumerate(
            (layer, neuron)
            for layer, of_layer in enumerate(found.strongest.tolist())
            for neuron in of_layer
        )
    )
    return ("layer", "neuron", "activation", "writes", "pushes_up", "pushes_down"), lines


def sentence_table(fired: Sequence[Firing]) -> Table:
    """A line a sentence, the strongest first."""
    lines = (
        (repr(one.strength), one.peak, one.tokens[one.peak], " ".join(one.tokens)) for one in fired
    )
    return ("activation", "position", "token", "tokens"), lines


def arrays(
    shown: Shown,
    found: NeuronWrites,
    neuron: Neuron,
    change: PredictionChange,
    fired: Sequence[Firing] | None,
) -> dict[str, np.ndarray]:
    """For NPZ."""
    target = found.target
    return {
        "activations": found.activations,
        "writes": found.values,
        "biases_write": found.biases,
        "logit": np.array(found.logit),
        "position": np.array(target.position),
        "answer": np.array([target.token, -1 if target.against is None else target.against]),
        "strongest": found.strongest,
        "pushed_up": found.up.ids,
        "pushed_up_logits": found.up.logits,
        "pushed_down": found.down.ids,
        "pushed_down_logits": found.down.logits,
        "silenced": np.array([neuron.layer, neuron.index]),
        "log_probabilities_before": change.before.log_probabilities,
        "log_probabilities_after": change.after.log_probabilities,
        "fired": np.array([one.strength for one in fired or ()], dtype=np.float32),
        "vocabulary_size": np.array(len(shown.vocabulary)),
    }
