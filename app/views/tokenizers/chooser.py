"""Which tokenizers, trained on what: the controls that several views share."""

import streamlit as st

from app.services import models, tokenizers
from app.style.markdown_escape import plain
from app.ui.file_field import FileField
from app.ui.options import some_of
from app.ui.params import Choice
from app.ui.progress import READER_ERRORS
from app.views.tokenizers import state
from app.views.tokenizers.state import (
    CORPUS,
    CORPUS_FILE,
    FALLBACK,
    FILE,
    HERE,
    LONGEST_PASTE,
    MOST_TOKENIZERS,
    NAMES,
    OWN,
    SCORE,
    SIZE,
    SPLIT,
)
from core.data.text_files import decoded
from core.tokenization import TextTokenizer

LARGEST_UPLOAD = 10  # MB
CORPUS_FIELD = FileField(HERE.key("own-corpus"))
UPLOAD_FIELD = FileField(HERE.key("upload"))


def choose_tokenizers(label: str = "Tokenizers") -> None:
    """The list of tokenizers; uploads stand in it, too."""
    cards = {card.id: card for card in tokenizers.model_cards()}
    files = [f"{FILE}{name}" for name in state.uploads()]
    options = [*tokenizers.on_board_ids(), *tokenizers.TRAINED, *files]
    options += [name for name in cards if name not in options]
    NAMES.put(tuple(name for name in NAMES.value if name in options))

    def title(name: str) -> str:
        if name.startswith(FILE):
            return name.removeprefix(FILE)
        if name in cards:
            network = " · needs a network" if models.needs_network(cards[name]) else ""
            return f"{cards[name].title}{network}"
        return tokenizers.TRAINED[name]

    some_of(
        NAMES,
        st.multiselect,
        label,
        options,
        title,
        max_selections=MOST_TOKENIZERS,
        placeholder="choose at least one",
        help="BPE (byte-level), WordPiece and Unigram are trained here, on the training corpus.",
    )


def chosen_count() -> str:
    """How many are chosen, for the line that holds the input."""
    count = len(NAMES.value)
    return f"{count} tokenizer{'s' * (count != 1)}"


def opened_tokenizers() -> list[TextTokenizer]:
    """Those of the chosen that can be had; what is wrong with the others is said."""
    found: list[TextTokenizer] = []
    for name in NAMES.value:
        try:
            if name in tokenizers.TRAINED:
                found += filter(None, [state.trained(name)])
                continue
            with st.spinner("Preparing a tokenizer …", show_time=True):
                found.append(state.tokenizer(name))
        except READER_ERRORS as error:
            st.warning(plain(str(error)), icon=":material/info:")
    return found


def corpus_fields(param: Choice[str] = CORPUS, *, trained: bool = True) -> None:
    """The corpus, and for the page's own tokenizers what is trained on it."""
    with st.expander("Training corpus", icon=":material/description:"):
        param.radio("Corpus")
        if param.value == "own":
            OWN.area("Your text", max_chars=LONGEST_PASTE, height=140, lines=True)
        if param.value == "file":
            CORPUS_FIELD.ask(
                "A text file, UTF-8, up to 5 MB", _read_corpus, types=["txt", "md", "csv"], most=5
            )
            if CORPUS_FILE in st.session_state:
                name, text = st.session_state[CORPUS_FILE]
                st.text(f"{name}: {len(text):,} characters")
        CORPUS_FIELD.tell_problem()
        if trained:
            SIZE.number_input(
                "Vocabulary size of the trained ones",
                step=100,
                help="BPE starts with 256 bytes, the others with the corpus's letters.",
            )
            SCORE.segmented(
                "WordPiece's score",
                help="Frequency: Hugging Face's rule. Likelihood: the papers'.",
            )
            FALLBACK.toggle(
                "Unigram: byte fallback",
                help="A letter that no piece covers becomes its UTF-8 bytes, such as <0xC3> <0xA4> "
                "for ä, instead of unknown (SentencePiece, Llama). 256 tokens more.",
            )


def upload_fields() -> None:
    """A tokenizer of the reader's own, private to the session."""
    with st.expander("Your own tokenizer", icon=":material/upload_file:"):
        UPLOAD_FIELD.ask_several(
            "tokenizer.json, vocab.txt, a .tiktoken file, or merges.txt (with its vocab.json)",
            _take_tokenizer,
            most=LARGEST_UPLOAD,
        )
        SPLIT.selectbox(
            "What is a word to merges and ranks?",
            help="Their files do not say. tiktoken's are known by their number of ranks: r50k, "
            "p50k, cl100k, o200k.",
        )
        st.caption("It stays in this session and enters no link.")
        UPLOAD_FIELD.tell_problem()


def _take_tokenizer(files: dict[str, bytes]) -> None:
    name = state.take_upload(files)
    chosen = [*NAMES.value, f"{FILE}{name}"]
    NAMES.put(tuple(dict.fromkeys(chosen))[-MOST_TOKENIZERS:])


def _read_corpus(name: str, content: bytes) -> None:
    st.session_state[CORPUS_FILE] = (name, decoded(name, content))
