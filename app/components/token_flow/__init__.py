"""Token to token, level by level: what flows into a token, or out of it, and along which paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from app.components.frame import pack
from app.components.heat_map import NOWHERE, read_cell
from app.components.mount import register
from app.components.selection import Seed, Selection
from core.explain.flow.token_flow import Node, TokenFlow

Shown = Literal["into", "out", "all"]
DESCRIPTION: Final = ("tokens", "ids", "levels", "shown", "threshold", "kind", "label", "caption")
_mount: Final = register("token_flow")


@dataclass(frozen=True, slots=True, eq=False)
class FlowFigure:
    """What is drawn. Widths are the shares'; every printed number is worked out from them."""

    flow: TokenFlow
    tokens: tuple[str, ...]
    ids: tuple[int, ...]  # in the model's vocabulary
    levels: tuple[str, ...]  # "input", then the layers' names
    shown: Shown  # what leads into the chosen node, out of it, or everything
    threshold: float  # edges of smaller shares are not drawn
    kind: str  # whose hue attention has
    label: str  # names the figure for screen readers
    caption: str = ""  # model, text, settings: written under exported figures

    def __post_init__(self) -> None:
        expected = (len(self.levels) - 1, len(self.tokens), len(self.tokens))
        if self.flow.attended.shape != expected or len(self.ids) != len(self.tokens):
            raise ValueError(
                f"shares are {self.flow.attended.shape} (layer, query, key), but levels and "
                f"tokens ask for {expected}"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Levels and positions."""
        return len(self.levels), len(self.tokens)


def selected_node(key: str, present: Node, shape: tuple[int, int]) -> Node | None:
    """The node that is selected now, before the figure is drawn or after; None: the reader let go.

    `present` seeds the browser's selection, and may be what an earlier call returned.
    """
    found = _selection(key, present, shape).value
    return None if found == NOWHERE else found


def token_flow(figure: FlowFigure, node: Node, *, key: str) -> None:
    """Draw it; `selected_node` says what is chosen in it."""
    seed = _selection(key, node, figure.shape).seed
    _mount(key=key, data=token_flow_frame(figure, seed))


def _selection(key: str, present: Node, shape: tuple[int, int]) -> Selection[Node]:
    return Selection(key, present, lambda report: read_cell(report, shape))


@lru_cache(maxsize=16)  # a figure is equal only to itself, so no click compresses one again
def token_flow_frame(figure: FlowFigure, seed: Seed[Node]) -> bytes:
    """The byte frame that token_flow/view.js draws; also for the standalone page."""
    header = {name: getattr(figure, name) for name in DESCRIPTION}
    header["selection"] = seed.header
    arrays = {"attended": figure.flow.attended, "kept": figure.flow.kept}
    return pack(header, arrays, level=1)
