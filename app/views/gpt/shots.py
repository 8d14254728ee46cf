"""Does the model learn from examples in its prompt? P of the answer against their number."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.services import decoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import product, step
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import quoted
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, model_input
from app.views.gpt.prompts import PRESETS, Pair, ShotSet, build, read_pairs, shuffled, write_pairs
from app.views.gpt.state import MODEL
from core.outputs.decoder import ContinuationScore

MOST_SHOTS: Final = 12
HERE: Final = Scope("gpt", "shots")
SHOTS: Final = HERE.text("examples")
QUERY: Final = HERE.text("query")
ANSWER: Final = HERE.text("answer")
STYLE: Final = HERE.choice(
    "format",
    {"arrow": "x -> y", "question": "Q: x A: y", "colon": "x: y", "sentence": "x is to y."},
)
COUNT: Final = HERE.whole("shots", -1, MOST_SHOTS, -1)  # examples in the shown prompt; -1: all
SEED: Final = HERE.whole("seed", 0, 999_999, 0)  # of the mixed-up answers


def render() -> Figure | None:
    """Examples, a question, its answer; the figure."""
    if not SHOTS.value and not QUERY.value:
        _take(PRESETS["capitals"])
    count = len(SHOTS.value.splitlines())
    opened = model_input(f"{count} examples, then {quoted(QUERY.value)}", fields=_inputs)
    return None if opened is None else partial(_figure, opened, count)


def _figure(opened: Opened, count: int) -> Export | None:
    """The curve; the prompt."""
    pairs = read_pairs(SHOTS.value, MOST_SHOTS)
    query, wanted = QUERY.value.strip(), ANSWER.value.strip()
    if not query or not wanted:
        st.info("Give a question and the answer whose probability is watched.")
        return None
    if count > MOST_SHOTS:
        st.caption(f"The first {MOST_SHOTS} examples are used.")
    found = _scores(opened, pairs, query, wanted)
    if found is None:
        return None
    fitting = pairs[: len(found) - 1]
    mixed = _scores(opened, shuffled(fitting, SEED.value), query, wanted)
    answer(_answered(found, wanted, opened.vocabulary))
    _curve(opened, found, mixed, wanted)
    _prompt(pairs, query, wanted, found)
    caption = f"{opened.card.title}: P({wanted}) after {query}, by number of examples"
    return Export(
        facts=opened.facts,
        name="few-shot",
        caption=caption,
        table=lambda: _table(opened, found, mixed),
        arrays=lambda: {"probabilities": _probabilities(found)},
    )


def _inputs() -> None:
    tasks = {preset.title: preset for preset in PRESETS.values()}
    example_chips(tasks, _take, key=HERE.key("preset"), label="Tasks")
    STYLE.segmented("Prompt format", wrap=True)
    SHOTS.area("Examples, one a line", height=210, lines=True)
    question, answer = st.columns(2)
    with question:
        QUERY.line("Question", max_chars=200)
    with answer:
        ANSWER.line("Answer to watch", max_chars=60)


def _take(preset: ShotSet) -> None:
    SHOTS.put(write_pairs(preset.pairs))
    QUERY.put(preset.query)
    ANSWER.put(preset.answer)


def _scores(
    opened: Opened, pairs: tuple[Pair, ...], query: str, wanted: str
) -> list[ContinuationScore] | None:
    """The answer's score after 0, 1, … examples; as many as fit the context."""
    style = STYLE.value
    futures = [
        decoder.score(opened.card.id, build(pairs[:count], query, style), f" {wanted}")
        for count in range(len(pairs) + 1)
    ]
    first = progress.outcome(futures[0], opened.card.id)
    if first is None:
        return None
    found = [first]
    for count, future in enumerate(futures[1:], 1):
        result = progress.outcome(future, opened.card.id)
        if result is None:  # its message says that it is too long
            st.caption(f"The curve ends at {count - 1} examples.")
            break
        found.append(result)
    return found


