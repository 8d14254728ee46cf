"""Chips that put an example in place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.ui import carried, input_line, projector

if TYPE_CHECKING:
    from app.ui.params import Param, Text

Example = TypeVar("Example")
T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A parameter, and the value that a preset gives it."""

    param: "Param[T]"
    value: T

    def take(self) -> None:
        self.param.put(self.value)


def example_chips(
    examples: Mapping[str, Example],
    take: Callable[[Example], None],
    *,
    key: str,
    label: str = "Examples",
    text: "Text | None" = None,
    bring: Callable[[str], None] | None = None,
    folded: bool = False,
) -> None:
    """One chip an example, by its name; a click hands it to `take`, and the chip comes up again.

    `text`: where the sentence goes that the reader typed on another page; `bring` puts it there,
    if more changes with it. `folded`: without an input's line they stand behind a button.
    """
    brought = {} if text is None else carried.offer(text.value)

    def taken() -> None:
        chosen = str(st.session_state.get(key))  # "None" where a late click meets another page
        if chosen in examples:
            take(examples[chosen])
        elif text is not None and chosen in brought:
            (bring or text.put)(brought[chosen])
        st.session_state[key] = None

    with input_line.beside() or _room(label, key, folded=folded or projector.is_on()):
        st.pills(
            label, [*brought, *examples], key=key, on_change=taken, label_visibility="collapsed"
        )


def _room(label: str, key: str, *, folded: bool) -> DeltaGenerator:
    """Where no input's line has room for them; a projector's first screen is the figure's."""
    if folded:
        return st.popover(label, width="content")
    return st.container(key=f"chips-{key}", width="content")


def preset_chips(
    presets: Mapping[str, Sequence[Setting[Any]]], *, key: str, label: str = "Presets"
) -> None:
    """One chip a preset; a click puts its values in place, the later of two for one parameter."""

    def take(preset: Sequence[Setting[Any]]) -> None:
        for setting in preset:
            setting.take()

    example_chips(presets, take, key=key, label=label, folded=True)
