"""What the tokenizers page remembers, in its session and in its link."""

from typing import Final

import streamlit as st

from app.components.token_spans import Place
from app.content import corpora
from app.services import tokenizers
from app.ui import params as links
from core.errors import InputError
from core.tokenization import TextTokenizer
from core.tokenization.wordpiece import Score

PAGE: Final = "tokenizers"
VIEWS: Final = {
    "text": "One text",
    "languages": "Many languages",
    "why": "Why subwords",
    "wordpiece": "BPE and WordPiece",
    "unigram": "Unigram",
}
DEFAULT_TEXT: Final = "The lighthouse keepers found their unreadable logbooks unbelievably special."
MOST_TOKENIZERS: Final = 8
LONGEST_TEXT: Final = 20_000  # characters
DRAWN_TEXT: Final = 1_200  # characters of it that the figure draws
LONGEST_PASTE: Final = 200_000  # characters of a corpus that is pasted; more come as a file
UPLOADS: Final = "uploads.tokenizers"  # {name: {file: bytes}}; survives leaving the page
CORPUS_FILE: Final = "uploads.tokenizers.corpus"  # (name, text)
FILE: Final = "file:"  # before the names of uploaded tokenizers


def _parse_names(given: str) -> tuple[str, ...] | None:
    known = {*tokenizers.TRAINED, *(card.id for card in tokenizers.model_cards())}
    names = tuple(dict.fromkeys(name for name in given.split(",") if name in known))
    return names[:MOST_TOKENIZERS] or None


def _write_names(names: tuple[str, ...]) -> str:
    return ",".join(name for name in names if not name.startswith(FILE))


def _parse_place(given: str) -> Place | None:
    try:
        first, last = (int(part) for part in given.split("-"))
    except ValueError:
        return None
    return (first, last) if 0 <= first < last else None


def default_names() -> tuple[str, ...]:
    """A real one on board, and the three trained here."""
    return (*tokenizers.on_board_ids()[:1], *tokenizers.TRAINED)


VIEW = links.choice("view", list(VIEWS))
TEXT = links.text("text", DEFAULT_TEXT)
NAMES = links.Param("tok", default_names(), _parse_names, _write_names)
AT = links.Param("at", None, _parse_place, lambda place: f"{place[0]}-{place[1]}")
IDS = links.flag("ids")
BYTES = links.flag("bytes")
CORPUS = links.choice("corpus", [*corpora.CORPORA, "own", "file"])
OWN = links.text("own")
SIZE = links.number("size", 50, tokenizers.LARGEST_VOCABULARY, 1000)
SCORE = links.choice("score", [Score.FREQUENCY.value, Score.LIKELIHOOD.value])
MEASURE = links.choice("measure", ["premium", "word", "character"])
D_MODEL = links.number("d", 16, 16384, 768)
FORM = links.text("form", "dog")
SMALL = links.choice("small", ["hug", "lecture", "story", "own", "file"])
WORD = links.text("word", "hugs")
MERGES = links.number("merges", 0, 2000, 4)
MODEL = links.choice("model", ["course", "trained"])
PIECE_WORD = links.text("piece", "unhug")
PIECES = links.number("pieces", 1, 5000, 12)
BEST = links.number("best", 1, 12, 5)
ALPHA = links.number("alpha", 0.0, 5.0, 1.0)
SEED = links.number("seed", 0, 999_999, 0)

PARAMS = (
    VIEW, TEXT, NAMES, AT, IDS, BYTES, CORPUS, OWN, SIZE, SCORE, MEASURE, D_MODEL, FORM,
    SMALL, WORD, MERGES, MODEL, PIECE_WORD, PIECES, BEST, ALPHA, SEED,
)  # fmt: skip


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def uploads() -> dict[str, dict[str, bytes]]:
    """The reader's own tokenizers: name to files."""
    return st.session_state.setdefault(UPLOADS, {})


def corpus(param: links.Param = CORPUS) -> tokenizers.Corpus:
    """The chosen training corpus. Raises InputError for an empty one."""
    name = get(param)
    if name in corpora.CORPORA:
        return corpora.CORPORA[name].content
    if name == "file":
        if CORPUS_FILE not in st.session_state:
            raise InputError("No corpus file is here: upload one under “Training corpus”.")
        return st.session_state[CORPUS_FILE][1]
    if not get(OWN).strip():
        raise InputError("Your own corpus is empty: paste a text under “Training corpus”.")
    return get(OWN)


def tokenizer(name: str) -> TextTokenizer:
    """A chosen tokenizer. Raises InputError and ModelUnavailableError."""
    if name in tokenizers.TRAINED:
        return tokenizers.trained_tokenizer(name, corpus(), get(SIZE), Score(get(SCORE)))
    if name.startswith(FILE):
        files = uploads().get(name.removeprefix(FILE))
        if files is None:
            raise InputError(f"{name.removeprefix(FILE)} is not in this session: upload it again.")
        return uploaded(name.removeprefix(FILE), files)
    return tokenizers.model_tokenizer(name)


def uploaded(name: str, files: dict[str, bytes]) -> TextTokenizer:
    """A reader's own tokenizer, read once in a session."""
    kept = st.session_state.setdefault(f"{UPLOADS}.read", {})
    if name not in kept:
        kept[name] = tokenizers.file_tokenizer(files)
    return kept[name]


def written() -> dict[str, str]:
    """The link's parameters; the file's corpus and uploaded tokenizers never enter."""
    params = links.written(PAGE, PARAMS)
    if tuple(get(NAMES)) == NAMES.default or not params.get(NAMES.name):
        params.pop(NAMES.name, None)
    return params


def left_out() -> str | None:
    """A sentence on uploads that the present state needs and no link can carry."""
    files = [name.removeprefix(FILE) for name in get(NAMES) if name.startswith(FILE)]
    if "file" in (get(CORPUS), get(SMALL)) and CORPUS_FILE in st.session_state:
        files.append(st.session_state[CORPUS_FILE][0])
    if not files:
        return None
    return f"Links leave out what was uploaded: {', '.join(files)}."
