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
from app.ui.options import option_widget
from app.ui.params import Choice
from app.ui.uploaded import content_of, given_in
from core.errors import InputError

YOURS: Final = "your picture"
MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many


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
                take=lambda _: _put(sample, offered),
                label_visibility="collapsed",
                width="content",
            )
        sample.pills("Picture", quiet=True, on_change=lambda: _forget(sample), width="content")


def _put(sample: Choice[str], brought: Brought) -> None:
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
    given = next(iter(given_in(widget)), None)
    if given is None:
        return
    st.session_state[_taken(sample)] += 1
    try:
        with content_of(given) as content:
            picture, film, notes = vision.opened(content, given.name)
    except InputError as error:
        st.session_state[_problem(sample)] = str(error)
    else:
        brought = Brought(picture, film, (*notes, *_film_note(film)))
        _put(sample, brought)
        carried.remember_picture(brought)


def _forget(sample: Choice[str]) -> None:
    for key in (_own, _problem):
        st.session_state.pop(key(sample), None)


def _own(sample: Choice[str]) -> str:
    return f"{sample.key}{carried.OWN}"


def _problem(sample: Choice[str]) -> str:
    """Where it is kept why the last file could not be opened."""
    return f"{sample.key}:problem"


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
