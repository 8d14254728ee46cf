"""Encode any word with the merges so far, or with a list of merges: tree, states, why not."""

from typing import Final

import streamlit as st

from app.components.bpe_encoding import EncodingView, bpe_encoding
from app.services.bpe_training import MARKER, CheckedMerges
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.controls import controls
from app.ui.options import one_of
from app.views.tokenization import merge_lists, steps
from app.views.tokenization.state import (
    DROPOUT,
    HERE,
    SEED,
    VARIANT,
    VARIANTS,
    WANT,
    WITH,
    WORD,
)
from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.bpe import BPETraining, Encoding, Verdict, WhyNot
from core.tokenization.byte_alphabet import fallback_tokens

Pair = tuple[str, str]
MOST_UNSEEN: Final = 6  # symbols in a sentence


def encode_panel(training: BPETraining, at: int) -> None:
    """The word, its tree, and the token that is missing."""
    st.subheader("Encode a word")
    sources = {"step": f"the {at:,} merges above", "list": "a list of merges"}
    one_of(
        WITH,
        st.segmented_control,
        "With",
        sources,
        sources.__getitem__,
        required=True,
        label_visibility="collapsed",
    )
    with_list = WITH.value == "list"
    checked: CheckedMerges | None = None
    if with_list:
        checked = progress.trained(merge_lists.chosen(), "Reading the merges")
        if checked is None:
            return
        merge_lists.told(checked)
    _word_fields()
    try:
        _draw(training, at, checked)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")


def _word_fields() -> None:
    with controls("encode"):
        WORD.line("Word", width=240)
        WANT.line(
            "Why not this token?",
            placeholder="a token you expected",
            help="Which earlier merge took its letters.",
            width=200,
        )
        VARIANT.selectbox("Variant", width=230)
        DROPOUT.number_input(
            "Dropout",
            step=0.1,
            help="Each merge is left out with this probability (BPE-dropout, Provilkov et al. "
            "2020).",
            width=120,
        )
        SEED.number_input("Seed", step=1, disabled=DROPOUT.value == 0, width=120)


def _draw(training: BPETraining, at: int, checked: CheckedMerges | None) -> None:
    settings = training.settings
    if checked:
        merges: tuple[Pair, ...] = checked.given.merges
        end, byte_level = checked.end_of_word, checked.given.byte_level
    else:
        merges = training.merges[:at]
        end, byte_level = str(settings.marking), settings.byte_level
    word = WORD.value
    if not word.strip():
        st.caption("Type a word to see how it is cut.")
        return
    if not byte_level and (bare := word.strip()) != word:
        word = bare
    encoding = bpe.encode(
        word,
        merges,
        end_of_word=None if end == "none" else MARKER,
        glued=end == "glued",
        variant=VARIANT.value,
        dropout=DROPOUT.value,
        seed=SEED.value,
        byte_level=byte_level,
    )
    if not checked and (unseen := unseen_words(encoding, training)):
        st.caption(unseen)
    answers = bpe.why_not(encoding, WANT.value, merges) if WANT.value else ()
    for answer in answers[:3]:
        st.text(answer_words(answer, encoding))
    source = "a list" if checked else "this training's"
    line = f"“{word}” with {len(merges):,} merges of {source}, {VARIANTS[VARIANT.value]}"
    if DROPOUT.value:
        line += f", dropout {DROPOUT.value:g}, seed {SEED.value}"
    culprits = [answer.step for answer in answers if answer.step is not None]
    view = EncodingView(
        encoding=encoding,
        caption=line,
        marker="" if end == "none" else MARKER,
        asked=tuple(answer.span for answer in answers if answer.span),
        culprit=culprits[0] if culprits else None,
    )
    bpe_encoding(view, key=HERE.key("encoding"))


def unseen_words(encoding: Encoding, training: BPETraining) -> str:
    """Symbols that the corpus never had, and what tools do with them; empty without any."""
    known = set(training.vocabulary)
    unseen = [symbol for symbol in dict.fromkeys(encoding.symbols) if symbol not in known]
    if not unseen:
        return ""
    shown = " · ".join(plain(symbol) for symbol in unseen[:MOST_UNSEEN])
    letter = unseen[0].removesuffix(training.settings.marker)
    in_bytes = " ".join(f"`{token}`" for token in fallback_tokens(letter.encode()))
    return (
        f"Not in the corpus, so in no vocabulary: {shown}. A model would read [UNK] there; with "
        f"byte fallback (SentencePiece) {plain(letter)} is {in_bytes}; at byte level (GPT-2) every "
        "byte is a symbol from the start."
    )


def answer_words(answer: WhyNot, encoding: Encoding) -> str:
    """The fate of a wanted token in a sentence."""
    want = steps.short_name(answer.wanted)
    thief = ""
    if answer.taken_by is not None and answer.taken_span is not None:
        start, end = answer.taken_span
        letters = "".join(encoding.symbols[start:end])
        rule = answer.taken_by
        thief = (
            f"rule {rule.rank + 1:,}, {steps.joined(rule.pair)}, had joined "
            f"{steps.short_name(letters)}"
        )
    own = "" if answer.rule is None else f"rule {answer.rule + 1:,} makes it"
    match answer.verdict:
        case Verdict.IS_THERE:
            return f"{want} is one of the tokens."
        case Verdict.NOT_IN_WORD:
            return f"{want} is not in the word: its symbols do not stand side by side."
        case Verdict.NO_RULE:
            return f"No rule makes {want}." + (f" And {thief}, across its border." if thief else "")
        case Verdict.ABSORBED:
            return f"{want} was made, but then {thief}."
        case Verdict.LETTERS_TAKEN:
            return f"{want}: {own}, but before that, {thief}, which took letters of it."
        case Verdict.PARTS_MISSING:
            return f"{want}: {own}, but its two parts never came to stand side by side."
