"""Which word comes next? The real logits, and the sliders' arithmetic on them, step by step."""

import math
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates, candidates_frame
from app.components.token_row import Chip, token_row
from app.services import decoder
from app.services.questions import WordAt
from app.services.silencing import Question
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.style.worked import Step, follow, total
from app.ui import prediction
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View, go
from app.ui.silence import with_effect
from app.views.gpt.controls import sampling_controls
from app.views.gpt.inputs import Opened, prompt_step
from app.views.gpt.silencing import silence
from app.views.gpt.state import HERE, MODEL, NAMES, SAMPLING, SEED, SILENCE, TEXT, TREE, sampling
from core.explain.predictions.sampling import (
    CutDistribution,
    Draw,
    Sampling,
    draw,
)
from core.outputs.decoder import NextStep

SHOWN = 12
MOST_EXPORTED = 1000


def render() -> Figure | None:
    """Prompt, model, distribution."""
    asked = prompt_step()
    return None if asked is None else partial(_figure, *asked)


def _figure(opened: Opened, step: NextStep) -> Export | None:
    """Everything that the sliders move."""
    question = WordAt(Question(opened.card.id, TEXT.value, len(step.encoding) - 1))
    words = "Which token does the model expect next?"
    if prediction.asks(HERE.key("prediction"), words, question, opened.card.id):
        return None
    chosen = sampling_controls()
    cut = decoder.cut(opened.card.id, TEXT.value, step, chosen)
    said = answer(_answered(opened, cut))
    drawn = draw(cut, seed=SEED.value, step=0)
    left, right = st.columns([6, 7], gap="large")
    with left:
        rows = _candidates(opened, cut, drawn)
        token_row(
            (
                *(
                    Chip(token, state="quiet", token_id=int(own))
                    for token, own in zip(
                        step.encoding.tokens[-8:], step.encoding.ids[-8:], strict=True
                    )
                ),
                _drawn_chip(opened, drawn, cut),
            ),
            label="The end of the prompt and the drawn token",
            key=HERE.key("next.row"),
            clickable=False,
        )
        _say_draw(drawn, chosen)
    with right:
        _arithmetic(opened, cut, drawn, chosen)
    silenced = silence(opened, step)
    caption = _caption(opened, chosen)
    if silenced is not None and silenced.said:
        said.markdown(f"{_answered(opened, cut)} {silenced.said}")
    export = Export(
        facts=opened.facts,
        name="next-token",
        caption=caption,
        table=lambda: _table(opened, cut),
        arrays=lambda: {
            "logits": cut.logits,
            "probabilities": cut.raw,
            "tempered": cut.tempered,
            "final": cut.final,
            "tokens": np.array(opened.vocabulary),
        },
        offline=(
            "candidates",
            lambda: candidates_frame(rows, label="Next tokens", caption=caption, hue="decoder"),
        ),
    )
    return with_effect(export, silenced)


def _answered(opened: Opened, cut: CutDistribution) -> str:
    """The likeliest token, and how many share the rest."""
    best = int(cut.order[0])
    return (
        f"After this prompt **{plain(visible(opened.vocabulary[best]))}** is the likeliest, with "
        f"**{three(float(cut.final[best]))}**; {cut.n_kept:,} of {len(cut.logits):,} tokens may "
        "come."
    )


def _candidates(opened: Opened, cut: CutDistribution, drawn: Draw) -> tuple[Candidate, ...]:
    rows = tuple(
        Candidate(
            opened.vocabulary[int(index)],
            float(cut.final[index]),
            note="cut" if not cut.kept[index] else f"raw {three(float(cut.raw[index]))}",
            tip=(
                f"logit {three(float(cut.logits[index]))} · rank {rank + 1} of {len(cut.logits):,}",
                f"{three(float(cut.raw[index]) * len(cut.logits))} × uniform",
            ),
            lit=index == drawn.token,
            token_id=index,
        )
        for rank, index in enumerate(cut.order[:SHOWN].tolist())
    )
    picked = candidates(
        rows,
        label="Next tokens",
        key=HERE.key("next"),
        caption=_caption(opened, sampling()),
        hue="decoder",
    )
    st.caption(
        f"**{min(SHOWN, len(cut.logits))} of {len(cut.logits):,} tokens**: probability after "
        "temperature and cuts"
    )
    if picked is not None:
        _write_on(int(cut.order[picked]))
    return rows


def _write_on(token: int) -> None:
    """A click chooses the token: the page goes on in “Generate”."""
    TREE.put(TREE.value.to(0, 0).grow(token))
    go("gpt", "generate")


def _drawn_chip(opened: Opened, drawn: Draw, cut: CutDistribution) -> Chip:
    return Chip(
        opened.vocabulary[drawn.token],
        note=three(float(cut.final[drawn.token])),
        state="lit",
        shade=float(cut.final[drawn.token]),
        hue="decoder",
        token_id=drawn.token,
    )


def _say_draw(drawn: Draw, sampling: Sampling) -> None:
    if sampling.greedy:
        st.caption("Nothing is drawn: one token is left.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Seed {SEED.value} draws {drawn.number:.4f}, which falls into this token's "
            f"stretch, {drawn.low:.4f} to {drawn.high:.4f}."
        )
        st.button("Draw again", on_click=_next_seed, type="tertiary", icon=":material/casino:")


