"""What the changes do to the answer: the five likeliest classes before and after."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.moved_answers import Moved, moved_answers
from app.services import vision
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.vision.classes import labels_of
from app.views.vision.inputs import Chosen
from app.views.vision.picture_truth import says
from app.views.vision.what_if import params
from app.views.vision.what_if.changes import Changes
from core.explain.attribution.answer_shift import class_ranks, moved_mass, union_of_top
from core.explain.attribution.random_patches import AgainstChance, random_sets
from core.interventions import HidePatches
from core.targets import ClassTarget

TOP: Final = 5
DRAWS: Final = 20  # random sets of as many patches


@dataclass(frozen=True, eq=False)
class Answers:
    """Every class's probability before and after."""

    labels: tuple[str, ...]
    before: Float32[np.ndarray, " class"]
    after: Float32[np.ndarray, " class"]

    @property
    def first(self) -> int:
        """The class that the untouched picture gets."""
        return int(self.before.argmax())


def ask(chosen: Chosen, changes: Changes) -> tuple[Answers, Changes] | None:
    """Both answers, and the changes that could be made; None after saying why there is none."""
    made = changes
    answered = _probabilities(chosen, changes)
    if answered is None and changes.positions != "kept":  # the page has said why not
        made = changes.with_positions_kept()
        st.caption("Everything below has its positions as trained.")
        answered = _probabilities(chosen, made)
    if answered is None:
        return None
    return Answers(labels_of(chosen, answered.shape[1]), answered[0], answered[1]), made


def draw(chosen: Chosen, changes: Changes, answers: Answers) -> None:
    """The bars, what they say in words, and how much probability moved."""
    rows = moved_rows(answers)
    moved_answers(
        rows,
        label="The likeliest classes, before and after",
        key=params.HERE.key("bars"),
        caption=f"{chosen.card.title}, {chosen.picture.name}: {changes.words}",
        clickable=False,
    )
    if not changes.interventions:
        st.caption(
            "Nothing is changed yet: drag over the picture, silence a head, or move the positions."
        )


def answered(chosen: Chosen, changes: Changes, answers: Answers) -> str:
    """The answer and the truth, and what the changes make of them, in Markdown."""
    said = says(chosen, answers.labels, answers.before)
    if not changes.interventions:
        return said
    now = int(answers.after.argmax())
    verdict = (
        f"The answer stays **{plain(answers.labels[now])}**"
        if now == answers.first
        else f"The answer turns from **{plain(answers.labels[answers.first])}** to "
        f"**{plain(answers.labels[now])}**"
    )
    return (
        f"{said} {verdict}; **{three(100 * moved_mass(answers.before, answers.after))} %** of all "
        f"probability went to other classes ({plain(changes.words)})."
    )


def random_patches(chosen: Chosen, changes: Changes, answers: Answers) -> None:
    """The control: as many patches, but any."""
    params.RANDOM.toggle(
        "Compare with as many patches at random",
        help=f"{DRAWS} draws, hidden one set at a time, all else unchanged.",
        disabled=not changes.hidden,
    )
    if not params.RANDOM.value or not changes.hidden:
        return
    sets = random_sets(chosen.seen.grid.n_patches, len(changes.hidden), draws=DRAWS)
    others = tuple(one for one in changes.interventions if not isinstance(one, HidePatches))
    variants = tuple((HidePatches(hidden), *others) for hidden in (*sets, changes.hidden))
    measured = progress.outcome(
        vision.measure(chosen.card.id, chosen.picture, variants, ClassTarget(answers.first)),
        chosen.card.id,
    )
    if measured is None:
        return
    found = AgainstChance.of(float(measured[-1]), measured[:-1])
    st.markdown(
        f"**{plain(answers.labels[answers.first])}**, {len(changes.hidden)} patches hidden: "
        f"{three(found.chosen)} with yours; {three(found.mean)} on average with {DRAWS} random "
        f"sets ({three(found.least)} to {three(found.most)}). "
        f"{found.n_as_bad} of {DRAWS} random sets hurt at least as much."
    )


def moved_rows(answers: Answers) -> tuple[Moved, ...]:
    """The five likeliest after, then those of the former five that fell behind."""
    ranks = [class_ranks(p) for p in (answers.before, answers.after)]
    return tuple(
        Moved(
            answers.labels[index],
            float(answers.before[index]),
            float(answers.after[index]),
            int(ranks[0][index]),
            int(ranks[1][index]),
            lit=index == answers.first,
        )
        for index in union_of_top(answers.before, answers.after, TOP)
    )


def _probabilities(chosen: Chosen, changes: Changes) -> np.ndarray | None:
    variants = ((), changes.interventions)
    asked = vision.probabilities(chosen.card.id, chosen.picture, variants)
    return progress.outcome(asked, chosen.card.id)
