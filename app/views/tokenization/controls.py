"""The corpus, the settings and the reader's own files: everything that decides a training."""

import streamlit as st

from app.services.bpe_training import CUSTOM
from app.ui import projector
from app.views.tokenization import corpora, lessons, state
from core.errors import InputError
from core.tokenization.bpe import TIE_RULES
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS

UPLOAD = "uploads.tokenization"  # (name, corpus): survives a visit to another page
ENDS = {"separate": "</w> apart", "glued": "</w> glued", "none": "none"}
READS = {"counts": "word counts", "text": "text"}
RULES = {str(card.rule): card for card in TIE_RULES}
SPLITS = {splitter.name: splitter.title for splitter in PRE_TOKENIZERS} | {CUSTOM: "My own pattern"}
END_HELP = (
    "Tokens end where words end. Apart: </w> is a symbol of its own (Sennrich et al. 2016). Glued: "
    "it is part of the last letter (subword-nmt since 0.2, Hugging Face's suffix)."
)


def corpus_input() -> corpora.Counts | str | None:
    """Draw the input; return the corpus, or None after telling what is wrong with it."""
    left, middle, right = st.columns([8, 5, 10], vertical_alignment="bottom")
    own = st.session_state.get(UPLOAD) if state.get(state.SOURCE) == "file" else None
    with left:
        if own:
            st.text_area("Corpus", _shown(own[0]), disabled=True, height=68)
        else:
            st.text_area("Corpus", key=state.key(state.TEXT), height=68)
    with middle:
        st.segmented_control(
            "Read as",
            list(READS),
            format_func=READS.__getitem__,
            key=state.key(state.READ),
            required=True,
            disabled=bool(own),
            help="Word counts: each word and its number, as in “low 5, lower 2”.",
        )
    with right, st.container(horizontal=True, vertical_alignment="center"):
        st.toggle(
            "Predict",
            key=state.key(state.PREDICT),
            help="For the class: which pair is merged next? The answer stays hidden until somebody "
            "finds it or it is revealed.",
        )
        _settings()
        _own_file()
    st.pills(
        "Examples",
        [example.label for example in corpora.EXAMPLES],
        key=f"{state.PAGE}.example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    if problem := st.session_state.pop(f"{state.PAGE}.problem", None):
        st.warning(problem)
    if own:
        return own[1]
    if state.get(state.SOURCE) == "file":
        st.info(
            "This link was made with an uploaded corpus, which never enters a link. Upload the "
            "text again or open its lesson file (Own file); until then, the text above is used."
        )
    try:
        text = state.get(state.TEXT)
        return corpora.read_counts(text) if state.get(state.READ) == "counts" else text
    except InputError as error:
        st.warning(str(error), icon=":material/info:")
        return None


def _shown(name: str) -> str:
    return f"{name} (uploaded, this session only)"


def _settings() -> None:
    with st.popover("Settings", icon=":material/tune:", width="content"):
        st.number_input(
            "Number of merges", 0, state.MOST_MERGES, step=10, key=state.key(state.MERGES)
        )
        st.selectbox(
            "Tie rule: which of equally frequent pairs?",
            list(RULES),
            format_func=lambda name: f"{RULES[name].title} · {RULES[name].used_by}",
            key=state.key(state.TIE),
        )
        card = RULES[state.get(state.TIE)]
        st.caption(f"Takes {card.comparison}. Used by {card.used_by}.")
        byte_level = state.get(state.BYTES)
        st.segmented_control(
            "End of word",
            list(ENDS),
            format_func=ENDS.__getitem__,
            key=state.key(state.END),
            required=True,
            disabled=byte_level,
            help=END_HELP,
        )
        st.toggle(
            "Byte level",
            key=state.key(state.BYTES),
            help="Symbols are the 256 bytes of UTF-8, written as GPT-2 writes them: Ġ is a space. "
            "No end of word: words carry the space before them.",
        )
        st.selectbox(
            "Pre-tokeniser: what is a word?",
            list(SPLITS),
            format_func=SPLITS.__getitem__,
            key=state.key(state.SPLIT),
            help="No merge crosses a border between words. Word counts are not split again.",
        )
        if state.get(state.SPLIT) == CUSTOM:
            st.text_input("Pattern: every match is a word", key=state.key(state.PATTERN))
        st.number_input(
            "Minimum frequency of a pair", 1, 1_000_000, step=1, key=state.key(state.MINIMUM)
        )
        projector.toggle(state.PAGE)


def _own_file() -> None:
    with st.popover("Own file", icon=":material/upload_file:", width="content"):
        st.file_uploader(
            f"A text in UTF-8, up to {corpora.LARGEST_UPLOAD} MB, or a lesson file saved here",
            max_upload_size=corpora.LARGEST_UPLOAD,
            key=f"{state.PAGE}.upload",
            on_change=_take_upload,
        )
        st.caption("It stays in this session: no link carries it, nobody else sees it.")
        if st.session_state.get(UPLOAD) and st.button("Back to the typed corpus"):
            st.session_state.pop(UPLOAD)
            state.put(state.SOURCE, "text")
            st.rerun(scope="app")


def _take_upload() -> None:
    uploaded = st.session_state[f"{state.PAGE}.upload"]
    st.session_state.pop(f"{state.PAGE}.problem", None)
    if uploaded is None:
        return
    try:
        text = corpora.decoded(uploaded.name, uploaded.getvalue())
        if lessons.looks_like_lesson(text):
            corpus = lessons.open_lesson(text)
            if corpus is None:
                st.session_state.pop(UPLOAD, None)
                state.put(state.SOURCE, "text")
                return
        else:
            corpus = text
            state.put(state.STEP, 0)
            state.put(state.FORCE, None)
            if state.get(state.MERGES) == state.MERGES.default:
                state.put(state.MERGES, 1000)
            if state.get(state.FORK) == "forced":
                state.put(state.FORK, "off")
    except InputError as error:
        st.session_state[f"{state.PAGE}.problem"] = str(error)
        return
    st.session_state[UPLOAD] = (uploaded.name, corpus)
    state.put(state.SOURCE, "file")


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.example"]
    st.session_state[f"{state.PAGE}.example"] = None
    st.session_state.pop(f"{state.PAGE}.problem", None)
    for example in corpora.EXAMPLES:
        if example.label == label:
            kept = (state.PREDICT, state.LIST, state.LIST_END)
            for param in state.PARAMS:
                if param not in kept:
                    state.put(param, example.settings.get(param, param.default))
            state.put(state.TEXT, example.text)
            state.put(state.READ, example.read)
            st.session_state.pop(UPLOAD, None)
