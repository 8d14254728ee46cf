"""What a tab shows: elements as the server sent them, and what a reader can do to them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from streamlit.proto.Alert_pb2 import Alert
from streamlit.runtime.state.common import user_key_from_element_id

from app.components.frame import unpack

MODULES: Final = "/_stcore/bidi-components"
CLICKABLE: Final = (
    *("head_grid", "heat_map", "token_row"),
    *("decoder_steps", "bpe_stepper", "picture_map"),
)


@dataclass(frozen=True)
class Shown:
    """An element of the page, and what runs when it changes: a fragment, or ("") everything."""

    kind: str
    proto: Any
    fragment: str
    run: str

    @property
    def key(self) -> str:
        """What the app calls it; "" where it has no name."""
        return user_key_from_element_id(getattr(self.proto, "id", "")) or ""

    @property
    def error(self) -> str:
        """What it says, if it says that something broke."""
        if self.kind == "exception":
            return f"{self.proto.type}: {self.proto.message}"
        broke = self.kind == "alert" and self.proto.format == Alert.ERROR
        return self.proto.body if broke else ""

    @property
    def figure(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """A component's header and arrays, as its browser side unpacks them."""
        return unpack(self.proto.bytes)


@dataclass
class Answer:
    """What came back of one change."""

    seconds: float = 0.0
    nbytes: int = 0
    drawn: list[Shown] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        return [shown.error for shown in self.drawn if shown.error]


def modules_of(drawn: Iterable[Shown]) -> set[str]:
    """Where the modules lie that draw components."""
    protos = [shown.proto for shown in drawn if shown.kind == "bidi_component"]
    return {f"{MODULES}/{proto.component_name}/{proto.js_source_path}" for proto in protos}


def slides(shown: Shown) -> bool:
    """Whether it is a slider over numbers."""
    return shown.kind == "slider" and not shown.proto.options


def clickable(shown: Shown) -> tuple[str, list[Any]] | None:
    """How a component's clicks are reported, and what can be clicked; None where nothing can."""
    if shown.kind != "bidi_component":
        return None
    name = shown.proto.component_name.removeprefix("glassformer.")
    if name not in (
        "head_grid",
        "heat_map",
        "token_row",
        "decoder_steps",
        "bpe_stepper",
        "picture_map",
    ):
        return None
    header, arrays = shown.figure
    match name:
        case "head_grid":
            heads = enumerate(header["heads"])
            return "select", [[[layer, head]] for layer, count in heads for head in range(count)]
        case "heat_map":
            rows, columns = arrays["values"].shape
            return "select", [[row, column] for row in range(rows) for column in range(columns)]
        case "token_row" if header["clickable"]:
            chips = enumerate(header["chips"])
            return "click", [place for place, chip in chips if chip["state"] != "quiet"]
        case "decoder_steps":
            return "select", list(range(len(header["fed"])))
        case "bpe_stepper":
            merges = json.loads(arrays["run"].tobytes())["merges"]
            return "select", list(range(len(merges) + 1))
        case "picture_map" if header["selection"]["visit"] and "values0" in arrays:
            return "select", list(range(arrays["values0"].size))
        case _:
            return None
