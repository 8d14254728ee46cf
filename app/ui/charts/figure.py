"""A chart in Plotly's own words, as it is sent: no Plotly object reads them, copies them, checks
them. A test lets Plotly check every view's charts.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jaxtyping import Float
from numpy import ndarray

Said = Mapping[str, Any]
TYPED: Final = {"float64": "f8", "float32": "f4"}  # Plotly's names of what is sent as bytes


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Traces and layout, to be added to."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]

    def x_axis(self, **said: Any) -> None:
        self.layout["xaxis"] = self.layout.get("xaxis", {}) | said

    def y_axis(self, **said: Any) -> None:
        self.layout["yaxis"] = self.layout.get("yaxis", {}) | said

    def add_shape(self, **said: Any) -> None:
        self.layout.setdefault("shapes", []).append(said)

    def add_annotation(self, **said: Any) -> None:
        self.layout.setdefault("annotations", []).append(said)


def numbers(values: Float[ndarray, "*shape"]) -> dict[str, str] | list[Any]:
    """An array as Plotly's typed array, exactly; as a list where it holds no such numbers."""
    typed = TYPED.get(values.dtype.name)
    if typed is None:
        return values.tolist()
    sent = {"dtype": typed, "bdata": b64encode(values.tobytes()).decode("ascii")}
    return sent if values.ndim == 1 else sent | {"shape": ", ".join(map(str, values.shape))}
