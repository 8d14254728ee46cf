"""What the tokenizers page remembers, in its session and in its link."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar, cast

import streamlit as st

from app.components.token_spans import Place
from app.content import corpora
from app.services import tokenizers
from app.ui.params import Choice, Scope
from app.views.tokenizers.learned import learned
from core.errors import InputError
from core.tokenization import TextTokenizer
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS
from core.tokenization.wordpiece import Score

Found = TypeVar("Found")
DEFAULT_TEXT: Final = "The lighthouse keepers found their unreadable logbooks unbelievably special."
MOST_TOKENIZERS: Final = 8
DRAWN_TEXT: Final = 1_200  # characters of it that the figure draws
LONGEST_PASTE: Final = 200_000  # characters of a corpus that is pasted; more come as a file
UPLOADS: Final = "uploads.tokenizers"  # {name: {file: bytes}}; survives leaving the page
READ: Final = f"{UPLOADS}.read"  # {(name, way to split): (files, tokenizer)}
HALF: Final = f"{UPLOADS}.half"  # the last file that came alone
CORPUS_FILE: Final = "uploads.tokenizers.corpus"  # (name, text)
FILE: Final = "file:"  # before the names of uploaded tokenizers
CORPUS_TITLES: Final = {
    **{name: corpus.title for name, corpus in corpora.CORPORA.items()},
    "own": "A text of your own",
    "file": "A file of your own",
}


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


def _write_place(place: Place | None) -> str:
    return "" if place is None else f"{place[0]}-{place[1]}"


def default_names() -> tuple[str, ...]:
    """A real one on board, and the three trained here."""
    return (*tokenizers.on_board_ids()[:1], *tokenizers.TRAINED)


HERE: Final = Scope("tokenizers")
TEXT: Final = HERE.text("text", DEFAULT_TEXT)
NAMES: Final = HERE.custom("tokenizers", default_names(), _parse_names, _write_names)
PLACE: Final = HERE.custom("place", None, _parse_place, _write_place)
CORPUS: Final = HERE.choice("corpus", CORPUS_TITLES)
OWN: Final = HERE.text("own")
SIZE: Final = HERE.whole("size", 50, tokenizers.LARGEST_VOCABULARY, 1000)
SCORE: Final = HERE.choice("score", [Score.FREQUENCY.value, Score.LIKELIHOOD.value])
FALLBACK: Final = HERE.flag("fallback")  # Unigram's, to bytes
SPLIT: Final = HERE.choice(  # of a reader's own merges and ranks
    "split",
    {tokenizers.GUESS: "as the file's kind suggests"}
    | {splitter.name: splitter.title for splitter in PRE_TOKENIZERS},
)

# of the views that train on a few words
SMALL: Final = Scope("tokenizers", "small").choice(
    "corpus", {name: CORPUS_TITLES[name] for name in ("hug", "lecture", "story", "own", "file")}
)

CHOSEN: Final = (NAMES, CORPUS, OWN, SIZE, SCORE, FALLBACK, SPLIT)


def uploads() -> dict[str, dict[str, bytes]]:
    """The reader's own tokenizers: name to files."""
    return st.session_state.setdefault(UPLOADS, {})


def corpus(param: Choice[str] = CORPUS) -> tokenizers.Corpus:
    """The chosen training corpus. Raises InputError for an empty one."""
    name = param.value
    if name in corpora.CORPORA:
        return corpora.CORPORA[name].content
    if name == "file":
        if CORPUS_FILE not in st.session_state:
            raise InputError("No corpus file is here: upload one under “Training corpus”.")
        return st.session_state[CORPUS_FILE][1]
    if not OWN.value.strip():
        raise InputError("Your own corpus is empty: paste a text under “Training corpus”.")
    return OWN.value


def trained(name: str) -> TextTokenizer | None:
    """One of those that are trained here; None after saying why there is none.

    Raises InputError for an empty corpus.
    """
    score, fallback = Score(SCORE.value), FALLBACK.value
    make = tokenizers.trained_tokenizer
    return learned(
        (name, SIZE.value, score, fallback),
        corpus(),
        partial(make, name, corpus(), SIZE.value, score, byte_fallback=fallback),
        f"Training {tokenizers.TRAINED[name]}",
    )


def tokenizer(name: str) -> TextTokenizer:
    """A chosen one that is not trained here. Raises InputError and ModelUnavailableError."""
    if name.startswith(FILE):
        files = uploads().get(name.removeprefix(FILE))
        if files is None:
            raise InputError(f"{name.removeprefix(FILE)} is not in this session: upload it again.")
        return uploaded(name.removeprefix(FILE), files)
    return tokenizers.model_tokenizer(name)


def take_upload(files: dict[str, bytes]) -> str:
    """Keep a reader's tokenizer, and call it by its name. Raises InputError for what is none.

    A file that comes alone may be the other half of the one before: merges.txt, vocab.json.
    """
    before: dict[str, bytes] = st.session_state.get(HALF, {})
    alone = len(files) == 1
    st.session_state[HALF] = files if alone else {}
    if alone and len(before | files) == 2:
        with suppress(InputError):
            return _keep(before | files)
    return _keep(files)


def _keep(files: dict[str, bytes]) -> str:
    """With the newest uploads of this session; the oldest go."""
    name = " + ".join(files)
    uploaded(name, files)
    kept = {other: its for other, its in uploads().items() if other != name} | {name: files}
    kept = dict(list(kept.items())[-MOST_TOKENIZERS:])
    st.session_state[UPLOADS] = kept
    read: dict[tuple[str, str], object] = st.session_state[READ]
    for key in [key for key in read if key[0] not in kept]:
        del read[key]
    return name


def uploaded(name: str, files: dict[str, bytes]) -> TextTokenizer:
    """A reader's own tokenizer, read once in a session for each way to split."""
    kept = st.session_state.setdefault(READ, {})
    key = name, SPLIT.value
    read, found = kept.get(key, (None, None))
    if read != files:  # another file may have the same name
        found = tokenizers.file_tokenizer(files, SPLIT.value)
        kept[key] = dict(files), found
    return found


def of_the_same(
    name: str,
    asked: Sequence[object],
    compute: Callable[[], Found],
    small: Callable[[Found], bool] = lambda _: True,
) -> Found:
    """What the last run computed under this name, if it was asked of the very same.

    small: whether it may stay in the session's memory.
    """
    key = HERE.key(name)
    before, found = st.session_state.get(key, ((), None))
    if len(before) == len(asked) and all(map(_is_same, before, asked)):
        return cast("Found", found)
    computed = compute()
    if small(computed):
        st.session_state[key] = tuple(asked), computed
    else:
        st.session_state.pop(key, None)
    return computed


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def left_out(param: Choice[str] = CORPUS, names: Sequence[str] = ()) -> str | None:
    """A sentence on uploads that the present state needs and no link can carry."""
    files = [name.removeprefix(FILE) for name in names if name.startswith(FILE)]
    if param.value == "file" and CORPUS_FILE in st.session_state:
        files.append(st.session_state[CORPUS_FILE][0])
    if not files:
        return None
    return f"Links leave out what was uploaded: {', '.join(files)}."
