"""The corpus, the settings and the reader's own files: everything that decides a training."""

import streamlit as st

from app.services.bpe_training import CUSTOM
from app.style.markdown_escape import plain
from app.ui.examples import example_chips
from app.ui.file_field import FileField
from app.ui.input_line import input_line, quoted
from app.views.tokenization import corpora, lessons
from app.views.tokenization.state import (
    BYTES,
    END,
    FORCE,
    FORK,
    HERE,
    LIST,
    LIST_END,
    LONGEST,
    MERGES,
    MINIMUM,
    PARAMS,
    PATTERN,
    READ,
    RULES,
    SOURCE,
    SPLIT,
    STEP,
    TEXT,
    TIE,
)
from core.data.text_files import decoded
from core.errors import InputError
from core.tokenization.typed_counts import Counts, read_counts

FIELD = FileField(HERE.key("own"))
UPLOAD = "uploads.tokenization"  # (name, corpus): survives a visit to another page
END_HELP = (
    "Tokens end where words end. Apart: </w> is a symbol of its own (Sennrich et al. 2016). Glued: "
    "it is part of the last letter (subword-nmt since 0.2, Hugging Face's suffix)."
)


def corpus_input() -> Counts | str | None:
    """Draw the input; return the corpus, or None after telling what is wrong with it."""
    own = st.session_state.get(UPLOAD) if SOURCE.value == "file" else None
    said: str = own[0] if own else quoted(TEXT.value)
    with input_line(said, f"{MERGES.value} merges"):
        if own:
            st.text_area("Corpus", _shown(own[0]), disabled=True, height=68)
        else:
            st.text_area("Corpus", key=TEXT.key, height=100)
        READ.segmented(
            "Read as",
            disabled=bool(own),
            help="Word counts: each word and its number, as in “low 5, lower 2”.",
        )
        _settings()
        _own_file()
        example_chips(
            {example.label: example for example in corpora.EXAMPLES},
            _take_example,
            key=HERE.key("example"),
        )
    FIELD.tell_problem()
    if own:
        return own[1]
    if SOURCE.value == "file":
        st.info(
            "This link was made with an uploaded corpus, which never enters a link. Upload the "
            "text again or open its lesson file (Own file); until then, the text above is used."
        )
    try:
        text = TEXT.value
        return read_counts(text) if READ.value == "counts" else text
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None


def left_out() -> str | None:
    """What of the corpus no link carries."""
    if SOURCE.value == "file":
        return "The link leaves out the uploaded corpus. Save the lesson file instead."
    return None


def _shown(name: str) -> str:
    return f"{name} (uploaded, this session only)"


def _settings() -> None:
    with st.expander("Settings", icon=":material/tune:"):
        MERGES.number_input("Number of merges", step=10)
        TIE.selectbox("Tie rule: which of equally frequent pairs?")
        card = RULES[TIE.value]
        st.caption(f"Takes {card.comparison}. Used by {card.used_by}.")
        END.segmented("End of word", disabled=BYTES.value, help=END_HELP)
        BYTES.toggle(
            "Byte level",
            help="Symbols are the 256 bytes of UTF-8, written as GPT-2 writes them: Ġ is a space. "
            "No end of word: words carry the space before them.",
        )
        SPLIT.selectbox(
            "Pre-tokeniser: what is a word?",
            help="No merge crosses a border between words. Word counts are not split again.",
        )
        if SPLIT.value == CUSTOM:
            PATTERN.line("Pattern: every match is a word")
        MINIMUM.number_input("Minimum frequency of a pair", step=1)
        LONGEST.number_input(
            "Longest token, in symbols (0: any)",
            step=1,
            help="Letters, or bytes; </w> apart is one. SentencePiece: 16. Hugging Face's "
            "max_token_length is this and one more: it asks for fewer.",
        )


def _own_file() -> None:
    with st.expander("Own file", icon=":material/upload_file:"):
        FIELD.ask(
            f"A text in UTF-8, up to {corpora.LARGEST_UPLOAD} MB, or a lesson file saved here",
            _read,
            most=corpora.LARGEST_UPLOAD,
        )
        st.caption("It stays in this session: no link carries it, nobody else sees it.")
        if st.session_state.get(UPLOAD) and st.button("Back to the typed corpus"):
            st.session_state.pop(UPLOAD)
            SOURCE.put("text")
            st.rerun(scope="app")


def _read(name: str, content: bytes) -> None:
    corpus = decoded(name, content)
    if lessons.looks_like_lesson(corpus):
        of_lesson = lessons.open_lesson(corpus)
        if of_lesson is None:
            st.session_state.pop(UPLOAD, None)
            SOURCE.put("text")
            return
        corpus = of_lesson
    else:
        STEP.put(0)
        FORCE.reset()
        if MERGES.value == MERGES.default:
            MERGES.put(1000)
        if FORK.value == "forced":
            FORK.put("off")
    st.session_state[UPLOAD] = (name, corpus)
    SOURCE.put("file")


def _take_example(example: corpora.Example) -> None:
    FIELD.forget_problem()
    for param in PARAMS:
        if param not in (LIST, LIST_END):
            param.put(example.settings.get(param, param.default))
    TEXT.put(example.text)
    READ.put(example.read)
    st.session_state.pop(UPLOAD, None)