def _probabilities(found: list[ContinuationScore]) -> np.ndarray:
    return np.array([score.probability for score in found])


def _curve(
    opened: Opened,
    found: list[ContinuationScore],
    mixed: list[ContinuationScore] | None,
    wanted: str,
) -> None:
    curves = [_one_curve(opened, found, f"P({wanted})", dashed=False)]
    if mixed is not None and len(found) > 2:
        curves.append(_one_curve(opened, mixed, "the examples' answers mixed up", dashed=True))
    chart = charts.chart(
        curves, x_title="examples in the prompt", y_title="probability", log_y=True, height=360
    )
    chart.x_axis(dtick=1)
    charts.show(chart, key=HERE.key("curve"), name="few-shot")


def _answered(found: list[ContinuationScore], wanted: str, vocabulary: Sequence[str]) -> str:
    """What the examples made of the answer: first whether the model would say it at all."""
    first, last = found[0], found[-1]
    rank = last.ranks[0]
    said = (
        f"the model would say {plain(wanted)}"
        if set(last.ranks) == {1}
        else f"the model would still not say {plain(wanted)}: "
        + (
            "it begins so, and goes on otherwise"
            if rank == 1
            else f"{rank - 1:,} of {len(vocabulary):,} tokens come before it, "
            f"{plain(vocabulary[last.first_choice])} first"
        )
    )
    return (
        f"With {len(found) - 1} examples {said}. Its rank: {first.ranks[0]:,} without an example, "
        f"**{rank:,}** now; its probability: from **{three(first.probability)}** to "
        f"**{three(last.probability)}**."
    )


def _one_curve(
    opened: Opened, found: list[ContinuationScore], name: str, *, dashed: bool
) -> charts.Curve:
    return charts.Curve(
        name=name,
        x=np.arange(len(found), dtype=np.float64),
        y=np.maximum(_probabilities(found), 1e-30),
        hover=tuple(
            f"{count} examples, {score.prompt_length} tokens: P = {three(score.probability)}, "
            f"rank {score.ranks[0]}; first choice {opened.vocabulary[score.first_choice]}"
            for count, score in enumerate(found)
        ),
        dashed=dashed,
        hue="positive" if dashed else "decoder",
    )


def _prompt(
    pairs: tuple[Pair, ...],
    query: str,
    wanted: str,
    found: list[ContinuationScore],
) -> None:
    """The prompt as the model gets it, and the answer token by token."""
    most = len(found) - 1
    left, right = st.columns([6, 7], gap="large")
    with left:
        count = most
        if most:
            if COUNT.value < 0:
                COUNT.put(most)
            count = COUNT.slider("Examples shown", 0, most, step=1)
        st.code(build(pairs[:count], query, STYLE.value), language=None, wrap_lines=True)
    with right:
        score = found[count]
        st.markdown(f"**{plain(wanted)}, token by token** after {score.prompt_length} tokens")
        data_table(
            {
                "token": list(score.tokens),
                "P given those before": [three(float(np.exp(p))) for p in score.log_probabilities],
                "rank": list(score.ranks),
            },
            height="content",
        )
        if len(score.tokens) == 1:
            return
        factors, result = step(
            [float(np.exp(p)) for p in score.log_probabilities],
            score.probability,
            product,
        )
        st.markdown(f"P = {' × '.join(factors)} = **{result}**")


def _table(
    opened: Opened, found: list[ContinuationScore], mixed: list[ContinuationScore] | None
) -> Table:
    header = ["examples", "prompt_tokens", "p", "rank", "first_choice", "p_mixed"]
    rows = [
        (
            count,
            score.prompt_length,
            repr(score.probability),
            score.ranks[0],
            opened.vocabulary[score.first_choice],
            repr(mixed[count].probability) if mixed and count < len(mixed) else "",
        )
        for count, score in enumerate(found)
    ]
    return header, rows


VIEW: Final = View("shots", "Few-shot", (MODEL, SHOTS, QUERY, ANSWER, STYLE, COUNT, SEED), render)
