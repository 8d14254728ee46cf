"""What is learned from a corpus while its reader waits: at once, or beside everything else."""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from app.services import tokenizers
from app.services.tokenizers import Corpus
from app.style.markdown_escape import plain
from app.ui import progress

Found = TypeVar("Found")


def learned(
    key: tuple[Hashable, ...], corpus: Corpus, learn: Callable[[], Found], doing: str = "Training"
) -> Found | None:
    """What `learn` makes of the corpus; None after saying why it makes nothing.

    A large corpus is learned from in a line of its own: who goes on leaves it, and all others read.
    key: what besides the corpus it depends on.
    """
    if tokenizers.is_large(corpus):
        return progress.trained(tokenizers.in_background(key, corpus, learn), doing, "steps")
    try:
        with st.spinner(f"{doing} …", show_time=True):
            return learn()
    except progress.READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
