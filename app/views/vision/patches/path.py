"""One patch through one head to a class: what every head adds, the head's patches, the numbers."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.components.picture_map import PictureMap, picture_map
from app.components.worked_cell import worked_cell
from app.services import patch_embedding as door
from app.services.vision_attention import Traced
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.vision.attention.params import token_name
from app.views.vision.classes import labels_of, pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.patches import params
from app.views.vision.patches.path_lines import Followed, path_lines
from app.views.vision.patches.steps import Steps
from app.views.vision.picture_truth import says
from core.explain.attribution.direct_logits import DirectLogits
from core.outputs.patch_path import PatchPath
from core.targets import ClassTarget
from core.trace import softmax

TERMS: Final = params.HERE.key("terms")
MAP_WIDTH: Final = 300.0


def draw_path(chosen: Chosen, traced: Traced, steps: Steps, token: int) -> PatchPath | None:
    """The section; its path, for the files."""
    st.subheader("Through one head to the class")
    patch = token - len(traced.prefix)
    if patch < 0:
        st.caption("Click a patch to follow it with numbers through a head to the logit.")
        return None
    target, wanted = _class(chosen, traced)
    path = _asked(traced, patch, target)
    if path is None:
        return None
    if path.answer is not None:
        _figures(traced, path, path.answer.terms, wanted)
    else:
        st.caption(plain(path.why_not))
    _numbers(traced, steps, path, wanted)
    return path


def _class(chosen: Chosen, traced: Traced) -> tuple[ClassTarget | None, str]:
    logits = traced.trace.logits
    if logits is None:
        return None, ""
    labels = labels_of(chosen, len(logits))
    st.caption(says(chosen, labels, softmax(logits.copy())))
    index = pick_class("Logit of", params.CLASS, labels, int(logits.argmax()), width=320)
    return ClassTarget(index), labels[index]


def _asked(traced: Traced, patch: int, target: ClassTarget | None) -> PatchPath | None:
    """The path through the chosen head; at first, through the one that adds most."""
    trace = traced.trace
    shape = (trace.n_layers(), max(trace.n_heads(layer=i) for i in range(trace.n_layers())))
    clicked = selected_cell(TERMS, params.HEADS.value, (shape[0], shape[1] + 1))
    if clicked is not None and clicked[1] < shape[1]:  # the MLPs' column is no head
        params.HEADS.put(clicked)
    head = params.HEADS.value
    if head is not None and not (head[0] < shape[0] and head[1] < shape[1]):
        params.HEADS.put(None)
        head = None
    return _path(traced, head or (shape[0] - 1, 0), patch, target, best=head is None)


def _path(
    traced: Traced,
    head: tuple[int, int],
    patch: int,
    target: ClassTarget | None,
    *,
    best: bool = False,
) -> PatchPath | None:
    future = door.path(traced.card.id, traced.picture, head, patch, target)
    path = progress.outcome(future, traced.card.id)
    if path is None or path.answer is None or not best:
        return path
    heads = path.answer.terms.heads
    layer, index = np.unravel_index(int(heads.argmax()), heads.shape)
    return _path(traced, (int(layer), int(index)), patch, target)


def _figures(traced: Traced, path: PatchPath, terms: DirectLogits, wanted: str) -> None:
    left, right = st.columns([7, 5], gap="large")
    n_layers, n_heads = terms.heads.shape
    with left:
        label = f"What each head and MLP adds to the logit of “{wanted}”"
        heat_map(
            HeatMap(
                values=np.column_stack([terms.heads, terms.mlps]).astype(np.float32),
                rows=tuple(map(str, range(n_layers))),
                columns=(*map(str, range(n_heads)), "MLP"),
                label=f"{traced.card.title}: {label}",
                caption=f"{label} · {traced.card.title}, {traced.picture.name}",
                title=f"{label}: click a head",
                row_title="layer",
                column_title="head",
                numbers=True,
                cell=(52, 34),
            ),
            key=TERMS,
            selected=(path.layer, path.head),
        )
        st.caption(
            "Directly, that is: past all later layers, by the last norm with its scale frozen at "
            "this picture’s ([Elhage et al. "
            "2021](https://transformer-circuits.pub/2021/framework); "
            "for ViT [Gandelsman et al. 2024](https://arxiv.org/abs/2310.05916)). What later "
            "layers make of what a head writes is in their own numbers."
        )
    with right:
        _through(traced, path, wanted)


def _through(traced: Traced, path: PatchPath, wanted: str) -> None:
    """Every patch's part in what the head adds."""
    if path.answer is None:
        return
    grid, first = traced.grid, len(traced.prefix)
    through = path.answer.through
    title = f"Head {path.layer}.{path.head}: what each patch adds by it"
    picture_map(
        PictureMap(
            picture=traced.seen.picture,
            rows=grid.rows,
            columns=grid.columns,
            label=f"{title} to “{wanted}”",
            caption=f"{title} to “{wanted}” · {traced.card.title}, {traced.picture.name}",
            values=through[first:].reshape(grid.rows, grid.columns).astype(np.float32),
            scale="diverging",
            notes=tuple(f"adds {three(float(value))}" for value in through[first:]),
            width=MAP_WIDTH,
            title=title,
        ),
        key=params.HERE.key("through"),
        selected=path.token - first,
        clickable=False,
    )
    if first:
        each = " · ".join(
            f"{name} {three(float(value))}"
            for name, value in zip(traced.prefix, through, strict=False)
        )
        st.caption(plain(f"By what is no patch: {each}."))


def _numbers(traced: Traced, steps: Steps, path: PatchPath, wanted: str) -> None:
    """The lines, then the one weight among them."""
    cell = door.cell(traced, path)
    if cell is None:
        st.caption("This model hides its queries and keys, so the weight can't be worked out.")
        return
    number = min(params.OUTPUT.value, steps.width - 1)
    lines = path_lines(
        Followed(
            embedding=steps.embedding,
            is_plain_sum=steps.is_plain_sum,
            path=path,
            cell=cell,
            number=number,
            asking=plain(token_name(traced, path.asking)),
            wanted=plain(wanted),
        )
    )
    where = token_name(traced, path.token)
    st.markdown(
        f"**Number {number} of {plain(where)}, from a pixel to the logit**\n\n"
        + "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
    )
    worked_cell(
        cell,
        key=params.HERE.key("cell"),
        caption=f"{traced.card.title}, layer {path.layer}, head {path.head}",
    )
