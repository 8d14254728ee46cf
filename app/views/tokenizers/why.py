"""Why subwords: words that a list of words lacks, and what a larger vocabulary buys."""

from functools import partial
from hashlib import sha256
from typing import Final

import numpy as np
import streamlit as st

from app.services import engine
from app.services.tokenizers import Corpus
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import joined
from app.ui import charts
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.tokenizers import chooser, state
from app.views.tokenizers.forms import FormRow, entries, form_rows
from app.views.tokenizers.sizes import HeldOut, held_out
from app.views.tokenizers.state import (
    CORPUS,
    HERE,
    OWN,
)
from core.errors import InputError

_OWN: Final = Scope("tokenizers", "why")
D_MODEL: Final = _OWN.whole("d_model", 16, 16384, 768)
WORD: Final = _OWN.text("word", "dog")


def render() -> Figure | None:
    """The reader's corpus; the figure."""
    with input_line(state.CORPUS.names[state.CORPUS.value], f"embedding width {D_MODEL.value}"):
        chooser.corpus_fields(trained=False)
        D_MODEL.number_input("Embedding width", step=64, width=200)
    try:
        corpus = state.corpus()
        with st.spinner("Training on one half of the corpus …", show_time=True):
            found = engine.derived(("held-out", _digest(corpus)), lambda: held_out(corpus))
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    return partial(_figure, corpus, found)


def _figure(corpus: Corpus, found: HeldOut) -> Export:
    """Coverage and cost; then the category rule."""
    answer(_answered(found))
    left, right = st.columns(2, gap="medium")
    with left:
        _coverage(found)
    with right:
        _costs(found)
    last = found.words[-1]
    st.caption(
        f"Learned on {found.train_words:,} running words, measured on {found.test_words:,} others. "
        f"With all {last.vocabulary_size:,} words of its half, the word list still lacks "
        f"{_words(last.unknown_words)}: {1 - last.coverage:.3g} of the text is [UNK]."
    )
    _category_rule(corpus)
    return Export(
        table=lambda: _table(found),
        name="why-subwords",
        left_out=state.left_out(),
        caption="Coverage and length of the held-out half, by size of the vocabulary",
    )


def _answered(found: HeldOut) -> str:
    """What the largest vocabularies do with text that they have not seen, in Markdown."""
    words, pieces = found.words[-1], found.pieces[-1]
    return (
        f"A list of {words.vocabulary_size:,} words knows **{three(100 * words.coverage)} %** of "
        f"the held-out text, {pieces.vocabulary_size:,} subwords write "
        f"**{three(100 * pieces.writable)} %** of it, with **{three(pieces.tokens_per_word)}** "
        "tokens a word."
    )


def _words(count: int) -> str:
    return "one word" if count == 1 else f"{count:,} different words"


def _coverage(found: HeldOut) -> None:
    words = np.array([point.vocabulary_size for point in found.words], dtype=np.float64)
    pieces = np.array([point.vocabulary_size for point in found.pieces], dtype=np.float64)
    curves = [
        charts.Curve(
            "whole words",
            words,
            np.array([point.coverage for point in found.words]),
            tuple(
                f"{p.vocabulary_size:,} words: {p.coverage:.3g} known, {p.unknown_words:,} "
                "different words unknown"
                for p in found.words
            ),
        ),
        charts.Curve(
            "BPE: can be written",
            pieces,
            np.array([point.writable for point in found.pieces]),
            tuple(f"{p.vocabulary_size:,} tokens: {p.writable:.3g} known" for p in found.pieces),
        ),
        charts.Curve(
            "BPE: is one token",
            pieces,
            np.array([point.whole for point in found.pieces]),
            tuple(f"{p.vocabulary_size:,} tokens: {p.whole:.3g} whole" for p in found.pieces),
            dashed=True,
        ),
    ]
    charts.show(
        charts.chart(
            curves, x_title="vocabulary size (log)", y_title="share of held-out words", log_x=True
        ),
        key=HERE.key("coverage"),
        name="coverage",
    )


