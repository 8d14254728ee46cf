"""Which class is asked about, and every method's answer."""

from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.candidates import Candidate, candidates
from app.components.selection import clicked_index
from app.services import engine, vision
from app.services.questions import PatchFor
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import arrived, prediction
from app.ui.arrived import Arrived
from app.ui.options import one_of
from app.views.vision.classes import ANSWER, Classes, pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.why import params
from core.targets import ClassTarget

TOP: Final = 5
SLOW: Final = ("integrated-gradients", "occlusion")  # many forwards: asked for last
WORK: Final = "the model runs once for every patch or step"
CHIPS: Final = params.HERE.key("classes")

EvidenceMap = Float32[np.ndarray, "_row _column"]


@dataclass(frozen=True)
class Asked:
    """One class, perhaps against another."""

    index: int
    against: int | None
    title: str  # "tabby, tabby cat" or "tabby against tiger"


Answers = Arrived[EvidenceMap]  # each method's map


def choose_target(classes: Classes) -> Asked:
    """Top classes as chips, any class by name, and the class it is asked against."""
    top = classes.ranked[:TOP]
    clicked = clicked_index(CHIPS, len(top))
    if clicked is not None:
        params.CLASS.put(ANSWER if clicked == 0 else top[clicked])
    for param in (params.CLASS, params.AGAINST):
        param.below(len(classes.labels))
    index = top[0] if params.CLASS.value == ANSWER else params.CLASS.value
    if params.AGAINST.value == index:
        params.AGAINST.put(params.NOBODY)
    _chips(classes, top, index)
    index = _pickers(classes, top[0])
    against = params.AGAINST.value
    if against in (params.NOBODY, index):
        return Asked(index, None, classes.labels[index])
    return Asked(index, against, f"{classes.labels[index]} against {classes.labels[against]}")


def asks(chosen: Chosen, classes: Classes) -> bool:
    """Whether the reader is still to say which patch mattered."""
    index = params.CLASS.below(len(classes.labels))
    index = classes.ranked[0] if index == ANSWER else index
    return prediction.asks(
        params.HERE.key("prediction"),
        f"One patch is hidden. Which costs **{plain(classes.labels[index])}** most of its "
        "probability?",
        PatchFor(chosen.card.id, chosen.picture, index),
        chosen.card.id,
    )


def rows() -> dict[str, tuple[str, ...]]:
    """The methods, in the two rows in which they stand."""
    return {"quick": tuple(name for name in params.names() if name not in SLOW), "slow": SLOW}


@contextmanager
def asked_of_all(chosen: Chosen, asked: Asked) -> Generator[dict[str, Future[EvidenceMap]]]:
    """Every method's future, wanted within alone: the one looked at first, the slow ones last."""
    wanted = params.wanted()
    order = sorted(params.names(), key=lambda name: (name in SLOW, name != wanted))
    against = None if asked.against is None else ClassTarget(asked.against)
    requests = {
        name: vision.evidence_request(
            chosen.card.id,
            chosen.picture,
            name,
            ClassTarget(asked.index if specific else 0),  # one answer for every class
            against if specific else None,
        )
        for name in order
        for specific in (params.METHODS[name].class_specific,)
    }
    with engine.wanted(requests) as futures:
        yield futures


def arriving(futures: Mapping[str, Future[EvidenceMap]]) -> Iterator[Answers]:
    """What is there, again and again until all is: see `arrived.arriving`."""
    return arrived.arriving(futures, params.names(), _working)


def _working(name: str) -> str:
    return params.METHODS[name].title + (f": {WORK}" if name in SLOW else "")


def _chips(classes: Classes, top: tuple[int, ...], index: int) -> None:
    probabilities = classes.probabilities
    candidates(
        tuple(
            Candidate(
                classes.labels[each],
                float(probabilities[each]),
                tip=(f"logit {three(float(classes.logits[each]))}",),
                lit=each == index,
            )
            for each in top
        ),
        label="The most probable classes: click one to ask what speaks for it",
        key=CHIPS,
    )


def _pickers(classes: Classes, answer: int) -> int:
    """The class that is asked about; the one it is asked against is in its parameter."""
    index = pick_class("What speaks for", params.CLASS, classes.labels, answer)

    def named(index: int) -> str:
        return "no class in particular" if index == params.NOBODY else classes.labels[index]

    one_of(
        params.AGAINST,
        st.selectbox,
        "… rather than for",
        [params.NOBODY, *range(len(classes.labels))],
        named,
        help="The difference of two logits (occlusion: of two probabilities) is explained.",
    )
    return index
