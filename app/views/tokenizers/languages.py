"""One sentence in many languages: what each tokenizer asks for it."""

from typing import Final

import numpy as np
import streamlit as st

from app.content.corpora import LANGUAGES
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import beside_line, input_line
from app.ui.page import View, show_next
from app.ui.params import Scope
from app.views.tokenizers import chooser, state
from app.views.tokenizers.state import (
    CHOSEN,
    HERE,
    NAMES,
    PLACE,
    TEXT,
)
from core.tokenization.comparison import Fertility, fertilities

MEASURES = {
    "premium": ("against English", "tokens, × the English sentence's"),
    "word": ("per word", "tokens per word (fertility)"),
    "character": ("per character", "tokens per code point"),
}
SAID: Final = {
    "premium": "times the tokens of the English sentence",
    "word": "tokens a word",
    "character": "tokens a code point",
}
MEASURE: Final = Scope("tokenizers", "languages").choice(
    "measure", {name: title for name, (title, _) in MEASURES.items()}
)
MOST_UNKNOWN = 0.2  # of the tokens; beyond, a count says little


def render() -> Export | None:
    """Choose tokenizers and a measure; a row of dots a language."""
    with input_line(chooser.chosen_count()):
        chooser.choose_tokenizers()
        with beside_line():
            MEASURE.segmented("Tokens", quiet=True)
        chooser.upload_fields()
        chooser.corpus_fields()
    tokenizers = chooser.opened_tokenizers()
    if not tokenizers:
        st.info("Choose at least one tokenizer above.")
        return None
    found = state.of_the_same("fertilities", tokenizers, lambda: fertilities(LANGUAGES, tokenizers))
    answer(_answered(found, MEASURE.value))
    _figure(found)
    with st.container(border=False):
        st.markdown("See a sentence in tokens")
        example_chips(
            LANGUAGES, _open_sentence, key=HERE.key("language"), label="See a sentence in tokens"
        )
    return Export(
        table=lambda: _table(found),
        name="tokens-by-language",
        left_out=state.left_out(names=NAMES.value),
        caption="One sentence in fifteen languages, tokens of each tokenizer",
    )


def value_of(row: Fertility, measure: str) -> float:
    """The chosen measure of one tokenizer on one language."""
    match measure:
        case "word":
            return row.tokens_per_word
        case "character":
            return row.tokens_per_character
        case _:
            return row.premium


def _answered(found: tuple[Fertility, ...], measure: str) -> str:
    """The dearest language, and the tokenizer that is fairest to its own, in Markdown."""
    worst = {
        name: max(
            (row for row in found if row.tokenizer == name), key=lambda row: value_of(row, measure)
        )
        for name in dict.fromkeys(row.tokenizer for row in found)
    }
    most = max(worst.values(), key=lambda row: value_of(row, measure))
    least = min(worst.values(), key=lambda row: value_of(row, measure))
    said = (
        f"{plain(most.tokenizer)} asks most for {most.sample}: "
        f"**{three(value_of(most, measure))}** {SAID[measure]}"
    )
    if len(worst) == 1:
        return f"{said}."
    return (
        f"{said}; {plain(least.tokenizer)} at most **{three(value_of(least, measure))}**, for "
        f"{least.sample}."
    )


def _figure(found: tuple[Fertility, ...]) -> None:
    measure = MEASURE.value
    languages = list(LANGUAGES)[::-1]  # Plotly draws the first at the bottom
    curves: list[charts.Curve] = []
    for name in dict.fromkeys(row.tokenizer for row in found):
        rows = {row.sample: row for row in found if row.tokenizer == name}
        ordered = [rows[language] for language in languages]
        curves.append(
            charts.Curve(
                name=name,
                x=np.array([value_of(row, measure) for row in ordered]),
                y=languages,
                hover=tuple(
                    f"{row.tokenizer} · {row.sample}: {row.tokens} tokens for {row.words} words, "
                    f"{row.premium:.3g} × English · {row.unknown} unknown"
                    for row in ordered
                ),
                lines=False,
                hollow=tuple(row.unknown > MOST_UNKNOWN * row.tokens for row in ordered),
            )
        )
    charts.show(
        charts.chart(curves, x_title=MEASURES[measure][1], y_title="", height=520),
        key=HERE.key("languages"),
        name="tokens-by-language",
    )
    if any(any(curve.hollow) for curve in curves):
        st.caption(
            "Hollow: more than a fifth of the tokens are [UNK]. Such a row is short because the "
            "tokenizer gives up, and not because it does well."
        )
    if measure == "word":
        st.caption(
            "Chinese and Japanese write no spaces: their “word” here is everything between two "
            "marks, so compare them per character or against English."
        )


def _table(found: tuple[Fertility, ...]) -> Table:
    header = ["tokenizer", "language", "tokens", "words", "characters", "bytes", "unknown"]
    return [*header, "premium"], [
        (r.tokenizer, r.sample, r.tokens, r.words, r.characters, r.bytes, r.unknown, r.premium)
        for r in found
    ]


def _open_sentence(sentence: str) -> None:
    TEXT.put(sentence)
    PLACE.reset()
    show_next("tokenizers", "text")


VIEW: Final = View("languages", "Many languages", (MEASURE, *CHOSEN), render)
