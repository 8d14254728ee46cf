"""The best span of an answer, worked out: start score + end score, i ≤ j."""

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import encoder
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.style.worked import step, term, total
from app.ui import progress
from app.views.bert import state
from core.catalog import ModelCard
from core.explain.predictions.answer_spans import Spans, span_scores

EXAMPLE = ("the", "keeper", "lights", "the", "lamp", ".")
SPREAD = 0.02  # of fresh weights, as in the paper's initialisation
LONGEST = 30  # tokens of an answer


def span_answer(card: ModelCard, given: Given) -> None:
    """Scores that the reader wrote, or those of a head that nobody has trained."""
    st.subheader("Which span is the answer?")
    state.SPANS.segmented("Scores", quiet=True)
    found = _written() if state.SPANS.value == "given" else _random(card, given)
    if found is not None:
        _draw(*found)


def _written() -> tuple[tuple[str, ...], np.ndarray, np.ndarray] | None:
    st.caption(
        f"A worked example on “{' '.join(EXAMPLE)}” with made-up scores, as a trained head could "
        "give them. No model is asked; change them."
    )
    left, right = st.columns(2)
    with left:
        start = state.START.line("Start scores S·T", max_chars=200)
    with right:
        end = state.END.line("End scores E·T", max_chars=200)
    rows = [read_numbers(text) for text in (start, end)]
    for name, row in zip(("Start", "End"), rows, strict=True):
        if isinstance(row, str):
            st.warning(plain(f"{name} scores: {row}"), icon=":material/info:")
            return None
    return EXAMPLE, np.array(rows[0], np.float32), np.array(rows[1], np.float32)


def read_numbers(text: str) -> list[float] | str:
    """One number a token of the example, or what is wrong with them."""
    parts = [part for part in text.replace(",", " ").split() if part]
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return f"“{text}” are not all numbers. Write {len(EXAMPLE)} numbers, with commas between."
    if len(numbers) != len(EXAMPLE) or not np.isfinite(numbers).all():
        return (
            f"{len(numbers)} numbers came; the example has {len(EXAMPLE)} tokens and needs a "
            "finite number for each."
        )
    return numbers


def _random(card: ModelCard, given: Given) -> tuple[tuple[str, ...], np.ndarray, np.ndarray] | None:
    trace = progress.outcome(encoder.edited_trace(given)[1], card.id)
    if trace is None:
        return None
    state.HEAD_SEED.number_input("Seed of the head", width=160)
    st.warning(
        "**Untrained.** S and E are drawn at random (normal, spread 0.02), and multiplied with the "
        "real last layer of this passage. The answer means nothing: it shows the arithmetic before "
        "the first training step.",
        icon=":material/info:",
    )
    encoding = encoder.encoding_of(trace)
    places = np.flatnonzero((encoding.segments == 1) & ~encoding.special)
    generator = np.random.default_rng(state.HEAD_SEED.value)
    last = trace.hidden_states()[-1][places]  # (token, d_model)
    start, end = generator.normal(0, SPREAD, (2, last.shape[1])).astype(np.float32)
    return tuple(encoding.tokens[place] for place in places), last @ start, last @ end


def _draw(tokens: tuple[str, ...], start: np.ndarray, end: np.ndarray) -> None:
    spans = span_scores(start, end, longest=LONGEST)
    heat_map(
        HeatMap(
            values=spans.scores,
            rows=tokens,
            columns=tokens,
            label="Score of every span: start in the row, end in the column",
            caption="Span scores",
            row_title="start i",
            column_title="end j",
            hidden=~spans.allowed,
            numbers=len(tokens) <= 12,
            row_notes=tuple(f"start score {value:.3g}" for value in start),
            column_notes=tuple(f"end score {value:.3g}" for value in end),
            cell=(64, 34),
            height=560,
        ),
        key=state.HERE.key(f"spans-map.{state.SPANS.value}"),
        selected=spans.best,
    )
    _explain(tokens, spans, start, end)


def _explain(tokens: tuple[str, ...], spans: Spans, start: np.ndarray, end: np.ndarray) -> None:
    i, j = spans.best
    (from_, to), score = _sum(start[i], end[j])
    line = (
        f"Best span: **{plain(' '.join(tokens[i : j + 1]))}** "
        f"(i = {i}, j = {j}): {from_} + {term(to)} = **{score}**."
    )
    a, b = spans.unrestricted
    if (a, b) != (i, j):
        why = "ends before it begins" if b < a else f"is longer than {LONGEST} tokens"
        (from_, to), score = _sum(start[a], end[b])
        line += (
            f" The best start ({plain(tokens[a])}, {from_}) and the best end "
            f"({plain(tokens[b])}, {to}) would give {score}, "
            f"but such a span {why}."
        )
    st.markdown(line)
    st.caption(
        "Rows are starts, columns ends; hatched spans are not allowed (i > j"
        + (f", or longer than {LONGEST} tokens)." if len(tokens) > LONGEST else ").")
        + " SQuAD 2.0 compares the best with S·C + E·C, the score of “no answer”."
    )


def _sum(start: float, end: float) -> tuple[tuple[str, ...], str]:
    """Both scores and the span's, as printed."""
    return step([float(start), float(end)], float(start) + float(end), total)
