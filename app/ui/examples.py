"""Chips that put an example in place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from app.ui.params import Param

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
) -> None:
    """One chip an example, by its name; a click hands it to `take`, and the chip comes up again."""

    def taken() -> None:
        if (chosen := st.session_state[key]) in examples:
            take(examples[chosen])
        st.session_state[key] = None

    st.pills(label, list(examples), key=key, on_change=taken, label_visibility="collapsed")


def preset_chips(
    presets: Mapping[str, Sequence[Setting[Any]]], *, key: str, label: str = "Presets"
) -> None:
    """One chip a preset; a click puts its values in place, the later of two for one parameter."""

    def take(preset: Sequence[Setting[Any]]) -> None:
        for setting in preset:
            setting.take()

    example_chips(presets, take, key=key, label=label)
