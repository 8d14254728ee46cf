"""The whole view below its input: numbers as they come, the chosen method, the check."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.token_row import Chip, token_row
from app.components.token_table import TokenTable
from app.content.prose import prose
from app.services import engine, token_evidence
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step
from app.ui import progress
from app.ui.arrived import arriving
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.options import one_of
from app.ui.place import Place
from app.ui.which_words import curves, table
from app.ui.which_words.curves import Measured
from app.ui.which_words.params import METHODS, RANDOM, SLOW, WordParams
from app.ui.which_words.shown import Shown
from app.ui.which_words.table import Answers
from core.explain.attribution.perturbation_curves import hidden_sets, word_fractions
from core.outputs.token_evidence import TokenEvidence

MOST_TOKENS: Final = 96  # of the text: Value Zeroing runs the model once a layer and token
WORK: Final = "the model runs many times"


def figure(
    params: WordParams, shown: Shown, facts: Mapping[str, str], place: DeltaGenerator
) -> Export | None:
    """Everything below the input, the answer in `place`. None for a text that is too long."""
    first = (
        f"**{plain(shown.answer)}** {shown.where} has a probability of "
        f"**{three(shown.probability)}**" + (f", rank {shown.rank:,}." if shown.rank > 1 else ".")
    )
    place.markdown(first)
    if len(shown.tokens) > MOST_TOKENS:
        st.info(
            f"The text has {len(shown.tokens)} tokens; up to {MOST_TOKENS} are explained here, "
            "since some methods run the model once for every layer and token. Shorten it."
        )
        return None
    table.pick(params, shown)
    rows = Place()
    with controls("-method"):
        params.method.selectbox("Look at", width=300)
    stand_in = progress.outcome(token_evidence.stand_in(shown.card.id), shown.card.id)
    drawn = _as_they_come(params, shown, rows)
    if drawn is None or stand_in is None:
        return None
    drawing, answers = drawn
    for reason, names in _refusals(answers).items():
        st.caption(plain(f"Not here: {', '.join(names)}. {reason}"))
    _completeness(answers)
    found = None
    if len(shown.words):
        found = _check(params, shown, answers, stand_in)
        place.markdown(f"{first} {curves.said(shown, found, answers.found)}")
    else:
        st.info("There is no word that could be hidden: everything here is a special token.")
    return Export(
        "which-words",
        f"Evidence for {shown.caption}",
        lambda: _table(shown, answers),
        lambda: _arrays(shown, answers, found),
        more={} if found is None else {"curves": lambda: _curve_table(found)},
        offline=("token_table", lambda: table.frame(drawing)),
        facts={
            **facts,
            "method": about(params.method.value),
            "stand_in": plain(shown.vocabulary[stand_in]),
        },
    )


def about(method: str) -> str:
    """A method's formula, paper and caution."""
    return prose("evidence/tokens").columns(method, {})[0]


def _as_they_come(
    params: WordParams, shown: Shown, place: Place
) -> tuple[TokenTable, Answers] | None:
    order = sorted(METHODS, key=lambda name: (name in SLOW, name != params.method.value))
    requests = {name: token_evidence.evidence_request(shown.asked, METHODS[name]) for name in order}
    with engine.wanted(requests) as futures:
        for answers in arriving(futures, tuple(METHODS), _working):
            with place.meanwhile() if answers.awaited else place.figure():
                drawn = table.table(params, shown, answers)
            if not answers.awaited:
                return drawn, answers
    return None


def _working(name: str) -> str:
    return METHODS[name].title + (f": {WORK}" if name in SLOW else "")


def _check(params: WordParams, shown: Shown, answers: Answers, stand_in: int) -> Measured:
    """Curves, areas, and the sentence with some words hidden."""
    left, right = st.columns([5, 8], gap="large")
    with right:
        found = curves.measured(shown, answers.found, stand_in)
        curves.draw(params, shown, found)
    with left:
        curves.areas(found)
    _sentence(params, shown, answers, found, stand_in)
    return found


