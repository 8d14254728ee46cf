"""A head's OV and QK circuits on chosen tokens. The same view on BERT's page and on GPT's."""

from app.ui.circuits.figure import figure
from app.ui.circuits.params import CircuitParams

__all__ = ["CircuitParams", "figure"]
