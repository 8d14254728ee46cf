"""One text through several tokenizers: the lanes, the numbers, the forms of a glyph."""

import unicodedata
from functools import partial
from typing import Final

import streamlit as st

from app.components.token_spans import SpanSettings, token_spans, token_spans_frame
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import page_links
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.tokenizers import chooser, state
from app.views.tokenizers.lanes import Lanes, lanes_of
from app.views.tokenizers.state import (
    CHOSEN,
    DEFAULT_TEXT,
    DRAWN_TEXT,
    HERE,
    NAMES,
    PLACE,
    TEXT,
)
from core.errors import InputError
from core.limits import CHARACTERS, LINK_CHARACTERS
from core.tokenization import TextTokenizer
from core.tokenization.glyphs import normal_forms
from core.tokenization.special_tokens import SpecialPolicy, specials_in, under_policy

_OWN: Final = Scope("tokenizers", "text")
IDS: Final = _OWN.flag("ids")
BYTES: Final = _OWN.flag("bytes")
SPECIAL: Final = _OWN.choice(
    "special",
    {
        SpecialPolicy.ALLOWED.value: "stand for themselves",
        SpecialPolicy.TEXT.value: "are plain text",
        SpecialPolicy.REFUSED.value: "are refused",
    },
)
MOST_SPECIALS: Final = 6  # that a label names
MOST_KEPT: Final = 1_000  # tokens in a session, some 400 bytes each: a class has 200 sessions
Cut = tuple[Lanes | None, dict[int, str]]
EXAMPLES = {
    "rare words": DEFAULT_TEXT,
    "one long word": "Abwasserbehandlungsanlage",
    "dog, dog! Dog": "dog dog! Dog, (dog) dogs bulldog DOG",
    "emoji family": "👩‍👩‍👧‍👦 and 👍🏽 say 🏳️‍🌈",
    "é and é": "caf\u00e9 cafe\u0301 Ångström A\u030angstro\u0308m",
    "what you don't see": "no\u00a0break, zero\u200bwidth, tab\there, soft\u00adhyphen",
    "numbers and code": "3.14159 + 1000000 = x2\ndef f(x):\n    return x ** 2",
    "special tokens": "The end.<|endoftext|>Not the end [SEP] of [MASK] it.",
    "five scripts": "Hello Привет नमस्ते 你好 مرحبا",
}


def render() -> Figure | None:
    """A text and tokenizers; the figure."""
    with input_line(quoted(TEXT.value), chooser.chosen_count()):
        text = TEXT.area("Text", max_chars=CHARACTERS)
        chooser.choose_tokenizers()
        take = _take_example
        example_chips(EXAMPLES, take, key=HERE.key("example"), text=TEXT, bring=take)
        chooser.upload_fields()
        chooser.corpus_fields()
    if not text.strip():
        st.info("The text is empty. Type a word, or take an example.")
        return None
    return partial(_figures, text)


def _figures(text: str) -> Export | None:
    """Cut it, draw it."""
    if TEXT.value != text:
        st.rerun(scope="app")  # a press below wrote into the field, which stands outside
    opened = chooser.opened_tokenizers()
    asked = _as_told(opened, text)
    lanes, refusals = state.of_the_same(
        "lanes", (text, SPECIAL.value, *opened), partial(_cut, text, asked), _small
    )
    for refusal in refusals.values():
        st.warning(plain(refusal), icon=":material/info:")
    if lanes is None:
        st.info("Choose at least one tokenizer above.")
        return None
    settings = _figure(lanes)
    _numbers(lanes)
    _forms(text, [one for at, one in enumerate(asked) if at not in refusals])
    _attention_links(text)
    return Export(
        table=lambda: _table(lanes),
        name="tokenizers-on-one-text",
        left_out=state.left_out(names=NAMES.value),
        caption=settings.caption,
        offline=(
            "token_spans",
            lambda: token_spans_frame(lanes.comparison, lanes.glyphs, settings),
        ),
    )


def _as_told(tokenizers: list[TextTokenizer], text: str) -> list[TextTokenizer]:
    """What special tokens in the text stand for; asked only where there are some."""
    found = list(dict.fromkeys(name for one in tokenizers for name in specials_in(text, one)))
    if found:
        shown = " · ".join(found[:MOST_SPECIALS]) + (" …" if len(found) > MOST_SPECIALS else "")
        SPECIAL.segmented(
            f"Special tokens in the text: {plain(shown)}",
            help="tiktoken refuses them unless they are allowed; Hugging Face's library takes "
            "them for themselves. As text, they are cut like any other letters.",
        )
    if not found:
        return tokenizers
    return [under_policy(one, SpecialPolicy(SPECIAL.value)) for one in tokenizers]


def _cut(text: str, tokenizers: list[TextTokenizer]) -> Cut:
    """What they make of it; of those that can't cut this text, by their place, why."""
    able: list[TextTokenizer] = []
    refusals: dict[int, str] = {}
    for at, tokenizer in enumerate(tokenizers):
        try:
            tokenizer.tokenize(text)
        except InputError as error:
            refusals[at] = f"{tokenizer.title}: {error}"
        else:
            able.append(tokenizer)
    return lanes_of(text, able, DRAWN_TEXT) if able else None, refusals


