"""The logit lens: which class each layer, and each patch, would give if the model stopped there."""

from functools import lru_cache
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map, picture_row
from app.components.selection import clicked_index
from app.components.token_table import TokenTable, token_table
from app.services import vision
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.logit_lens import layer_name, lens_table
from app.views.vision.classes import pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.what_if import params
from app.views.vision.what_if.answers import Answers
from app.views.vision.what_if.changes import Changes
from core.outputs.vision import PatchLogits

ROW: Final = params.HERE.key("layers")
MAP: Final = params.HERE.key("lens")
TABLE: Final = params.HERE.key("lens-table")
SMALL: Final = 104.0  # px
LARGE: Final = 380.0
SHORT: Final = 16  # letters of a class in a table of patches
MOST_NAMED: Final = 400  # patches whose names fit a table


def render(chosen: Chosen, changes: Changes, answers: Answers) -> PatchLogits | None:
    """Layers side by side, one of them large, and the classes of every layer in a table."""
    st.subheader("Where is it decided? The logit lens, layer by layer and patch by patch")
    asked = vision.patch_logits(chosen.card.id, chosen.picture, changes.interventions)
    read = progress.outcome(asked, chosen.card.id)
    if read is None:
        return None
    index = _class(answers)
    layer = _layer(read)
    left, right = st.columns([5, 6], gap="large")
    with left:
        patch = _large(chosen, changes, answers, read, layer, index)
    with right:
        _layers(chosen, answers, read, layer, index)
        _table(chosen, answers, read, patch)
    if read.layers[0]:
        st.caption(
            "Only the last stage has the width that the head reads: earlier stages can't be asked."
        )
    return read


def _class(answers: Answers) -> int:
    """The class whose probability is painted."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = pick_class("Probability of", params.CLASS, answers.labels, answers.first, width=340)
        params.NAMES.toggle("Each patch's own class, in words")
    return index


def _layer(read: PatchLogits) -> int:
    """Which of the layers that were read is shown large: the one clicked, else the last."""
    clicked = clicked_index(ROW, len(read.layers))
    if clicked is not None:
        params.LAYER.put(read.layers[clicked])
    if params.LAYER.value not in read.layers:
        params.LAYER.reset()
    wanted = params.LAYER.value
    return len(read.layers) - 1 if wanted == params.LAST else read.layers.index(wanted)


def _layers(chosen: Chosen, answers: Answers, read: PatchLogits, layer: int, index: int) -> None:
    picture_row(
        tuple(
            PictureMap(
                picture=chosen.seen.picture,
                rows=read.grid.rows,
                columns=read.grid.columns,
                label=f"{name_of(read, at)}: probability of {answers.labels[index]} by patch",
                values=read.patches(at, index),
                limit=1.0,
                width=SMALL,
                grid=False,
                title=name_of(read, at),
            )
            for at in range(len(read.layers))
        ),
        key=ROW,
        label="All layers: click one to see it large",
        caption=f"{chosen.card.title}, {chosen.picture.name}: probability of "
        f"{answers.labels[index]} by patch, by layer, 0 to 1",
        lit=layer,
    )


def _large(
    chosen: Chosen, changes: Changes, answers: Answers, read: PatchLogits, layer: int, index: int
) -> int | None:
    """One layer on the picture, or the names of its patches' classes; the patch selected."""
    n_patches = read.grid.n_patches
    wanted = params.PATCH.value
    seed = wanted if 0 <= wanted < n_patches else None
    title = f"{name_of(read, layer)}: P({answers.labels[index]})"
    if params.NAMES.value and n_patches <= MOST_NAMED:
        cell = token_table(
            _names(chosen, answers, read, layer),
            key=f"{MAP}.names",
            selected=None if seed is None else divmod(seed, read.grid.columns),
        )
        picked = None if cell is None else cell[0] * read.grid.columns + cell[1]
    else:
        mask = np.zeros(chosen.seen.grid.n_patches, dtype=bool)
        mask[list(changes.hidden)] = True
        same = chosen.seen.grid == read.grid
        hidden = mask.reshape(read.grid.rows, read.grid.columns) if same else None
        figure = PictureMap(
            picture=chosen.seen.picture,
            rows=read.grid.rows,
            columns=read.grid.columns,
            label=f"{title} by patch",
            caption=f"{chosen.card.title}, {chosen.picture.name}: {title} by patch",
            values=read.patches(layer, index),
            limit=1.0,
            outlined=hidden,
            notes=_notes(tuple(answers.labels), read, layer),
            width=LARGE,
            title=title,
        )
        picked = picture_map(figure, key=MAP, selected=seed)
    params.PATCH.put(params.NO_PATCH if picked is None else picked)
    return picked


def _names(chosen: Chosen, answers: Answers, read: PatchLogits, layer: int) -> TokenTable:
    grid = read.grid
    first = read.first[layer, grid.prefix_tokens :].reshape(grid.rows, grid.columns)
    shades = read.probability[layer, grid.prefix_tokens :].reshape(grid.rows, grid.columns)
    return TokenTable(
        cells=tuple(tuple(answers.labels[int(i)][:SHORT] for i in row) for row in first),
        shades=np.ascontiguousarray(shades),
        rows=tuple(str(row) for row in range(grid.rows)),
        columns=tuple(str(column) for column in range(grid.columns)),
        label=f"{name_of(read, layer)}: the class that each patch's token would give",
        row_title="row",
        column_title="column",
        shade_title="Shade: its probability, 0 to 1.",
        caption=f"{chosen.card.title}, {chosen.picture.name}, {name_of(read, layer)}: the class "
        "of each patch's token",
        hue="encoder",
        tokens=False,
    )


def _table(chosen: Chosen, answers: Answers, read: PatchLogits, patch: int | None) -> None:
    """Rows are layers, the last on top: the answer, every prefix token, the selected patch."""
    places = list(range(read.grid.prefix_tokens))
    titles = ["answer", *read.prefix]
    if patch is not None:
        places.append(read.grid.prefix_tokens + patch)
        row, column = divmod(patch, read.grid.columns)
        titles.append(f"patch {row}, {column}")
    token_table(
        lens_table(
            np.column_stack([read.answer_first, read.first[:, places]]),
            np.column_stack([read.answer_probability, read.probability[:, places]]),
            answers.labels,
            states=read.layers,
            columns=titles,
            label="The likeliest class after each layer",
            column_title="read from",
            shade_title="Shade: its probability, 0 to 1.",
            caption=f"{chosen.card.title}, {chosen.picture.name}: the likeliest class by layer",
            hue="encoder",
            tokens=False,
        ),
        key=TABLE,
    )
    decided = read.decided_at()
    st.caption(
        f"“{plain(answers.labels[int(read.answer_first[-1])])}” is the first choice from "
        f"{name_of(read, decided)} on. "
        + ("Click a patch to follow it through the layers." if patch is None else "")
    )


@lru_cache(maxsize=8)  # a model's answer is equal only to itself; a click elsewhere changes nothing
def _notes(labels: tuple[str, ...], read: PatchLogits, layer: int) -> tuple[str, ...]:
    """Every patch's likeliest classes."""
    return tuple(
        " · ".join(f"{labels[index]} {three(p)}" for index, p in read.best(layer, patch))
        for patch in range(read.grid.n_patches)
    )


def name_of(read: PatchLogits, at: int) -> str:
    """Of a layer that was read."""
    return layer_name(read.layers[at])
