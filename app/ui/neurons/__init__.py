"""Neurons of feed-forward networks: what they write to an answer, say and fire at; one silenced.

The same view on every page that shows an answer.
"""

from app.ui.neurons.figure import figure
from app.ui.neurons.params import NeuronParams

__all__ = ["NeuronParams", "figure"]