def _next_seed() -> None:
    SEED.put((SEED.value + 1) % 1_000_000)


def _arithmetic(opened: Opened, cut: CutDistribution, drawn: Draw, sampling: Sampling) -> None:
    """The same rows as numbers, and the three sentences that lead from one column to the next."""
    top = cut.order[:SHOWN]
    greedy = sampling.temperature == 0
    said = _worked(cut, drawn.token, sampling.temperature)
    columns: dict[str, list[object]] = {
        "token": [visible(opened.vocabulary[int(index)]) for index in top],
        "logit z": [said[f"z {index}"] for index in top],
        "z / T": ["–" if greedy else said[f"z/T {index}"] for index in top],
        "exp(z/T − max)": ["–" if greedy else said[f"exp {index}"] for index in top],
        "softmax": [said[f"p {index}"] for index in top],
        "Σ": [said[f"Σ {index}"] for index in top],
        "after cut": [said[f"kept {index}"] if cut.kept[index] else "cut" for index in top],
    }
    st.markdown("**The same tokens, worked out**")
    data_table(columns, height="content", key=HERE.key("arithmetic"))
    if greedy:
        st.markdown(
            "T → 0: the softmax puts everything on the largest logit. Nothing is divided by zero; "
            "the limit is taken."
        )
    else:
        st.markdown(
            f"softmax = exp(z/T − max) ÷ Σ exp = … ÷ **{said['sum']}** "
            f"(the sum over all {len(cut.logits):,} tokens)."
        )
    if cut.n_kept == len(cut.logits):
        st.markdown("Nothing is cut: every token may come. Lower top-p, or raise top-k from 0.")
        return
    st.markdown(
        f"Kept: **{cut.n_kept:,}** of {len(cut.logits):,} tokens with a mass of "
        f"**{said['mass']}**; {said['away']} is cut away. After the cut each kept probability is "
        f"divided by {said['mass']}."
    )
    if 0 < sampling.top_k < cut.n_kept:
        st.caption(f"Tokens tied with the {sampling.top_k}th stay, too.")
    token = drawn.token
    if not greedy:
        st.markdown(
            f"For the drawn {plain(visible(opened.vocabulary[token]))}: "
            f"{said[f'p {token}']} ÷ {said['mass']} = **{said[f'kept {token}']}**."
        )


def _worked(cut: CutDistribution, drawn: int, temperature: float) -> dict[str, str]:
    """All numbers of the table and of the sentences below it, as printed."""
    top = list(dict.fromkeys([*map(int, cut.order[:SHOWN]), drawn]))
    greedy = temperature == 0
    logits = cut.logits.astype(np.float64)
    scaled = logits if greedy else logits / temperature
    exponentials = np.exp(scaled - scaled.max())
    values = {
        "sum": float(exponentials.sum()),
        "mass": cut.kept_mass,
        "away": max(0.0, 1 - cut.kept_mass),
    }
    steps = [Step("away", ("mass",), lambda mass: max(0.0, 1 - mass))]
    for place, index in enumerate(top):
        values |= {
            f"z {index}": float(logits[index]),
            f"z/T {index}": float(scaled[index]),
            f"exp {index}": float(exponentials[index]),
            f"p {index}": float(cut.tempered[index]),
            f"Σ {index}": float(cut.tempered[top[: place + 1]].sum(dtype=np.float64)),
            f"kept {index}": float(cut.final[index]),
        }
        before = tuple(f"p {one}" for one in top[: place + 1])
        if index in cut.order[:SHOWN]:
            steps.append(Step(f"Σ {index}", before, total))
        if cut.kept[index]:
            steps.append(Step(f"kept {index}", (f"p {index}", "mass"), lambda p, by: p / by))
        if not greedy:
            steps += [
                Step(f"p {index}", (f"exp {index}", "sum"), lambda e, by: e / by),
                Step(
                    f"exp {index}",
                    (f"z/T {index}", f"z/T {top[0]}"),
                    lambda z, most: math.exp(z - most),
                ),
                Step(f"z/T {index}", (f"z {index}",), lambda z: z / temperature),
            ]
    return follow(values, steps[::-1])


def _caption(opened: Opened, sampling: Sampling) -> str:
    return (
        f"{opened.card.title} after “{TEXT.value[:200]}” · T {sampling.temperature:g}, "
        f"top-k {sampling.top_k}, top-p {sampling.top_p:g}, seed {SEED.value}"
    )


def _table(opened: Opened, cut: CutDistribution) -> Table:
    header = ["rank", "id", "token", "logit", "softmax", "tempered", "kept", "final"]
    rows = [
        (
            rank + 1,
            int(index),
            opened.vocabulary[int(index)],
            repr(float(cut.logits[index])),
            repr(float(cut.raw[index])),
            repr(float(cut.tempered[index])),
            int(cut.kept[index]),
            repr(float(cut.final[index])),
        )
        for rank, index in enumerate(cut.order[:MOST_EXPORTED])
    ]
    return header, rows


VIEW: Final = View(
    "next", "Next word", (MODEL, TEXT, *SAMPLING, TREE, *SILENCE.params), render, NAMES.control
)
