"""A film the reader brought: one map of every frame, played with the picture, in any view.

A view declares `FilmParams`, asks them for the frames (`shots`), and gives `film` one `FrameMap`
a frame. To the model each frame is a picture of its own.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeVar

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm, Standing, picture_film, standing
from app.components.picture_map import PictureMap
from app.services import vision
from app.services.vision import Picture
from app.ui import progress
from app.ui.params import Flag, Number, Param, Scope
from app.ui.picture_input import frames_of
from app.views.vision.inputs import Chosen
from app.views.vision.state import PICTURE

NOTE: Final = (
    "Each frame is a picture of its own to the model, which knows nothing of the one before: what "
    "moves here is its answer to another picture. Links restore a sample picture, which is no film."
)
MOST_FRAMES: Final = 200
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class FrameMap:
    """What is drawn over one frame, and the line above it."""

    patches: np.ndarray  # (row, column)
    line: str
    prefix: np.ndarray | None = None  # (prefix,): on class and register tokens


@dataclass(frozen=True)
class FilmParams:
    """What a view with a film remembers: whether it plays, and at which frame."""

    here: Scope
    plays: Flag
    shot: Number[int]
    same: Flag  # one colour scale for all frames

    @classmethod
    def of(cls, here: Scope) -> "FilmParams":
        return cls(
            here, here.flag("film"), here.whole("shot", 0, MOST_FRAMES - 1, 0), here.flag("same")
        )

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return self.plays, self.shot, self.same

    @property
    def key(self) -> str:
        return self.here.key("shots")

    def shots(self, chosen: Chosen, *, refusal: str | None = None) -> tuple[Picture, ...]:
        """The frames that are to be played; none of a still picture.

        refusal: why there can be no film of what is shown now.
        """
        found = shots_of(chosen)
        if not found:
            for param in self.every:
                param.reset()
        return found if self.plays.value and refusal is None else ()

    def switch(self, chosen: Chosen, *, refusal: str | None = None) -> None:
        """On where the frames play; a still picture has none."""
        if count := len(shots_of(chosen)):
            label = f"Play the {count} frames of your film"
            self.plays.toggle(label, disabled=refusal is not None, help=refusal)

    def at(self, n_frames: int, n_tokens: int, token: int | None) -> Standing:
        """Where the reader stands; a click of this run included."""
        present = Standing(self.shot.kept_below(n_frames), token)
        found = standing(self.key, present, n_frames=n_frames, n_tokens=n_tokens)
        self.shot.put(found.step)
        return found

    def draw(self, figure: PictureFilm, at: Standing) -> None:
        """The film, its colour scale's switch, and what a film is to a model."""
        picture_film(figure, at, key=self.key)
        self.same.toggle("One colour scale for all frames")
        st.caption(NOTE)


def shots_of(chosen: Chosen) -> tuple[Picture, ...]:
    """The frames of the reader's film, whole where its picture is."""
    return tuple(replace(shot, whole=chosen.picture.whole) for shot in frames_of(PICTURE))


def all_of(asked: Sequence[Future[Value]], doing: str = "Frame") -> list[Value]:
    """Every frame's answer, with a line that counts them. Raises progress.READER_ERRORS."""
    line = st.empty()
    found = [
        progress.waited(future, partial(line.caption, f"{doing} {number} of {len(asked)} …"))
        for number, future in enumerate(asked)
    ]
    line.empty()
    return found


def pictures_of(chosen: Chosen, shots: Sequence[Picture]) -> np.ndarray:
    """(frame, height, width, 3): every frame as the model saw it."""
    seen = all_of([vision.seen(chosen.card.id, shot) for shot in shots])
    return np.stack([one.picture for one in seen])


def film(
    frames: Sequence[FrameMap],
    pictures: np.ndarray,
    *,
    label: str,
    caption: str,
    same_scale: bool,
    scale: Literal["sequential", "diverging"] = "sequential",
    uniform: float | None = None,
    prefix_names: tuple[str, ...] = (),
    own: int | None = None,
    width: float = 470.0,
) -> PictureFilm:
    """One map a frame over that frame.

    uniform: what each token would have if all had the same; None where that says nothing. own: a
    patch that would outshine all others, which the scale's top leaves out.
    """
    values = np.stack([one.patches for one in frames]).astype(np.float32)
    rows, columns = values.shape[1:]
    others = np.abs(values.reshape(len(values), -1))
    if own is not None:
        others[:, own] = 0
    tops = others.max(axis=1)
    if same_scale:
        tops = np.full_like(tops, tops.max())
    none = np.zeros(len(prefix_names), dtype=np.float32)
    return PictureFilm(
        sheet=PictureMap(
            picture=pictures[0],
            rows=rows,
            columns=columns,
            label=f"{label}, over every frame",
            caption=caption,
            width=width,
            scale=scale,
        ),
        values=values,
        prefix=np.stack([none if one.prefix is None else one.prefix for one in frames]),
        prefix_names=prefix_names,
        frames=tuple(f"frame {number}" for number in range(len(frames))),
        lines=tuple(one.line for one in frames),
        limits=tuple(map(float, tops)),
        scale="one for all frames" if same_scale else "each frame its own",
        uniform=uniform,
        player="Frame",
        pictures=pictures,
    )


def numbers(shown: PictureFilm) -> dict[str, np.ndarray]:
    """For an NPZ: maps and frames."""
    found = {"frames": shown.values, "frames_prefix": shown.prefix}
    return found if shown.pictures is None else found | {"pictures": shown.pictures}