def _costs(found: HeldOut) -> None:
    d_model = D_MODEL.value
    sizes = np.array([point.vocabulary_size for point in found.pieces], dtype=np.float64)
    curve = charts.Curve(
        "BPE: tokens per held-out word",
        sizes,
        np.array([point.tokens_per_word for point in found.pieces]),
        tuple(
            f"{p.vocabulary_size:,} tokens: {p.tokens_per_word:.3g} a word; "
            f"embedding {p.vocabulary_size} × {d_model} = {p.vocabulary_size * d_model:,}"
            for p in found.pieces
        ),
    )
    training = charts.Curve(
        "… on the half it was trained on",
        np.array([point.vocabulary_size for point in found.trade_off], dtype=np.float64),
        np.array([point.tokens_per_word for point in found.trade_off]),
        tuple(
            f"{p.vocabulary_size:,} tokens: {p.tokens_per_word:.3g} a word" for p in found.trade_off
        ),
        dashed=True,
    )
    figure = charts.chart(
        [curve, training],
        x_title="vocabulary size (log)",
        y_title="tokens per word",
        log_x=True,
    )
    charts.second_axis(
        figure,
        charts.Curve(f"parameters of the embedding, size × {d_model}", sizes, sizes * d_model),
        title="parameters (log)",
    )
    charts.show(figure, key=HERE.key("costs"), name="vocabulary-size")


def _category_rule(corpus: Corpus) -> None:
    st.subheader("One word, many forms")
    left, right = st.columns([2, 5], gap="large")
    with left:
        word = WORD.line("A word of the corpus", max_chars=40)
        st.markdown(
            "Byte-level BPE without a rule merges across borders and learns “dog.”, “dog!” and "
            "“␣dog” as things of their own. GPT-2 splits letters, digits and marks first "
            "(the **category rule**): marks never join a word, only the space before it may."
        )
    with right:
        if not isinstance(corpus, str):
            st.info("This corpus is counted words without text around them. Choose a text.")
            return
        try:
            rows = form_rows(corpus, word)
        except InputError as error:
            st.warning(plain(str(error)), icon=":material/info:")
            return
        _forms(word, rows)
        if rows:
            _entries(corpus, word)


def _forms(word: str, rows: tuple[FormRow, ...]) -> None:
    if not rows:
        st.text(f"“{word}” does not stand in this corpus.")
        return
    data_table(
        {
            "form": [row.form for row in rows],
            "times": [row.count for row in rows],
            "a word list has": [row.bare for row in rows],
            "BPE with GPT-2's rule": [row.with_rule for row in rows],
            "BPE without a rule": [row.without_rule for row in rows],
        },
        height=min(250, 38 + 35 * len(rows)),
    )


def _entries(corpus: str, word: str) -> None:
    """How many places of the vocabulary one word takes."""
    found = entries(corpus, word)
    names = {"With the rule": found.with_rule, "Without": found.without_rule}
    for name, tokens in names.items():
        st.markdown(f"**{name}**, {found.merges} merges make {len(tokens)} tokens that hold it:")
        st.text(joined(tokens[:40]) + (" …" if len(tokens) > 40 else "") or "none")


def _digest(corpus: Corpus) -> str:
    """What a cache knows it by: a reader's own text is long, and counts nothing within a key."""
    given = corpus if isinstance(corpus, str) else tuple(corpus.items())
    return sha256(repr(given).encode()).hexdigest()


def _table(found: HeldOut) -> Table:
    rows: list[tuple[object, ...]] = [
        ("words", p.vocabulary_size, p.coverage, "", "") for p in found.words
    ]
    rows += [
        ("BPE", p.vocabulary_size, p.writable, p.whole, p.tokens_per_word) for p in found.pieces
    ]
    return ["vocabulary", "size", "known", "one_token", "tokens_per_word"], rows


VIEW: Final = View("why", "Why subwords", (CORPUS, OWN, D_MODEL, WORD), render)
