"""One neuron of a place: where it stands, what it writes and what it is called."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.style.worked import product, step
from app.ui.param_values import Cell
from core.explain.attribution.neuron_writes import NeuronWrites

CELL: Final = (64.0, 30.0)  # px


@dataclass(frozen=True, slots=True)
class Neuron:
    """As numbers, and as they are printed side by side."""

    layer: int
    index: int
    term: int  # its place in the lists of tokens
    rank: int  # by size of what it writes, over all layers
    activation: str
    unit: str  # what an activation of 1 writes
    value: str

    @property
    def name(self) -> str:
        return f"layer {self.layer}, neuron {self.index}"

    @property
    def title(self) -> str:
        return f"Layer {self.layer}, neuron {self.index}"

    @classmethod
    def of(cls, found: NeuronWrites, place: Cell) -> "Neuron":
        """Of a cell of the map: layer and rank."""
        layer, index = place[0], int(found.strongest[place])
        value = float(found.values[layer, index])
        activation = float(found.activations[layer, index])
        unit = value / activation if activation else 0.0
        (first, second), said = step((activation, unit), value, product)
        larger = int((np.abs(found.values) > abs(value)).sum())
        return cls(layer, index, found.term(layer, index), 1 + larger, first, second, said)


def place_of(found: NeuronWrites, neuron: Cell | None) -> Cell | None:
    """The cell of a neuron that is on the map."""
    if neuron is None or neuron[0] >= len(found.strongest):
        return None
    ranks = np.flatnonzero(found.strongest[neuron[0]] == neuron[1])
    return (neuron[0], int(ranks[0])) if len(ranks) else None


def strongest(found: NeuronWrites, by: str) -> Cell:
    """The cell of the strongest of all."""
    size = np.abs(found.values if by == "write" else found.activations)
    layer = int(np.take_along_axis(size, found.strongest, axis=1)[:, 0].argmax())
    return layer, 0
