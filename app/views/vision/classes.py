"""What a model makes of the picture: its classes, and the picker of one of them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.services import engine, vision
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.options import one_of
from app.ui.params import Number
from app.views.vision.inputs import Chosen
from core.trace import softmax

ANSWER: Final = -1  # the model's own answer, whatever the picture


@dataclass(frozen=True, eq=False)
class Classes:
    """What the model makes of the picture."""

    labels: tuple[str, ...]
    logits: Float32[np.ndarray, " class"]

    @property
    def ranked(self) -> tuple[int, ...]:
        """Classes, most probable first."""
        return tuple(int(index) for index in np.argsort(-self.logits, kind="stable"))

    @property
    def probabilities(self) -> Float32[np.ndarray, " class"]:
        return softmax(self.logits.copy())


def classes_of(chosen: Chosen) -> Classes | None:
    """The model's classes; None after saying why there are none."""
    _, future = vision.trace(chosen.card.id, chosen.picture)
    trace = progress.outcome(future, chosen.card.id)
    if trace is None:
        return None
    if trace.logits is None:
        st.info(
            f"{plain(chosen.card.title)} knows no classes, so nothing can speak for one. Choose "
            "a model that was trained on classes above.",
            icon=":material/info:",
        )
        return None
    return Classes(labels_of(chosen, len(trace.logits)), trace.logits)


def labels_of(chosen: Chosen, count: int) -> tuple[str, ...]:
    """The classes' names; numbers, where the card has none for them."""
    labels = engine.loaded_card(chosen.card.id).result().labels
    return labels if len(labels) == count else tuple(f"class {index}" for index in range(count))


def pick_class(
    label: str,
    param: Number[int],
    labels: tuple[str, ...],
    answer: int,
    *,
    says: str = "its answer",
    width: int | None = None,
) -> int:
    """A class by name, the model's answer first; another model's class counts as the answer."""
    param.below(len(labels))

    def named(index: int) -> str:
        return f"{labels[answer]} ({says})" if index == ANSWER else labels[index]

    one_of(
        param,
        st.selectbox,
        label,
        [ANSWER, *range(len(labels))],
        named,
        help="Any class: type to search.",
        width=width or "stretch",
    )
    return answer if param.value == ANSWER else param.value
