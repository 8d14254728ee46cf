"""A reader's picture: samples beside the input's line, their own from a file or the camera.

Their own lives in their session alone: it is never stored, and never in a link.
"""

from typing import Final, cast

import streamlit as st

from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import input_line
from app.ui.params import Choice
from core.data.animations import frames
from core.data.images import open_picture
from core.errors import InputError

MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many


def pick_picture(sample: Choice[str]) -> Picture:
    """Samples as chips, fields for the reader's own picture."""
    with input_line.beside_line():
        sample.pills("Picture", quiet=True, on_change=lambda: _forget(sample), width="content")
    with st.container(key="own-picture"):
        _own_picture(sample)
    own = cast("Picture | None", st.session_state.get(_uploaded(sample)))
    if own is not None:
        st.button("Back to the sample", on_click=lambda: _forget(sample), type="tertiary")
    if own is None:
        return vision.sample(sample.value)
    notes = cast("tuple[str, ...]", st.session_state.get(_notes(sample), ()))
    told = ("Your own picture is shown; links restore the sample picture instead.", *notes)
    st.caption(plain(" ".join(told)))
    return own


def picture_of(sample: Choice[str]) -> Picture:
    """The reader's own picture, else the sample."""
    own = cast("Picture | None", st.session_state.get(_uploaded(sample)))
    return vision.sample(sample.value) if own is None else own


def frames_of(sample: Choice[str]) -> tuple[Picture, ...]:
    """The frames of the film that the reader brought; none of a still picture."""
    return cast("tuple[Picture, ...]", st.session_state.get(_frames(sample), ()))


def picture_title(sample: Choice[str]) -> str:
    """What the line that holds the input calls the picture."""
    own = _uploaded(sample) in st.session_state
    return "your own picture" if own else sample.names[sample.value]


def _own_picture(sample: Choice[str]) -> None:
    """A file or the camera; what is wrong with it is told where it was given."""
    turn = cast("int", st.session_state.setdefault(_taken(sample), 0))
    file, camera = f"{sample.key}:file:{turn}", f"{sample.key}:camera:{turn}"
    # nearly anything may come: Streamlit would refuse it without a visible word
    st.file_uploader(
        "Your own picture: JPEG, PNG, WebP, GIF, BMP or TIFF, up to 10 MB and 25 megapixels",
        max_upload_size=MOST_SENT,
        key=file,
        on_change=lambda: _take(sample, file),
    )
    if st.toggle("Use the camera", key=f"{sample.key}:camera"):
        st.camera_input("Camera", key=camera, on_change=lambda: _take(sample, camera))
    if problem := cast("str | None", st.session_state.get(_problem(sample))):
        st.warning(plain(problem), icon=":material/info:")
    st.caption("It stays in this session: never stored, never in a link.")


def _take(sample: Choice[str], widget: str) -> None:
    """Open what came and let its bytes go; a bad file leaves the picture that was there."""
    st.session_state.pop(_problem(sample), None)
    given = st.session_state.get(widget)
    if given is None:
        return
    st.session_state[_taken(sample)] += 1
    try:
        opened = open_picture(given.getvalue(), given.name)
        film = tuple(map(vision.upload, frames(given.getvalue(), given.name)))
    except InputError as error:
        st.session_state[_problem(sample)] = str(error)
    else:
        st.session_state[_uploaded(sample)] = vision.upload(opened.image)
        st.session_state[_frames(sample)] = film
        st.session_state[_notes(sample)] = (*opened.notes, *_film_note(film))


def _forget(sample: Choice[str]) -> None:
    for key in (_uploaded, _problem, _notes, _frames):
        st.session_state.pop(key(sample), None)


def _uploaded(sample: Choice[str]) -> str:
    return f"{sample.key}:uploaded"


def _problem(sample: Choice[str]) -> str:
    """Where it is kept why the last file could not be opened."""
    return f"{sample.key}:problem"


def _notes(sample: Choice[str]) -> str:
    """What was changed on opening it."""
    return f"{sample.key}:notes"


def _frames(sample: Choice[str]) -> str:
    return f"{sample.key}:frames"


def _film_note(film: tuple[Picture, ...]) -> tuple[str, ...]:
    if not film:
        return ()
    return (
        f"Attention, Rollout and “Why this class?” can play {len(film)} of them, evenly spaced, as "
        "a film.",
    )


def _taken(sample: Choice[str]) -> str:
    """How many files were opened so far: each empties the widget it came by."""
    return f"{sample.key}:taken"
