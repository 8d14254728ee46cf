"""Writing on, token by token: back, forward, another choice, every path kept; each step's look."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.selection import clicked_index
from app.components.token_row import token_row, token_row_frame
from app.services import decoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.views.gpt import branches, last_look
from app.views.gpt.controls import sampling_sliders, told
from app.views.gpt.inputs import Opened, prompt_input
from app.views.gpt.path import PROMPT_SHOWN, name_of, path_chips
from app.views.gpt.state import (
    HERE,
    LAYER,
    MODEL,
    NAMES,
    SAMPLING,
    SEED,
    TEXT,
    TREE,
    sampling,
)
from app.views.gpt.tree import Ids, Tree
from core.explain.predictions.sampling import CutDistribution, Sampling, draw
from core.outputs.decoder import NextStep

SHOWN = 10
RUN = 20  # tokens that one press writes
PATH: Final = HERE.key("path")
CHOICES = HERE.key("choices")


def render() -> Figure | None:
    """Prompt, model, tree."""
    opened = prompt_input()
    return None if opened is None else partial(_figure, opened)


def _figure(opened: Opened) -> Export | None:
    with controls():
        buttons = st.container(horizontal=True, vertical_alignment="center", width="content")
        with st.popover("Sampling", icon=":material/tune:", width="content"):
            sampling_sliders()
    chosen = told()
    step = _after_click(opened, chosen)
    with buttons:
        _buttons(opened, chosen)
    place = TREE.value
    if step is None:
        if place.paths != ((),):
            st.button("Start over from the prompt", on_click=_start_over)
        return None
    cut = decoder.cut(opened.card.id, TEXT.value, step, chosen)
    answer(_answered(opened, step, cut, place))
    chips, caption = path_chips(opened, step, place), _caption(opened, chosen)
    token_row(
        chips,
        label="Prompt and continuation; a click goes there",
        key=PATH,
        caption=caption,
    )
    left, right = st.columns([6, 7], gap="large")
    with left:
        _choices(opened, step, cut, place)
    with right:
        last_look.show(step, caption)
    branches.show(opened, place)
    return Export(
        facts=opened.facts,
        name="continuation",
        caption=caption,
        table=lambda: _table(opened, place),
        arrays=lambda: {
            "attention": step.attention,
            "logits": step.logits,
            "ids": step.encoding.ids,
        },
        offline=(
            "token_row",
            lambda: token_row_frame(chips, label="Prompt and continuation", caption=caption),
        ),
    )


def _answered(opened: Opened, step: NextStep, cut: CutDistribution, place: Tree) -> str:
    """What is likeliest to come, and how probable what was written is, in Markdown."""
    best = int(cut.order[0])
    said = (
        f"*{plain(name_of(opened, best))}* is likeliest to come next, with "
        f"**{three(float(cut.final[best]))}**"
    )
    if not place.length:
        return f"{said}."
    return (
        f"{said}; the {place.length} tokens written so far took "
        f"**{three(step.bits / place.length)}** bits each."
    )


def _after_click(opened: Opened, sampling: Sampling) -> NextStep | None:
    """The step to show, after the click on a token or on a candidate that caused this run."""
    place = TREE.value
    step = _step(opened, place.here)
    if step is None:
        return None
    moved = place
    n_prompt = min(step.prompt_length, PROMPT_SHOWN)
    if (token := clicked_index(PATH, n_prompt + len(place.whole))) is not None:
        moved = place.to(place.path, max(0, token + 1 - n_prompt))  # right after it
    elif (choice := clicked_index(CHOICES, SHOWN)) is not None:
        cut = decoder.cut(opened.card.id, TEXT.value, step, sampling)
        moved = place.grow(int(cut.order[choice]))
    if moved == place:
        return step
    TREE.put(moved)
    return _step(opened, moved.here)


def _step(opened: Opened, path: Ids) -> NextStep | None:
    future = decoder.next_step(opened.card.id, TEXT.value, path)
    return progress.outcome(future, opened.card.id)


def _buttons(opened: Opened, sampling: Sampling) -> None:
    place = TREE.value
    st.button(
        "Next token",
        on_click=_write,
        args=(opened, sampling, 1),
        type="primary",
        shortcut="N",
        help="Draws one token with the seed.",
    )
    st.button(f"Write {RUN}", on_click=_write, args=(opened, sampling, RUN), shortcut="W")
    st.button(
        "Back",
        on_click=_move,
        args=(-1,),
        disabled=not place.length,
        shortcut="B",
        icon=":material/undo:",
        help="One token back; what came after stays, and another choice begins a fork.",
    )
    st.button(
        "Forward",
        on_click=_move,
        args=(1,),
        disabled=place.length == len(place.whole),
        shortcut="F",
        icon=":material/redo:",
    )
    st.button("Start over", on_click=_start_over, type="tertiary", disabled=place == Tree())


def _write(opened: Opened, sampling: Sampling, count: int) -> None:
    """Draw up to `count` tokens; an end token, or no more room, ends it."""
    for _ in range(count):
        place = TREE.value
        try:
            step = decoder.next_step(opened.card.id, TEXT.value, place.here).result()
        except progress.READER_ERRORS:
            return  # the page's own run shows it
        if step.is_full or (place.here and place.here[-1] in step.end_ids):
            return
        cut = decoder.cut(opened.card.id, TEXT.value, step, sampling)
        drawn = draw(cut, seed=SEED.value, step=place.length)
        TREE.put(place.grow(drawn.token))


def _move(steps: int) -> None:
    TREE.put(TREE.value.moved(steps))


def _start_over() -> None:
    TREE.put(Tree())


def _choices(opened: Opened, step: NextStep, cut: CutDistribution, place: Tree) -> None:
    if step.is_full:
        st.info(
            f"The context is full: {len(step.encoding)} of {step.limit} tokens. One token could "
            "still be drawn, but no longer read. Go back, or shorten the prompt."
        )
        return
    ended = bool(place.here) and place.here[-1] in step.end_ids
    if ended:
        st.info(
            "The model has written its end token: its text ends here. A click writes on anyway."
        )
    drawn = draw(cut, seed=SEED.value, step=place.length)
    ahead = place.whole[place.length] if place.length < len(place.whole) else None
    rows = tuple(
        Candidate(
            opened.vocabulary[int(index)],
            float(cut.final[index]),
            note=_note(cut, index, ahead, drawn.token),
            tip=(f"logit {three(float(cut.logits[index]))}", f"raw {three(float(cut.raw[index]))}"),
            lit=index == ahead,
            token_id=index,
        )
        for index in cut.order[:SHOWN].tolist()
    )
    st.markdown("**What may come here**: a click chooses it")
    candidates(
        rows,
        label="Next tokens; a click chooses one",
        key=CHOICES,
        hue="decoder",
        caption=_caption(opened, sampling()),
    )
    rank = int(np.flatnonzero(cut.order == drawn.token)[0]) + 1
    st.caption(
        f"Next, seed {SEED.value} draws {drawn.number:.3f}: "
        f"{plain(opened.vocabulary[drawn.token])}, rank {rank}, "
        f"P {three(float(cut.final[drawn.token]))}."
    )


def _note(cut: CutDistribution, index: int, ahead: int | None, drawn: int) -> str:
    if index == ahead:
        return "on this path"
    if not cut.kept[index]:
        return "cut"
    return "the seed's" if index == drawn else ""


def _caption(opened: Opened, sampling: Sampling) -> str:
    return (
        f"{opened.card.title} after “{TEXT.value[:200]}” · T {sampling.temperature:g}, "
        f"top-k {sampling.top_k}, top-p {sampling.top_p:g}, seed {SEED.value}"
    )


def _table(opened: Opened, place: Tree) -> Table:
    header = ["path", "step", "id", "token", "ln_p", "rank"]
    rows: list[tuple[object, ...]] = []
    for number, path in enumerate(place.paths):
        step = decoder.next_step(opened.card.id, TEXT.value, path).result()
        for index, (token, p) in enumerate(zip(path, step.log_probabilities, strict=True)):
            name = opened.vocabulary[token]
            rows.append((number, index, token, name, repr(float(p)), step.ranks[index]))
    return header, rows


VIEW: Final = View(
    "generate",
    "Generate",
    (MODEL, TEXT, *SAMPLING, TREE, LAYER, *NAMES.params),
    render,
    NAMES.control,
)
