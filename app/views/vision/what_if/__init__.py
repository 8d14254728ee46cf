"""What if? Patches hidden, heads silenced, positions moved: the answer before and after."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_frame
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.logit_lens import layer_number
from app.ui.page import Drawn, View
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.state import SHARED
from app.views.vision.what_if import answers as answering
from app.views.vision.what_if import changes as changing
from app.views.vision.what_if import effects, lens, params
from app.views.vision.what_if.answers import Answers
from app.views.vision.what_if.changes import Changes
from core.catalog import Family
from core.outputs.vision import PatchLogits


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose(families=(Family.VISION,))
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """The picture to paint on, the answer before and after, what each head is worth, the lens."""
    effects.take_click()
    offered, why_none = changing.heads_of(chosen)
    said = answer()
    left, right = st.columns([5, 7], gap="large")
    with left:
        painting = changing.paint(chosen)
    with right:
        changes = changing.choose(chosen, offered, why_none)
        answered = answering.ask(chosen, changes)
        if answered is None:
            return None
        answers, changes = answered
        said.markdown(answering.answered(chosen, changes, answers))
        answering.draw(chosen, changes, answers)
        answering.random_patches(chosen, changes, answers)
    heads = effects.render(chosen, offered, answers)
    read = lens.render(chosen, changes, answers)
    return _export(chosen, changes, answers, painting, heads, read)


def _export(
    chosen: Chosen,
    changes: Changes,
    answers: Answers,
    painting: PictureMap,
    heads: np.ndarray | None,
    read: PatchLogits | None,
) -> Export:
    def arrays() -> dict[str, np.ndarray]:
        given = {"before": answers.before, "after": answers.after}
        given["labels"] = np.array(answers.labels)
        given["hidden"] = np.array(changes.hidden, dtype=np.int64)
        given["silenced"] = np.array(changes.heads, dtype=np.int64).reshape(-1, 2)
        given["picture"] = chosen.seen.picture
        if heads is not None:
            given["head_effects"] = heads
        if read is not None:
            given["lens_tokens"], given["lens_answers"] = read.tokens, read.answers
        return given

    return Export(
        "what-if",
        f"{chosen.card.title}, {chosen.picture.name}: {changes.words}",
        lambda: _table(answers),
        arrays,
        more={} if read is None else {"lens": lambda: _lens_table(answers, read)},
        offline=("picture_map", lambda: picture_frame((painting,))),
    )


def _table(answers: Answers) -> Table:
    lines = (
        (name, repr(float(p)), repr(float(q)), repr(float(q) - float(p)))
        for name, p, q in zip(answers.labels, answers.before, answers.after, strict=True)
    )
    return ("class", "before", "after", "change"), lines


def _lens_table(answers: Answers, read: PatchLogits) -> Table:
    names = (*read.prefix, *(f"patch {i}" for i in range(read.grid.n_patches)))
    lines = (
        (
            layer_number(read.layers[at]),
            name,
            answers.labels[int(read.first[at, i])],
            repr(float(p)),
        )
        for at in range(len(read.layers))
        for i, (name, p) in enumerate(zip(names, read.probability[at], strict=True))
    )
    return ("layer", "token", "likeliest class", "probability"), lines


VIEW: Final = View("what-if", "What if", (*SHARED, *params.PARAMS), render, display)
