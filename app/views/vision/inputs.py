"""The reader's picture and the model: what the views of this page share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.services import engine, vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import params, progress
from app.views.vision import state
from core.catalog import Family, ModelCard
from core.data.images import open_picture
from core.errors import InputError

FAMILIES: Final = (Family.VISION, Family.MASKED_AUTOENCODER)
UPLOADED: Final = f"{state.PAGE}.uploaded"  # the reader's own Picture, in this session only
PROBLEM: Final = f"{state.PAGE}.problem"  # why the last file could not be opened
NOTES: Final = f"{state.PAGE}.notes"  # what was changed on opening it
OWN_WIDTH: Final = 420  # px
MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many
TAKEN: Final = f"{state.PAGE}.taken"  # files opened so far: each empties the widget it came by


@dataclass(frozen=True)
class Chosen:
    """A model and a picture, and the crop of it that the model saw."""

    card: ModelCard
    picture: Picture
    seen: Any  # core.outputs.vision.SeenPicture


def choose(
    *,
    families: tuple[Family, ...] = FAMILIES,
    param: params.Param = state.MODEL,
    offered: Callable[[ModelCard], bool] = lambda _: True,
) -> Chosen | None:
    """Draw the input; None after saying in the page what is missing."""
    cards = {card.id: card for card in vision.cards(families) if offered(card)}
    notices = st.container()
    left, right = st.columns([7, 4], vertical_alignment="bottom")
    with left:
        picture = choose_picture()
    with right:
        card = choose_card(cards, param, notices)
    if card is None:
        return None
    with st.container():  # a progress line in it moves nothing below
        seen = progress.outcome(vision.seen(card.id, picture), card.id)
    return None if seen is None else Chosen(card, picture, seen)


def choose_picture() -> Picture:
    """Samples as chips, the reader's own picture behind a button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            "Picture",
            vision.SAMPLES,
            key=state.key(state.PICTURE),
            required=True,
            on_change=_forget_upload,
            width="content",
        )
        with (
            st.popover("Your own", icon=":material/add_a_photo:", width="content"),
            st.container(key="own-picture", width=OWN_WIDTH),
        ):
            _own_picture()
        own: Picture | None = st.session_state.get(UPLOADED)
        if own is not None:
            st.button("Back to the sample", on_click=_forget_upload, type="tertiary")
    if own is None:
        return vision.sample(state.get(state.PICTURE))
    notes = st.session_state.get(NOTES, ())
    told = ("Your own picture is shown; links restore the sample picture instead.", *notes)
    st.caption(plain(" ".join(told)))
    return own


def _own_picture() -> None:
    """A file or the camera; what is wrong with it is told where it was given."""
    turn: int = st.session_state.setdefault(TAKEN, 0)
    file, camera = f"{state.PAGE}.file.{turn}", f"{state.PAGE}.camera.{turn}"
    # nearly anything may come: Streamlit would refuse it without a visible word
    st.file_uploader(
        "JPEG, PNG, WebP, GIF, BMP or TIFF, up to 10 MB and 25 megapixels",
        max_upload_size=MOST_SENT,
        key=file,
        on_change=lambda: _take(file),
    )
    if st.toggle("Use the camera", key=f"{state.PAGE}.camera.on"):
        st.camera_input("Camera", key=camera, on_change=lambda: _take(camera))
    if problem := st.session_state.get(PROBLEM):
        st.warning(plain(problem), icon=":material/info:")
    st.caption("It stays in this session: never stored, never in a link.")


def choose_card(cards: dict[str, ModelCard], param: params.Param, notices: Any) -> ModelCard | None:
    """The model's select box; what a link asked in vain is said in `notices`."""
    if not cards:
        with notices:
            st.info(
                "No model of this kind is on board. Name a timm checkpoint directory in "
                f"{engine.OWN_CHECKPOINTS} to see it here."
            )
        return None
    unknown = f"{state.PAGE}.unknown-{param.name}"
    if state.get(param) not in cards:
        if state.get(param) != param.default:
            st.session_state[unknown] = state.get(param)
        state.put(param, next(iter(cards)))
    if asked := st.session_state.get(unknown):
        title = cards[state.get(param)].title
        notices.info(f"There is no model “{plain(asked)}” here; showing {plain(title)} instead.")
    chosen = st.selectbox(
        "Model",
        list(cards),
        format_func=lambda name: _title(cards[name]),
        key=state.key(param),
        on_change=lambda: st.session_state.pop(unknown, None),
    )
    return cards[chosen]


def _title(card: ModelCard) -> str:
    size = f" · {card.size}" if card.parameters else ""  # a directory's is known once it is open
    return f"{card.title}{size}{' · needs a network' * engine.needs_network(card)}"


def _take(widget: str) -> None:
    """Open what came and let its bytes go; a bad file leaves the picture that was there."""
    st.session_state.pop(PROBLEM, None)
    given = st.session_state.get(widget)
    if given is None:
        return
    st.session_state[TAKEN] += 1
    try:
        opened = open_picture(given.getvalue(), given.name)
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        st.session_state[UPLOADED] = vision.upload(opened.image)
        st.session_state[NOTES] = opened.notes


def _forget_upload() -> None:
    for name in (UPLOADED, PROBLEM, NOTES):
        st.session_state.pop(name, None)