def _sentence(
    params: WordParams, shown: Shown, answers: Answers, found: Measured, stand_in: int
) -> None:
    """The text with words hidden in the chosen method's order, and what is left of the answer."""
    name = params.method.value
    if name not in answers.found or name not in found.curves:
        return
    one = found.curves[name]
    sets, _ = hidden_sets(answers.found[name].values[shown.words], word_fractions(len(shown.words)))
    at = _step(params, [len(words) for words in sets])
    gone = {int(shown.words[word]) for word in sets[at]}
    chips = tuple(
        Chip(shown.vocabulary[stand_in], note=token, state="masked", token_id=stand_in)
        if place in gone
        else Chip(
            token,
            state="quiet" if shown.encoding.special[place] else "plain",
            token_id=int(shown.encoding.ids[place]),
        )
        for place, token in enumerate(shown.tokens)
    )
    mean = f", on average over {2 * token_evidence.DRAWS} random orders," if name == RANDOM else ""
    st.caption(
        f"{len(gone)} of {len(shown.words)} words hidden in the order of {METHODS[name].title}: "
        f"{plain(shown.answer)}{mean} is left with {three(100 * float(one.positive[at]))} %."
    )
    token_row(
        chips,
        label=f"The text with {len(gone)} words hidden",
        key=params.scope.key("hidden-row"),
        clickable=False,
        caption=f"{shown.caption} · {len(gone)} words hidden",
    )


def _step(params: WordParams, counts: Sequence[int]) -> int:
    """Up to which step of the curves words are hidden; chosen by how many that hides."""
    if len(counts) == 2:  # one word, which is hidden
        return 1
    params.hidden.kept_below(len(counts))
    return one_of(
        params.hidden,
        st.select_slider,
        "Words hidden below",
        range(len(counts)),
        lambda step: str(counts[int(step)]),
        numbers=counts.__getitem__,
    )


def _completeness(answers: Answers) -> None:
    """What integrated gradients promise, and what the sum of 64 points left over."""
    one = answers.found.get("integrated-gradients")
    if one is None or one.answer is None or one.baseline is None:
        return
    (whole, none), change = step(
        (one.answer, one.baseline), one.answer - one.baseline, lambda up, down: up - down
    )
    residue = 0.0 if one.residual is None else one.residual
    st.caption(
        f"Integrated gradients share out the logit, {whole} with the text less {none} with every "
        f"word hidden: {change}. Left over by the sum in place of the integral: {three(residue)}."
    )


def _refusals(answers: Answers) -> dict[str, list[str]]:
    """Why some methods are missing: one sentence for all that share a reason."""
    reasons: dict[str, list[str]] = {}
    for name, reason in answers.refused.items():
        reasons.setdefault(reason, []).append(METHODS[name].title)
    return reasons


def _table(shown: Shown, answers: Answers) -> Table:
    lines = (
        (name, place, token, repr(float(one.values[place])))
        for name, one in answers.found.items()
        for place, token in enumerate(shown.tokens)
    )
    return ("method", "position", "token", "evidence"), lines


def _curve_table(found: Measured) -> Table:
    lines = (
        (name, way, repr(float(fraction)), repr(float(value)))
        for name, one in found.curves.items()
        for way, values in zip(curves.WAYS, (one.positive, one.negative), strict=True)
        for fraction, value in zip(one.fractions, values, strict=True)
    )
    return ("method", "order", "hidden_fraction", "probability"), lines


def _arrays(shown: Shown, answers: Answers, found: Measured | None) -> dict[str, np.ndarray]:
    evidence: Mapping[str, TokenEvidence] = answers.found
    made: dict[str, np.ndarray] = {
        "tokens": np.array(shown.tokens),
        "words": shown.words,
        "position": np.array(shown.place),
        "answer": np.array(shown.answer),
        "probability": np.array(shown.probability),
        **{name: one.values for name, one in evidence.items()},
    }
    gradients = evidence.get("integrated-gradients")
    if gradients is not None and gradients.residual is not None:
        made["completeness_residual"] = np.array(gradients.residual)
    return made | ({} if found is None else curves.arrays(found))