def _small(cut: Cut) -> bool:
    lanes, _ = cut
    return lanes is None or sum(len(row.spans) for row in lanes.rows) <= MOST_KEPT


def _answered(lanes: Lanes) -> str:
    """Who needs the fewest tokens and who the most, in Markdown."""
    summaries = sorted(lanes.summaries, key=lambda one: one.tokens)
    few, many = summaries[0], summaries[-1]
    if len(summaries) == 1:
        return (
            f"{plain(few.tokenizer)} cuts it into **{few.tokens:,}** tokens, "
            f"**{three(few.per_word)}** a word."
        )
    return (
        f"{plain(few.tokenizer)} needs the fewest tokens, **{few.tokens:,}**, "
        f"{plain(many.tokenizer)} the most, **{many.tokens:,}**: **{three(few.per_word)}** and "
        f"**{three(many.per_word)}** a word."
    )


def _figure(lanes: Lanes) -> SpanSettings:
    answer(_answered(lanes))
    settings = SpanSettings(
        notes=tuple(summary.note for summary in lanes.summaries),
        ids=IDS.value,
        bytes=BYTES.value,
        caption=f"Tokenizers on “{lanes.comparison.text[:200]}”",
    )
    place = token_spans(
        lanes.comparison,
        lanes.glyphs,
        settings,
        selected=PLACE.value,
        key=HERE.key("spans"),
    )
    PLACE.put(place)
    notes: list[str] = []
    if len(lanes.summaries) > 1:
        notes.append(
            f"Inside words, all {len(lanes.summaries)} agree at {lanes.agreement:.3g} of the "
            "places where one could cut."
        )
    if lanes.cut_short:
        notes.append(
            f"The figure draws the first {lanes.glyphs[-1].end if lanes.glyphs else 0:,} "
            "characters; all numbers are of the whole text."
        )
    if notes:
        st.caption(" ".join(notes))
    return settings


def _numbers(lanes: Lanes) -> None:
    data_table(
        {
            "tokenizer": [s.tokenizer for s in lanes.summaries],
            "vocabulary": [s.vocabulary for s in lanes.summaries],
            "tokens": [s.tokens for s in lanes.summaries],
            "tokens per word": [s.per_word for s in lanes.summaries],
            "characters per token": [s.characters / max(1, s.tokens) for s in lanes.summaries],
            "bytes per token": [s.bytes / max(1, s.tokens) for s in lanes.summaries],
            "unknown": [s.unknown for s in lanes.summaries],
            "within a glyph": [s.partial for s in lanes.summaries],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g")
            for name in ("tokens per word", "characters per token", "bytes per token")
        }
        | {"vocabulary": st.column_config.NumberColumn(format="localized")},
    )


def _forms(text: str, tokenizers: list[TextTokenizer]) -> None:
    """The same look in other code points, where the text has such forms."""
    forms = normal_forms(text)
    if all(form.text == text for form in forms):
        return
    st.subheader("Same look, other code points")
    st.caption(
        "Unicode writes é as one code point (NFC) or as e and an accent (NFD); the K forms also "
        "replace ligatures and the like. A tokenizer that does not normalise sees other bytes."
    )
    columns: dict[str, list[object]] = {
        "form": [form.name + (" · this text" if form.is_input else "") for form in forms],
        "code points": [form.code_points for form in forms],
        "bytes": [form.byte_length for form in forms],
    }
    for tokenizer in tokenizers:
        columns[tokenizer.title] = [len(tokenizer.tokenize(form.text).spans) for form in forms]
    data_table(columns)
    with st.container(horizontal=True):
        for name in ("NFC", "NFD"):
            st.button(
                f"Show the {name} above",
                on_click=TEXT.put,
                args=(_in_form(text, name),),
                disabled=_in_form(text, name) == text,
            )


def _in_form(text: str, name: str) -> str:
    return unicodedata.normalize("NFD" if name == "NFD" else "NFC", text)


def _attention_links(text: str) -> None:
    if len(text) > LINK_CHARACTERS:
        return
    with st.container(horizontal=True):
        page_links.link(
            "attention",
            "What do these pieces do to attention? Every head on this text",
            {"text": text},
            icon=":material/visibility:",
        )
        page_links.link(
            "attention", "… and with the pieces merged to words", {"text": text, "words": "1"}
        )


def _table(lanes: Lanes) -> Table:
    header = ["tokenizer", "token", "id", "start", "end", "byte_start", "byte_end", "unknown"]
    rows = [
        (row.tokenizer, s.token, s.id, s.start, s.end, s.byte_start, s.byte_end, int(s.unknown))
        for row in lanes.rows
        for s in row.spans
    ]
    return header, rows


def _take_example(text: str) -> None:
    TEXT.put(text)
    PLACE.reset()


def _display() -> None:
    IDS.toggle("Ids")
    BYTES.toggle("Bytes under the glyphs")


PARAMS: Final = (TEXT, PLACE, IDS, BYTES, SPECIAL, *CHOSEN)
VIEW: Final = View("text", "One text", PARAMS, render, _display)
