"""A reader's picture: samples beside the input's line, their own from a file or the camera.

Their own lives in their session alone: it is never stored, and never in a link. It follows them:
other pages offer it before their samples.
"""

from contextlib import nullcontext
from typing import Final, cast

import streamlit as st

from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import carried, input_line
from app.ui.carried import Brought
from app.ui.file_field import FileField
from app.ui.options import option_widget
from app.ui.params import Choice

YOURS: Final = "your picture"


def pick_picture(sample: Choice[str]) -> Picture:
    """Samples as chips, fields for the reader's own picture."""
    with input_line.beside_line():
        _chips(sample)
    with st.container(key="own-picture"):
        _own_picture(sample)
    return _chosen(sample)


def pick_known(sample: Choice[str]) -> Picture:
    """Samples as chips, and the picture that the reader gave on another page."""
    _chips(sample)
    return _chosen(sample)


def _chips(sample: Choice[str]) -> None:
    """The reader's own picture stands first, unless it is shown."""
    brought = carried.picture()
    offered = None if own(sample) is brought else brought
    with nullcontext() if offered is None else st.container(horizontal=True, gap="small"):
        if offered is not None:
            option_widget(
                st.pills,
                "Yours",
                [YOURS],
                str,
                key=f"{sample.key}:yours",
                shown=None,
                take=lambda _: put(sample, offered),
                label_visibility="collapsed",
                width="content",
            )
        sample.pills("Picture", quiet=True, on_change=lambda: _forget(sample), width="content")


def put(sample: Choice[str], brought: Brought) -> None:
    """It is shown in the sample's place; before the input is drawn, or in callbacks."""
    st.session_state[_own(sample)] = sample.value, brought


def _chosen(sample: Choice[str]) -> Picture:
    brought = own(sample)
    if brought is None:
        return vision.sample(sample.value)
    st.button("Back to the sample", on_click=lambda: _forget(sample), type="tertiary")
    told = ("Your own picture is shown; links restore the sample picture instead.", *brought.notes)
    st.caption(plain(" ".join(told)))
    return brought.picture


def own(sample: Choice[str]) -> Brought | None:
    """The reader's own picture, if it is shown in place of the sample that it was given for."""
    of, brought = cast("tuple[str, Brought | None]", st.session_state.get(_own(sample), ("", None)))
    return brought if of == sample.value else None


def picture_of(sample: Choice[str]) -> Picture:
    """The reader's own picture, else the sample."""
    brought = own(sample)
    return vision.sample(sample.value) if brought is None else brought.picture


def frames_of(sample: Choice[str]) -> tuple[Picture, ...]:
    """The frames of the film that the reader brought; none of a still picture."""
    brought = own(sample)
    return () if brought is None else brought.film


def picture_title(sample: Choice[str]) -> str:
    """What the line that holds the input calls the picture."""
    return sample.names[sample.value] if own(sample) is None else "your own picture"


def _own_picture(sample: Choice[str]) -> None:
    """A file or the camera; what is wrong with it is told where it was given."""
    field = FileField(sample.key)

    def read(name: str, content: bytes) -> None:
        picture, film, notes = vision.opened(content, name)
        brought = Brought(picture, film, (*notes, *_film_note(film)))
        put(sample, brought)
        carried.remember_picture(brought)

    # nearly anything may come: Streamlit would refuse it without a visible word
    field.ask(
        "Your own picture: JPEG, PNG, WebP, GIF, BMP or TIFF, up to 10 MB and 25 megapixels", read
    )
    if st.toggle("Use the camera", key=f"{sample.key}:camera"):
        field.ask_camera("Camera", read)
    field.tell_problem()
    st.caption("It stays in this session: never stored, never in a link.")


def _forget(sample: Choice[str]) -> None:
    st.session_state.pop(_own(sample), None)
    FileField(sample.key).forget_problem()


def _own(sample: Choice[str]) -> str:
    return f"{sample.key}{carried.OWN}"


def _film_note(film: tuple[Picture, ...]) -> tuple[str, ...]:
    if not film:
        return ()
    return (
        f"Attention, Rollout and “Why this class?” can play {len(film)} of them, evenly spaced, as "
        "a film.",
    )
