"""Which class is asked about, and every method's answer."""

from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st
from jaxtyping import Float32
from scipy.special import softmax

from app.components.candidates import Candidate, candidates
from app.components.mount import picked_before
from app.services import engine, vision
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.vision import state
from app.views.vision.inputs import Chosen
from app.views.vision.why import params
from core.explain.attribution.registry import EvidenceMethod
from core.targets import ClassTarget

TOP: Final = 5
SLOW: Final = ("integrated-gradients", "occlusion")  # many forwards: asked for last
ROWS: Final = {
    "quick": tuple(name for name in params.METHODS if name not in SLOW),
    "slow": SLOW,
}
CHIPS: Final = f"{state.PAGE}.why.classes"


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
        return softmax(self.logits)


@dataclass(frozen=True)
class Asked:
    """One class, perhaps against another."""

    index: int
    against: int | None
    title: str  # "tabby, tabby cat" or "tabby against tiger"


@dataclass(frozen=True, eq=False)
class Answers:
    """Each method's map, or the reason why there is none; in the methods' own order."""

    maps: Mapping[str, Float32[np.ndarray, "_row _column"]]
    refused: Mapping[str, str]


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
    labels = engine.loaded_card(chosen.card.id).result().labels
    if len(labels) != len(trace.logits):
        labels = tuple(f"class {index}" for index in range(len(trace.logits)))
    return Classes(labels, trace.logits)


def choose_target(classes: Classes) -> Asked:
    """Top classes as chips, any class by name, and the class it is asked against."""
    top = classes.ranked[:TOP]
    clicked = picked_before(CHIPS, len(top))
    if clicked is not None:
        state.put(params.CLASS, params.ANSWER if clicked == 0 else top[clicked])
    for param in (params.CLASS, params.AGAINST):
        if state.get(param) >= len(classes.labels):  # another model's class
            state.put(param, param.default)
    index = top[0] if state.get(params.CLASS) == params.ANSWER else state.get(params.CLASS)
    if state.get(params.AGAINST) == index:
        state.put(params.AGAINST, params.NOBODY)
    _chips(classes, top, index)
    _pickers(classes, top[0])
    index = top[0] if state.get(params.CLASS) == params.ANSWER else state.get(params.CLASS)
    against = state.get(params.AGAINST)
    if against in (params.NOBODY, index):
        return Asked(index, None, classes.labels[index])
    return Asked(index, against, f"{classes.labels[index]} against {classes.labels[against]}")


def ask_all(chosen: Chosen, asked: Asked) -> dict[str, Future[Any]]:
    """Every method's future: the one looked at first, the slow ones last."""
    wanted = state.get(params.METHOD)
    order = sorted(params.METHODS, key=lambda name: (name != wanted, name in SLOW))
    against = None if asked.against is None else ClassTarget(asked.against)
    futures: dict[str, Future[Any]] = {}
    for name in order:
        specific = params.METHODS[name].class_specific
        futures[name] = vision.ask(
            chosen.card.id,
            "evidence",
            chosen.picture,
            method=name,
            target=ClassTarget(asked.index if specific else 0),  # one answer for every class
            against=against if specific else None,
        )
    return futures


def gathered(futures: Mapping[str, Future[Any]]) -> Answers:
    """All answers, with a line that says which method is still at work."""
    maps: dict[str, np.ndarray] = {}
    refused: dict[str, str] = {}
    line = st.empty()
    for name, future in futures.items():
        method = params.METHODS[name]
        try:
            maps[name] = _waited(future, method, line)
        except progress.READER_ERRORS as error:
            refused[name] = str(error)
    line.empty()
    return Answers(
        {name: maps[name] for name in params.METHODS if name in maps},
        {name: refused[name] for name in params.METHODS if name in refused},
    )


def _waited(future: Future[Any], method: EvidenceMethod, line: Any) -> np.ndarray:
    """The result; each step lets the reader's next click through."""
    step = progress.SILENT
    while True:
        try:
            return future.result(timeout=step)
        except NotYet:
            work = ": the model runs once for every patch or step" if method.id in SLOW else ""
            line.caption(f"{method.title}{work} …")
            step = progress.STEP


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


def _pickers(classes: Classes, answer: int) -> None:
    everything = list(range(len(classes.labels)))
    st.selectbox(
        "What speaks for",
        [params.ANSWER, *everything],
        format_func=lambda i: (
            f"{classes.labels[answer]} (its answer)" if i == params.ANSWER else classes.labels[i]
        ),
        key=state.key(params.CLASS),
        help="Any class: type to search.",
    )
    st.selectbox(
        "… rather than for",
        [params.NOBODY, *everything],
        format_func=lambda i: "no class in particular" if i == params.NOBODY else classes.labels[i],
        key=state.key(params.AGAINST),
        help="The difference of two logits (occlusion: of two probabilities) is explained.",
    )
