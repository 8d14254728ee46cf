"""One token, step by step: pixels, the projection with one number worked out, position, token."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.components.picture_map import PictureMap, picture_map
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step, term, total
from app.views.vision.patches import params
from app.views.vision.patches.steps import Steps
from core.explain.embeddings.patch_filters import as_colours

STRIP: Final = params.HERE.key("strip")
SMALL: Final = 140.0  # px: a patch enlarged
COLOURS: Final = ("red", "green", "blue")
INITIALS: Final = ("R", "G", "B")


def draw_steps(steps: Steps, token: int) -> HeatMap | None:
    """Everything about one token; the strip of its numbers, for the offline page."""
    rows = steps.rows(token)
    output = _output(steps, rows)
    if token < len(steps.seen.prefix):
        _prefix_words(steps, token)
    else:
        _patch(steps, token - len(steps.seen.prefix), output)
    if not rows:
        return None
    return _strip(steps, rows, output, token)


def answered(steps: Steps, token: int) -> str:
    """What goes in, and the number that is worked out, in Markdown."""
    patch = token - len(steps.seen.prefix)
    if patch < 0:
        return (
            f"{plain(steps.seen.prefix[token])} is no piece of the picture: **{steps.width}** "
            "learned numbers, the same for every picture."
        )
    row, column = divmod(patch, steps.embedding.grid.columns)
    numbers, output = steps.embedding.pixels[patch].size, params.OUTPUT.value
    value = three(steps.embedding.worked(patch, output).value)
    return (
        f"The patch in row {row}, column {column} is **{numbers}** numbers to the model, and the "
        f"projection makes **{steps.width}** of them: output {output} is **{value}**."
    )


def _output(steps: Steps, rows: dict[str, np.ndarray]) -> int:
    """Which output number is worked out; a click into the strip chooses it."""
    output = min(params.OUTPUT.value, steps.width - 1)
    if rows:
        shape, wanted = (len(rows), steps.width), (0, output)
        cell = selected_cell(STRIP, wanted, shape)
        if cell not in (wanted, None):
            output = cell[1]
    params.OUTPUT.put(output)
    return output


def _patch(steps: Steps, patch: int, output: int) -> None:
    """Pixels × weights = products; their sum and the bias are one number."""
    embedding = steps.embedding
    row, column = divmod(patch, embedding.grid.columns)
    high, wide = embedding.pixels.shape[1:3]
    n_numbers = high * wide * len(COLOURS)
    st.markdown(
        f"**Row {row}, column {column}**: {high} × {wide} pixels × 3 colours = "
        f"{n_numbers} numbers; each of {steps.width} outputs weighs them all."
    )
    worked = embedding.worked(patch, output)
    source = f"{steps.title}, row {row}, column {column}, output {output}"
    top, left = row * high, column * wide
    cut = steps.seen.picture[top : top + high, left : left + wide]
    weights = embedding.filters[output]
    tiles = (
        ("The patch", cut, _notes(embedding.pixels[patch], "normalised")),
        (
            f"Weights of output {output}",
            as_colours(weights[None])[0],
            _notes(weights, "weights"),
        ),
    )
    columns = st.columns(3, gap="small")
    for (title, picture, notes), place in zip(tiles, columns[:2], strict=True):
        with place:
            picture_map(
                _enlarged(picture, title, notes, source),
                key=params.HERE.key("patch" if title == "The patch" else "filter"),
                clickable=False,
            )
    with columns[2]:
        heat_map(
            HeatMap(
                values=worked.by_pixel,
                rows=tuple(str(i) for i in range(high)),
                columns=tuple(str(i) for i in range(wide)),
                label=f"Pixel × weight, three colours added: {source}",
                caption=f"Pixel × weight · {source}",
                title="Pixel × weight, added",
                cell=(SMALL / wide, SMALL / high),
            ),
            key=params.HERE.key("products"),
        )
    (summed, bias), value = step([worked.total, worked.bias], worked.value, total)
    st.markdown(
        f"Output {output} = Σ pixel × weight + bias = {summed} + {term(bias)} = **{value}**"
    )
    flat = embedding.pixels[patch].transpose(2, 0, 1).reshape(1, -1)  # red, green, blue
    heat_map(
        HeatMap(
            values=np.ascontiguousarray(flat),
            rows=("pixels",),
            columns=tuple(
                f"{colour}{i},{j}" for colour in INITIALS for i in range(high) for j in range(wide)
            ),
            label=f"The patch flattened: {source}",
            caption=f"Normalised pixels, flattened · {source}",
            title="Normalised and flattened: red, green, blue, row by row",
            cell=(900, 22),
        ),
        key=params.HERE.key("flat"),
    )


def _enlarged(picture: np.ndarray, title: str, notes: tuple[str, ...], source: str) -> PictureMap:
    """A few pixels as large squares."""
    rows, columns = picture.shape[:2]
    scale = max(1, 192 // max(rows, columns))
    return PictureMap(
        picture=np.ascontiguousarray(picture.repeat(scale, axis=0).repeat(scale, axis=1)),
        rows=rows,
        columns=columns,
        label=f"{title}: {source}",
        caption=f"{title} · {source}",
        notes=notes,
        width=SMALL,
        title=title,
    )


def _notes(values: np.ndarray, name: str) -> tuple[str, ...]:
    """ "normalised: red 0.413 · green −0.2 · blue 1.02" a pixel."""
    return tuple(
        f"{name}: "
        + " · ".join(f"{c} {three(float(v))}" for c, v in zip(COLOURS, pixel, strict=True))
        for pixel in values.reshape(-1, len(COLOURS))
    )


def _strip(steps: Steps, rows: dict[str, np.ndarray], output: int, token: int) -> HeatMap:
    figure = HeatMap(
        values=np.stack(list(rows.values())).astype(np.float32),
        rows=tuple(rows),
        columns=tuple(map(str, range(steps.width))),
        label=f"The token's {steps.width} numbers, step by step",
        caption=f"{steps.title}, token {token}",
        title=f"The token: {steps.width} numbers. Click one of the outputs to work it out",
        cell=(900, 26),
    )
    heat_map(figure, key=STRIP, selected=(0, output))
    if not steps.is_plain_sum:
        st.caption(
            "The last row is not the sum of those above: this model normalises its tokens once "
            "more before the first block."
        )
    if steps.embedding.positions is None:
        st.caption("This model adds no positions here: they come in later, inside its attention.")
    return figure


def _prefix_words(steps: Steps, token: int) -> None:
    """What a class, distillation or register token is."""
    name = steps.seen.prefix[token]
    if name == "[CLS]":
        use = "Its last state answers for the whole picture, or is one of several that could."
    elif name == "distillation":
        use = "It learned to answer as a convolutional teacher did (Touvron et al. 2021)."
    elif name.startswith("register"):
        use = (
            "It is a scratch pad that no answer is read from: the model puts there what else it "
            "would write over dull patches (Darcet et al. 2024)."
        )
    else:
        use = "The model prepends it to the patches."
    st.markdown(
        f"**{plain(name)} is no piece of the picture**: a learned vector, the same for every "
        f"picture, that stands before the patches. {use}"
    )
