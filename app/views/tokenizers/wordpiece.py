"""BPE, WordPiece by frequency, WordPiece by likelihood: what each glues, and how a word is cut."""

from typing import Final

import streamlit as st

from app.components.piece_bars import PieceBars, Section, piece_bars, piece_bars_frame
from app.services import tokenizers
from app.services.tokenizers import Corpus
from app.style.markdown_escape import plain
from app.style.visible_space import joined
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.page import View
from app.ui.params import Scope
from app.views.tokenizers import chooser, cuttings, state
from app.views.tokenizers.learned import learned
from app.views.tokenizers.state import (
    HERE,
    OWN,
    SCORE,
    SMALL,
)
from core.errors import InputError
from core.tokenization import bpe, wordpiece
from core.tokenization.wordpiece import PREFIX, Score, WordPieceTraining

SCORES = {"frequency": "WordPiece, frequency", "likelihood": "WordPiece, likelihood"}
_OWN: Final = Scope("tokenizers", "wordpiece")
WORD: Final = _OWN.text("word", "hugs")
MERGES: Final = _OWN.whole("merges", 0, 2000, 4)
EXAMPLES = {
    "hugs": ("hug", "hugs", 4),
    "bug: found": ("hug", "bug", 4),
    "mug: [UNK]": ("hug", "mug", 4),
    "lowest": ("lecture", "lowest", 8),
    "unreadable": ("story", "unreadable", 400),
}


def render() -> Export | None:
    """A corpus, a word, a number of merges; the cuttings and the merges."""
    with input_line(quoted(WORD.value), f"{MERGES.value} merges"):
        word = WORD.line("Word", max_chars=200).strip()
        MERGES.number_input(
            "Merges", step=1, help="How many pairs each of the three glues before the word is cut."
        )
        SCORE.segmented(
            "Longest match by", help="Whose vocabulary the longest match is shown with."
        )
        chooser.corpus_fields(SMALL, trained=False)
        example_chips(EXAMPLES, _take_example, key=HERE.key("wordpiece-example"))
    try:
        corpus = state.corpus(SMALL)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    merges = MERGES.value
    trained = learned(("three", merges), corpus, lambda: _train(corpus, merges))
    if trained is None:
        return None
    figure = _figure(word, trained) if word else None
    if figure is None:
        st.info("Type a word to see how it is cut.")
    else:
        answer(_answered(figure))
        piece_bars(figure, key=HERE.key("search"))
    _merges(trained)
    return Export(
        table=lambda: _table(trained),
        name="bpe-and-wordpiece",
        left_out=state.left_out(SMALL),
        caption=figure.caption if figure else "BPE and WordPiece on one corpus",
        offline=None if figure is None else ("piece_bars", lambda: piece_bars_frame(figure)),
    )


Trained = tuple[bpe.BPETraining, WordPieceTraining, WordPieceTraining]


def _train(corpus: Corpus, merges: int) -> Trained:
    """All three on the same words, as BERT splits and lower-cases them."""
    words = tokenizers.basic_words(corpus)
    counts = dict(zip(words.words, words.counts, strict=True))
    return (
        tokenizers.train_bpe(counts, merges, byte_level=False),
        tokenizers.train_wordpiece(counts, merges, Score.FREQUENCY),
        tokenizers.train_wordpiece(counts, merges, Score.LIKELIHOOD),
    )


def _figure(word: str, trained: Trained) -> PieceBars | None:
    by_merges, by_frequency, by_likelihood = trained
    shown = word[: cuttings.LONGEST_WORD]
    chosen = by_frequency if SCORE.value == "frequency" else by_likelihood
    merged = bpe.encode(shown, by_merges.merges).tokens if shown else ()
    known = frozenset(by_merges.vocabulary)
    rows = [cuttings.tokens_row(shown, merged, "BPE", vocabulary=known)]
    for training in (by_frequency, by_likelihood):
        ids = training.ids()
        tokens = wordpiece.encode(shown, ids).tokens
        name = SCORES[training.score]
        rows.append(cuttings.tokens_row(shown, tokens, name, vocabulary=ids, prefix=PREFIX))
    title = f"Longest match, step by step: WordPiece by {chosen.score}"
    cut = "" if shown == word else f", its first {len(shown)} letters"
    return PieceBars(
        letters=tuple(shown),
        sections=(
            Section("One word, three vocabularies", tuple(rows)),
            cuttings.search_section(shown, chosen.ids(), title),
        ),
        label=f"How {shown} is cut by BPE and two WordPieces",
        caption=f"{shown}{cut} · {MERGES.value} merges on one corpus",
    )


def _answered(figure: PieceBars) -> str:
    """How many tokens the word is to each, in Markdown."""
    rows = figure.sections[0].rows
    cuts = (
        f"**{plain(joined(bar.label for bar in row.bars))}** to {row.name} ({row.note})"
        for row in rows
    )
    return f"“{plain(''.join(figure.letters))}” is {'; '.join(cuts)}."


def _merges(trained: Trained) -> None:
    st.subheader("What each one glues")
    names = (
        "BPE: the most frequent pair",
        "Hugging Face's WordPiece: the same with ##",
        "WordPiece by likelihood",
    )
    by_merges, by_frequency, by_likelihood = trained
    tables = (
        cuttings.bpe_steps(by_merges),
        cuttings.wordpiece_steps(by_frequency),
        cuttings.wordpiece_steps(by_likelihood),
    )
    for column, name, table in zip(st.columns(3, gap="medium"), names, tables, strict=True):
        with column:
            st.markdown(f"**{name}**")
            data_table(table, height=280)
    st.caption(
        "Ties: BPE and the frequency variant take the smallest ids, the rule of Hugging Face's "
        "trainer; the likelihood variant takes the pair first seen."
    )


def _table(trained: Trained) -> Table:
    by_merges, *pieces = trained
    rows: list[tuple[object, ...]] = [
        ("BPE", s.rank + 1, *s.pair, s.token, s.count, "", "") for s in by_merges.steps
    ]
    for training in pieces:
        name = f"WordPiece {training.score}"
        rows += [
            (name, s.rank + 1, *s.pair, s.token, s.count, s.score, s.n_tied) for s in training.steps
        ]
    return ["model", "merge", "left", "right", "token", "count", "score", "tied"], rows


def _take_example(example: tuple[str, str, int]) -> None:
    corpus, word, merges = example
    SMALL.put(corpus)
    WORD.put(word)
    MERGES.put(merges)


VIEW: Final = View("wordpiece", "BPE and WordPiece", (SMALL, OWN, SCORE, WORD, MERGES), render)
