"""Mask and pictures: what the model sees, what it paints, what was there, how wrong it is."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from app.components.picture_map import PictureMap, picture_map, picture_paint
from app.services import masked_autoencoder
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls as row
from app.views.vision import masks
from app.views.vision.inputs import Chosen
from app.views.vision.mae import params
from app.views.vision.mae.words import number, settings
from app.views.vision.masks import PATTERNS, Hidden
from core.outputs.autoencoder import Reconstruction, random_mask
from core.trace import PatchGrid

PATTERN_NOTES: Final = {
    "All but one of four": "Grid-wise, 75 %, in the paper's figure 6: an easier task and sharper "
    "paintings, and yet the encoder learns less from it than from a random mask.",
    "A block": "No visible patch is near its middle: nothing to go on from, so it stays vague.",
}


def render(chosen: Chosen) -> Reconstruction | None:
    """Draw mask and pictures; None after saying why the model gave none."""
    grid = chosen.seen.grid
    top = st.container()
    said = answer()
    left, *others = st.columns(4, gap="small")
    with left:
        hidden = _paint(chosen, _current(grid))
        under = st.empty()
    with top:
        controls(grid, hidden)
    made = progress.outcome(
        masked_autoencoder.painted(chosen.card.id, chosen.picture, hidden), chosen.card.id
    )
    if made is None:
        return None
    under.caption(_mask_words(made))
    caption = settings(chosen, made)
    said.markdown(_verdict(made))
    for column, one, words in zip(others, maps(made, caption), _said(made), strict=True):
        with column:
            picture_map(one, key=params.HERE.key(one.title), clickable=False)
            st.caption(words)
    return made


def maps(made: Reconstruction, caption: str) -> tuple[PictureMap, PictureMap, PictureMap]:
    """Painted, original, error."""
    raw = params.RAW.value
    base = PictureMap(
        picture=colours(made.predicted if raw else made.pasted),
        rows=made.grid.rows,
        columns=made.grid.columns,
        label="What the model paints" + (", visible patches too" if raw else ""),
        title="Painted",
        caption=caption,
        width=params.WIDTH,
        grid=False,
    )
    original = colours(made.picture)
    return (
        base,
        replace(base, picture=original, label="The picture as it was", title="Original"),
        replace(
            base,
            picture=original,
            label=f"Mean squared error of each {'' if raw else 'hidden '}patch",
            title="Error",
            values=made.errors if raw else np.where(made.hidden, made.errors, np.float32(np.nan)),
            outlined=~made.hidden if raw and made.hidden.any() else None,
            limit=float(made.errors[made.hidden].max()) if made.hidden.any() else None,
            hue="decoder",
            opacity=0.9,
            grid=True,
            notes=notes(made),
        ),
    )


def notes(made: Reconstruction) -> tuple[str, ...]:
    """What is said of each patch on hover."""
    errors, ranks = made.errors.reshape(-1), made.ranks.reshape(-1)
    n_hidden, mean = int(made.hidden.sum()), made.error or 1.0

    def note(index: int) -> str:
        error, rank = float(errors[index]), int(ranks[index])
        if not rank:
            return f"{number(error)} · visible: never trained on"
        return f"{number(error)} · rank {rank} of {n_hidden} hidden · {error / mean:.2g} × mean"

    return tuple(map(note, range(errors.size)))


def colours(values: Float32[np.ndarray, "height width 3"]) -> UInt8[np.ndarray, "height width 3"]:
    """For the screen: what lies outside black and white is cut there."""
    return np.round(values.clip(0, 1) * 255).astype(np.uint8)


def controls(grid: PatchGrid, hidden: Hidden) -> None:
    """How many patches are hidden, another draw, patterns; what is shown of the painting."""
    if params.PAINTED.value is not None:  # the slider says what is there
        params.PERCENT.put(round(100 * len(hidden) / grid.n_patches))
    with row():
        params.PERCENT.slider(
            "Hidden at random",
            format="%d %%",
            on_change=_drawn_again,
            help="The paper trains with 75 %. A larger share hides the same patches and more.",
        )
        st.button("Another draw", icon=":material/casino:", on_click=_another)
        for name, pattern in PATTERNS.items():
            hide = partial(params.PAINTED.put, pattern(grid))
            st.button(name, on_click=hide, type="tertiary", help=PATTERN_NOTES.get(name))
        params.RAW.toggle(
            "Visible patches as painted",
            help="Off: visible patches are pasted over the painting, as they are. On: what the "
            "model says there too; no training error ever asked it to be right.",
        )


def _current(grid: PatchGrid) -> Hidden:
    painted = params.PAINTED.value
    if painted is not None:
        return masks.within(painted, grid)
    return masks.indices(random_mask(grid, params.PERCENT.value / 100, params.SEED.value))


def _paint(chosen: Chosen, current: Hidden) -> Hidden:
    """Draw what the model sees; the patches that are hidden now, with the reader's strokes."""
    grid = chosen.seen.grid
    figure = PictureMap(
        picture=chosen.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label="What the model sees; drag over patches to hide or show them",
        title="Seen",
        caption=f"{chosen.card.title} · {chosen.picture.name} · {len(current)} patches hidden",
        width=params.WIDTH,
    )
    chosen_now = picture_paint(figure, key=params.HERE.key("paint"), painted=frozenset(current))
    hidden = tuple(sorted(chosen_now))
    if hidden != current:
        params.PAINTED.put(hidden)
    return hidden


def _mask_words(made: Reconstruction) -> str:
    hidden, all_patches = int(made.hidden.sum()), made.hidden.size
    how = "as painted" if params.PAINTED.value is not None else f"draw {params.SEED.value}"
    return (
        f"Hidden: {hidden} of {all_patches} patches, {hidden / all_patches:.0%}, {how}. "
        "**Drag over patches** to hide or show them."
    )


def _said(made: Reconstruction) -> tuple[str, str, str]:
    if params.RAW.value:
        painted = "Every patch as the model says, the visible ones too."
    else:
        painted = "Visible patches are pasted over the painting."
    return (
        f"{painted} Colours themselves are predicted; **nothing of a hidden patch is used**.",
        "The crop that the model gets, nothing hidden.",
        _error_words(made),
    )


def _error_words(made: Reconstruction) -> str:
    if not made.hidden.any():
        return "No patch is hidden: none has an error that training asked to be small."
    if params.RAW.value:
        return "Mean squared error by patch. Outlined: visible, never trained on."
    return "Mean squared error by patch; where the picture shows, it was visible."


def _verdict(made: Reconstruction) -> str:
    """How wrong it is, beside a painter that knows one colour."""
    if made.error is None:
        return "Nothing is hidden, so there is nothing to paint and no error to count."
    said = f"**Mean squared error at hidden patches: {number(made.error)}** (colours from 0 to 1)."
    if made.flat_error:
        share = made.error / made.flat_error
        said += (
            " The mean colour of what is visible would give "
            f"{number(made.flat_error)}: the model's is {share:.2g} × that"
            f"{'.' if share < 1 else ', no better than one flat colour.'}"
        )
    elif made.hidden.all():
        said += " Nothing is visible: this is what it takes for a picture in general."
    return said


def _another() -> None:
    params.SEED.put((params.SEED.value + 1) % 10_000)
    _drawn_again()


def _drawn_again() -> None:
    params.PAINTED.put(None)
