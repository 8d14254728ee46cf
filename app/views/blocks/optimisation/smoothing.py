"""Label smoothing on a real prediction, or on logits of the reader's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app import encoders, figures, inference, links
from app.plain import plain
from app.quantities import three
from app.views.blocks.exports import Export
from app.views.blocks.optimisation.words import about_smoothing
from app.views.blocks.state import PAGE, get, key, put
from app.waiting import outcome
from core.blocks.label_smoothing import (
    LARGEST_LOGIT,
    best_gap,
    log_softmax,
    sharpened,
    smoothed_loss,
    smoothed_target,
)
from core.errors import InputError

MODEL: Final = "bert-mini"
MASK: Final = "[MASK]"
SOURCES: Final = {"bert": "BERT mini's answer", "logits": "logits of your own"}
SHOWN: Final = 12  # classes in the figure
MOST_LOGITS: Final = 40
GAPS: Final = np.linspace(-4, 24, 113)
EXAMPLES: Final = {
    "Paris": ("paris is the capital of [MASK] .", "france"),
    "the store": ("the man went to the [MASK] to buy milk .", "store"),
    "the river": ("the [MASK] flows into the sea .", "river"),
}

SOURCE = links.choice("smooth", list(SOURCES))
SHARE = links.number("ls", 0.0, 1.0, 0.1)
TEXT = links.text("masked", EXAMPLES["Paris"][0])
RIGHT = links.text("right", EXAMPLES["Paris"][1])
LOGITS = links.text("logits", "4, 2.5, 1, 0, -1")
RIGHT_CLASS = links.number("gold", 0, MOST_LOGITS - 1, 0)
PARAMS: Final = (SOURCE, SHARE, TEXT, RIGHT, LOGITS, RIGHT_CLASS)


@dataclass(frozen=True, eq=False)
class Case:
    """One prediction: its logits, what its classes are called, which one is right."""

    logits: np.ndarray  # (class,), float64
    names: tuple[str, ...]
    right: int


def render() -> Export | None:
    """The prediction, the target; the loss against the right class's lead."""
    try:
        case = _case()
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    if case is None:
        return None
    share = float(get(SHARE))
    caption = f"right: {case.names[case.right]}, ε = {share:g}, {len(case.names):,} classes"
    left, right = st.columns(2, gap="medium")
    with left:
        _distributions(case, share, caption)
    with right:
        _losses(case, share, caption)
    _numbers(case, share)
    about_smoothing()
    return Export("label-smoothing", caption, lambda: _table(case, share))


