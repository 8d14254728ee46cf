"""One head on the built-in sentence that shows best what it does, word by word."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import engine, text_maps
from app.services.relations import Example
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.attention.opening import Opened, open_head
from app.views.attention.syntax.state import HERE
from app.views.attention.syntax.table import head_name
from core.catalog import ModelCard
from core.explain.attention.relation_heads import RelationHeads
from core.explain.attention.relations import links_of
from core.explain.embeddings.token_alignment import word_map, words_at
from core.trace import AttentionKind


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The word map, and where its words stand among the tokens."""

    figure: HeatMap
    kind: AttentionKind
    cell: tuple[int, int]  # (query, key) tokens of the example


def draw(card: ModelCard, found: RelationHeads, head: int, example: Example) -> Drawn | None:
    """The map of the head; None after saying why the model gives none."""
    sentence = example.sentence
    trace = progress.outcome(engine.request_maps(card.id, sentence.text)[1], card.id)
    if trace is None:
        return None
    kind = trace.kinds[0]
    encoding = text_maps.encodings(trace, kind)[0]
    words = words_at(sentence.spans, sentence.words, encoding)
    if words is None:
        raise ValueError(f"the tokens of “{sentence.text}” fitted its words before")
    layer, at = found.heads[head]
    attention = trace.attention(layer, kind=kind)
    merged = word_map(attention.weights[at], words, len(sentence.words))
    right = np.zeros(merged.weights.shape, dtype=bool)
    for word, whom in links_of(sentence)[found.relation].right.items():
        right[word, list(whom)] = True
    figure = HeatMap(
        values=merged.weights,
        rows=sentence.words,
        columns=sentence.words,
        label=f"Head {head_name((layer, at))}, word by word: who looks by who is looked at",
        caption=f"{card.title}, head {head_name((layer, at))} · “{sentence.text}” · words",
        title=f"head {head_name((layer, at))}, word by word",
        row_title="looks",
        column_title="is looked at",
        scale="sequential",
        hue=kind.value,
        hidden=~_visible(attention.allowed(), words.of_token, len(sentence.words)),
        outlined=right,
        row_notes=tuple(f"{three(float(m))} on special tokens" for m in merged.special_mass),
        cell=(44.0, 26.0),
        height=340,
    )
    heat_map(figure, key=HERE.key("example"), selected=(example.word, example.found))
    cell = words.first_token(example.word), words.first_token(example.found)
    return Drawn(figure, kind, cell)


def told(example: Example, head: tuple[int, int]) -> str:
    """Where the head looks in the example, and whether that is right."""
    words = example.sentence.words
    looks = f"*{plain(words[example.word])}* looks most at *{plain(words[example.found])}*"
    if example.found in example.right:
        return f"Its best example: {looks}. Outlined: all links of this kind."
    right = " or ".join(f"*{plain(words[place])}*" for place in sorted(example.right))
    return f"Head {head_name(head)} finds none: {looks}, not at {right}."


def open_button(drawn: Drawn, head: tuple[int, int], example: Example) -> None:
    """To the view of one sentence, with this head and this pair."""
    if st.button(
        f"Open head {head_name(head)} on this sentence",
        type="tertiary",
        icon=":material/visibility:",
        key=HERE.key("open"),
    ):
        open_head(Opened(drawn.kind, head, drawn.cell, example.sentence.text))


def _visible(allowed: np.ndarray, of_token: np.ndarray, count: int) -> np.ndarray:
    """(word, word): some piece may look at some piece."""
    seen = np.zeros((of_token.max() + 1,) * 2, dtype=bool)
    rows, columns = np.nonzero(allowed)
    seen[of_token[rows], of_token[columns]] = True
    return seen[:count, :count]
