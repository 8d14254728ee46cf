"""What the checks ask of the engine: maps, curves, maps of a randomised copy."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import numpy as np
import streamlit as st
from jaxtyping import Float32, Float64

from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.options import some_of
from app.views.vision.truth import params
from core.catalog import ModelCard
from core.explain.attribution.perturbation_curves import Perturbation, distinct_sets, perturb
from core.interventions import Fill, HidePatches
from core.outputs.randomization_test import RandomisedEvidence
from core.targets import ClassTarget
from core.trace import read_only

STEPS: Final[Float64[np.ndarray, " step"]] = read_only(np.linspace(0, 1, 11))
DRAWS: Final = 3  # random orders, hidden from both ends and averaged: one may be lucky

Name = TypeVar("Name")
Answer = TypeVar("Answer")
Map = Float32[np.ndarray, "_row _column"]


@dataclass(frozen=True, eq=False)
class Curves:
    """One method's curves, and the map whose order was hidden: None for random's mean."""

    title: str
    measured: Perturbation
    evidence: Map | None


def pick_methods(*, besides: str = "random") -> tuple[str, ...]:
    """The methods under test; what is always there is not among them."""
    always = ("random", "uniform") if besides == "both" else ("random",)
    some_of(
        params.CHOSEN,
        st.multiselect,
        f"Methods; {' and '.join(always)} {'are' if len(always) > 1 else 'is'} always beside them",
        [name for name in params.METHODS if name not in ("random", "uniform")],
        lambda name: params.METHODS[name].title,
        in_order=True,
    )
    return tuple(name for name in params.CHOSEN.value if name not in always)


def ask_maps(
    card: ModelCard, picture: Picture, names: Sequence[str], index: int
) -> dict[str, Future[Map]]:
    """Evidence for a class, by every named method."""
    return {
        name: vision.evidence(
            card.id,
            picture,
            name,
            ClassTarget(index if params.METHODS[name].class_specific else 0),
        )
        for name in names
    }


def ask_fresh_maps(
    card: ModelCard, picture: Picture, names: Sequence[str], index: int, *, blocks: int, seed: int
) -> dict[str, Future[RandomisedEvidence]]:
    """The same of a copy whose head and last blocks are fresh."""
    return {
        name: vision.randomised_evidence(
            card.id, picture, name, ClassTarget(index), blocks=blocks, seed=seed
        )
        for name in names
    }


def ask_curves(
    card: ModelCard, picture: Picture, evidence: Map, index: int, *, fill: Fill, seed: int = 0
) -> Future[Float32[np.ndarray, " variant"]]:
    """The class's probability for every set of hidden patches on both curves of a map."""
    variants = tuple(
        (HidePatches(hidden, fill),) for hidden in distinct_sets(evidence, STEPS, seed=seed)
    )
    return vision.measure(card.id, picture, variants, ClassTarget(index))


def curves_of(evidence: Map, measured: np.ndarray, *, seed: int = 0) -> Perturbation:
    """What `ask_curves` asked, as curves."""
    return perturb(evidence, lambda _: measured, fractions=STEPS, seed=seed)


def gathered(
    futures: Mapping[Name, Future[Answer]], what: str, card: ModelCard
) -> dict[Name, Answer]:
    """Every result; what a model can't answer is told once and left out."""
    found: dict[Name, Answer] = {}
    refused: dict[str, list[str]] = {}
    line = st.empty()
    for name, future in futures.items():
        try:
            words = f"{what} {len(found)} of {len(futures)} …"
            found[name] = progress.waited(future, partial(line.caption, words))
        except progress.READER_ERRORS as error:
            refused.setdefault(str(error), []).append(
                params.METHODS[str(name)].title if str(name) in params.METHODS else str(name)
            )
    line.empty()
    for reason, names in refused.items():
        st.caption(plain(f"Not for {card.title}: {', '.join(names)}. {reason}"))
    return found
