"""Which tokenizers, trained on what: the controls that several views share."""

import streamlit as st

from app.content import corpora
from app.services import engine, tokenizers
from app.style.markdown_escape import plain
from app.ui import projector
from app.ui.params import Param
from app.ui.progress import READER_ERRORS
from app.views.tokenizers import state
from core.errors import InputError
from core.tokenization import TextTokenizer

CORPUS_TITLES = {
    **{name: corpus.title for name, corpus in corpora.CORPORA.items()},
    "own": "A text of your own",
    "file": "A file of your own",
}
LARGEST_UPLOAD = 10  # MB


def choose_tokenizers(label: str = "Tokenizers") -> None:
    """The list of tokenizers; uploads stand in it, too."""
    cards = {card.id: card for card in tokenizers.model_cards()}
    files = [f"{state.FILE}{name}" for name in state.uploads()]
    options = [*tokenizers.on_board_ids(), *tokenizers.TRAINED, *files]
    options += [name for name in cards if name not in options]
    chosen = [name for name in state.get(state.NAMES) if name in options]
    state.put(state.NAMES, chosen)

    def title(name: str) -> str:
        if name.startswith(state.FILE):
            return name.removeprefix(state.FILE)
        if name in cards:
            network = " · needs a network" if engine.needs_network(cards[name]) else ""
            return f"{cards[name].title}{network}"
        return tokenizers.TRAINED[name]

    st.multiselect(
        label,
        options,
        format_func=title,
        key=state.key(state.NAMES),
        max_selections=state.MOST_TOKENIZERS,
        placeholder="choose at least one",
        help="BPE (byte-level), WordPiece and Unigram are trained here, on the training corpus.",
    )


def opened_tokenizers() -> list[TextTokenizer]:
    """Those of the chosen that can be had; what is wrong with the others is said."""
    found: list[TextTokenizer] = []
    for name in state.get(state.NAMES):
        try:
            with st.spinner("Preparing a tokenizer …", show_time=True):
                found.append(state.tokenizer(name))
        except READER_ERRORS as error:
            st.warning(plain(str(error)), icon=":material/info:")
    return found


def corpus_popover(param: Param = state.CORPUS, *, trained: bool = True) -> None:
    """The corpus, and for the page's own tokenizers what is trained on it."""
    with st.popover("Training corpus", icon=":material/description:", width="content"):
        st.radio(
            "Corpus",
            [name for name in CORPUS_TITLES if param.parse(name)],
            format_func=CORPUS_TITLES.__getitem__,
            key=state.key(param),
        )
        if state.get(param) == "own":
            st.text_area(
                "Your text", key=state.key(state.OWN), max_chars=state.LONGEST_PASTE, height=140
            )
        if state.get(param) == "file":
            st.file_uploader(
                "A text file, UTF-8, up to 5 MB",
                type=["txt", "md", "csv"],
                max_upload_size=5,
                key=f"{state.PAGE}.corpus-upload",
                on_change=_take_corpus,
            )
            if state.CORPUS_FILE in st.session_state:
                name, text = st.session_state[state.CORPUS_FILE]
                st.text(f"{name}: {len(text):,} characters")
        if problem := st.session_state.pop(f"{state.PAGE}.corpus-problem", None):
            st.warning(plain(problem))
        if trained:
            st.number_input(
                "Vocabulary size of the trained ones",
                min_value=50,
                max_value=tokenizers.LARGEST_VOCABULARY,
                step=100,
                key=state.key(state.SIZE),
                help="BPE starts with 256 bytes, the others with the corpus's letters.",
            )
            st.segmented_control(
                "WordPiece's score",
                ["frequency", "likelihood"],
                key=state.key(state.SCORE),
                required=True,
                help="Frequency: Hugging Face's trainer. Likelihood: the papers'.",
            )


def upload_popover() -> None:
    """A tokenizer of the reader's own, private to the session."""
    with st.popover("Your own tokenizer", icon=":material/upload_file:", width="content"):
        st.file_uploader(
            "tokenizer.json, vocab.txt, or merges.txt (with its vocab.json)",
            accept_multiple_files=True,
            max_upload_size=LARGEST_UPLOAD,
            key=f"{state.PAGE}.upload",
            on_change=_take_tokenizer,
        )
        st.caption("It stays in this session and enters no link.")
        if problem := st.session_state.pop(f"{state.PAGE}.upload-problem", None):
            st.warning(plain(problem))


def display_popover() -> None:
    """What the figure shows besides the tokens."""
    with st.popover("Display", icon=":material/tune:", width="content"):
        st.toggle("Ids", key=state.key(state.IDS))
        st.toggle("Bytes under the glyphs", key=state.key(state.BYTES))
        projector.toggle(state.PAGE)


def _take_tokenizer() -> None:
    files = {file.name: file.getvalue() for file in st.session_state[f"{state.PAGE}.upload"]}
    if not files:
        return
    name = " + ".join(files)
    try:
        state.uploaded(name, files)
    except InputError as error:
        st.session_state[f"{state.PAGE}.upload-problem"] = str(error)
        return
    state.uploads()[name] = files
    chosen = [*state.get(state.NAMES), f"{state.FILE}{name}"]
    state.put(state.NAMES, list(dict.fromkeys(chosen))[-state.MOST_TOKENIZERS :])


def _take_corpus() -> None:
    file = st.session_state[f"{state.PAGE}.corpus-upload"]
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        st.session_state[f"{state.PAGE}.corpus-problem"] = (
            f"{file.name} is not UTF-8 text: {error}. Save it again as UTF-8."
        )
        return
    st.session_state[state.CORPUS_FILE] = (file.name, text)
