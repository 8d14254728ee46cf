"""The reader's own sentences: a text file, checked when it comes, kept in this session alone."""

from typing import Final, cast

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.uploaded import content_of, given_in
from app.views.attention.heads.many.state import HERE, OWN
from core.data.sentence_files import FEWEST, Sentences, read_sentences
from core.errors import InputError
from core.limits import SENTENCE_CHARACTERS, SENTENCES

UPLOAD: Final = "uploads.sentences"
TURN: Final = HERE.key("turn")  # every file has a field of its own, so that its bytes can go
PROBLEM: Final = HERE.key("problem")
MOST_SENT: Final = 20  # MB that may come, only to be told that they are too many


def field() -> None:
    """Ask for the file; what is wrong with one is told below, and the last good one stays."""
    turn = st.session_state.setdefault(TURN, 0)
    with st.popover("Your sentences", icon=":material/upload_file:"):
        st.file_uploader(
            f"A text file in UTF-8, one sentence a line: {FEWEST} to {SENTENCES} of them, up to "
            f"{SENTENCE_CHARACTERS:,} characters each",
            max_upload_size=MOST_SENT,
            key=HERE.key(f"file:{turn}"),
            on_change=_take,
            args=(HERE.key(f"file:{turn}"),),
        )
        st.caption("It stays in this session: never stored, never in a link.")
        if (kept := _kept()) is not None:
            OWN.toggle(f"Name the heads over {kept.name}, {len(kept)} sentences")


def sentences() -> Sentences | None:
    """Those to use; None after saying why there are none, or where none are wanted."""
    if problem := cast("str | None", st.session_state.get(PROBLEM)):
        st.warning(plain(problem), icon=":material/info:")
    if not OWN.value:
        return None
    if _kept() is None:
        st.info(
            "This link was made with a reader's own sentences, which never enter a link. Give the "
            "file again under “Your sentences”; until then, the built-in ones are shown."
        )
    return _kept()


def _kept() -> Sentences | None:
    return cast("Sentences | None", st.session_state.get(UPLOAD))


def _take(field: str) -> None:
    st.session_state.pop(PROBLEM, None)
    given = next(iter(given_in(field)), None)
    if given is None:
        return
    st.session_state[TURN] += 1
    try:
        with content_of(given) as content:
            st.session_state[UPLOAD] = read_sentences(given.name, content)
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        OWN.put(value=True)