def _case() -> Case | None:
    """The controls and what they choose. Raises InputError for what can't be used."""
    first, second, third = st.columns([3, 4, 2.4], vertical_alignment="bottom")
    with first:
        st.segmented_control(
            "A prediction",
            list(SOURCES),
            format_func=SOURCES.__getitem__,
            key=key(SOURCE),
            required=True,
        )
    with third:
        st.slider("ε, the share that is spread", 0.0, 1.0, step=0.01, key=key(SHARE))
    if get(SOURCE) == "logits":
        with second, st.container(horizontal=True):
            text = st.text_input("Logits, separated by commas", key=key(LOGITS), max_chars=600)
            place = st.number_input(
                "Right class, from 0", 0, MOST_LOGITS - 1, key=key(RIGHT_CLASS), width=150
            )
        return _typed(text, place)
    with second, st.container(horizontal=True):
        text = st.text_input(f"A sentence with one {MASK}", key=key(TEXT), max_chars=500)
        word = st.text_input("The right word", key=key(RIGHT), max_chars=40, width=150)
    st.pills(
        "Examples",
        list(EXAMPLES),
        key=f"{PAGE}.smoothing-example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    return _predicted(text, word)


def _take_example() -> None:
    chosen = st.session_state[f"{PAGE}.smoothing-example"]
    if chosen in EXAMPLES:
        text, word = EXAMPLES[chosen]
        put(TEXT, text)
        put(RIGHT, word)
    st.session_state[f"{PAGE}.smoothing-example"] = None


def _typed(text: str, place: int) -> Case:
    try:
        logits = np.array([float(part) for part in text.split(",") if part.strip()])
    except ValueError:
        raise InputError(
            f"“{text}” is no list of numbers. Write them like 4, 2.5, −1 with a hyphen for minus."
        ) from None
    if not 2 <= len(logits) <= MOST_LOGITS:
        raise InputError(f"{len(logits)} logits came; 2 to {MOST_LOGITS} are allowed.")
    if not (np.abs(logits) <= LARGEST_LOGIT).all():  # a NaN is not, either
        raise InputError(f"Each logit lies between −{LARGEST_LOGIT:,.0f} and {LARGEST_LOGIT:,.0f}.")
    if place >= len(logits):
        raise InputError(
            f"The right class is {place}, but the {len(logits)} classes count from 0 to "
            f"{len(logits) - 1}."
        )
    return Case(logits, tuple(f"class {number}" for number in range(len(logits))), int(place))


def _predicted(text: str, word: str) -> Case | None:
    """BERT mini's logits at the mask. Raises InputError for a text or word that can't be used."""
    names = outcome(encoders.vocabulary(MODEL), MODEL)
    _, asked = inference.request_trace(MODEL, text)
    trace = outcome(asked, MODEL)
    if names is None or trace is None:
        return None
    masks = [place for place, token in enumerate(trace.tokens) if token == MASK]
    if len(masks) != 1:
        raise InputError(
            f"The sentence has {len(masks)} {MASK}; this figure needs exactly one. Put it where "
            "the right word is missing."
        )
    token = word.strip().lower()
    if token not in names:
        raise InputError(
            f"“{word.strip()}” is not one token of BERT mini's {len(names):,}. Take a more common "
            "word, without spaces."
        )
    if trace.logits is None:
        raise ValueError("BERT mini has a masked-LM head")
    return Case(trace.logits[masks[0]].astype(np.float64), names, names.index(token))


def _order(case: Case) -> list[int]:
    """The right class first, then the most probable others."""
    ranked = np.argsort(-case.logits, kind="stable").tolist()
    return [case.right, *(place for place in ranked if place != case.right)][:SHOWN]


def _distributions(case: Case, share: float, caption: str) -> None:
    order = _order(case)
    names = [case.names[place] for place in order]
    target = smoothed_target(len(case.names), case.right, share)
    probabilities = np.exp(log_softmax(case.logits))
    figure = figures.chart(
        [
            figures.Curve(
                name,
                names,
                values[order],
                tuple(f"{n}: {three(v)}" for n, v in zip(names, values[order], strict=True)),
                lines=False,
                hollow=(hollow,) * len(order),
            )
            for name, values, hollow in (
                ("the model's p", probabilities, False),
                (f"target q at ε = {share:g}", target, True),
            )
        ],
        x_title=f"the right class, then the likeliest {len(order) - 1} of {len(case.names):,}",
        y_title="probability (log)",
        log_y=True,
        height=370,
    )
    figures.show(figure, key=f"{PAGE}.smoothing-p", name="smoothed-target", caption=caption)


def _losses(case: Case, share: float, caption: str) -> None:
    moved = sharpened(case.logits, case.right, GAPS)
    found = [
        [smoothed_loss(row, case.right, kept).total for row in moved]
        for kept in dict.fromkeys((0.0, share))
    ]
    curves = []
    for kept, losses in zip(dict.fromkeys((0.0, share)), found, strict=True):
        curves.append(
            figures.Curve(
                f"loss at ε = {kept:g}", GAPS, np.array(losses), markers=False,
                dashed=kept != share,
            )
        )  # fmt: skip
    lead = np.array([case.logits[case.right] - np.delete(case.logits, case.right).max()])
    now = np.array([smoothed_loss(case.logits, case.right, share).total])
    curves.append(figures.Curve("this prediction", lead, now, lines=False))
    figure = figures.chart(
        curves,
        x_title="the right logit's lead over the best other one",
        y_title="loss (nats)",
        height=370,
    )
    if share:
        lowest = GAPS[int(np.argmin(found[-1]))]
        figures.mark_x(figure, float(lowest), f"lowest: lead {three(lowest)}")
    figures.show(figure, key=f"{PAGE}.smoothing-loss", name="smoothed-loss", caption=caption)


def _numbers(case: Case, share: float) -> None:
    loss = smoothed_loss(case.logits, case.right, share)
    probability = float(np.exp(-loss.right))
    columns = st.columns(5)
    columns[0].metric("p of the right class", three(probability))
    columns[1].metric("Loss, ε = 0", f"{three(loss.right)} nats", help="−ln p")
    columns[2].metric(
        f"Loss, ε = {share:g}",
        f"{three(loss.total)} nats",
        help=f"(1 − ε) · {three(loss.right)} + ε · {three(loss.uniform)}, the mean −ln p",
    )
    columns[3].metric(
        "Lowest possible",
        f"{three(loss.floor)} nats",
        help="The target's own entropy, reached where p = q.",
    )
    columns[4].metric(
        "Lead at p = q",
        three(best_gap(len(case.names), share)),
        help="How far the right logit stands above all others where the loss is lowest.",
    )


def _table(case: Case, share: float) -> tuple[list[str], Iterator[tuple[object, ...]]]:
    target = smoothed_target(len(case.names), case.right, share)
    probabilities = np.exp(log_softmax(case.logits))
    return ["class", "logit", "p", "q"], zip(
        case.names, case.logits, probabilities, target, strict=True
    )
