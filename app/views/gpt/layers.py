"""What would the model say after each layer? The logit lens, and the rank of a word on its way."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from app.components.token_table import token_table, token_table_frame
from app.services import decoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.chosen_words import InText, token_in
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export, Table
from app.ui.logit_lens import layer_number, lens_table, rank_curve, show_ranks
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, prompt_input
from app.views.gpt.state import MODEL, PLACE, TEXT
from core.explain.predictions.logit_lens import LayerReading
from core.trace import Encoding

HERE: Final = Scope("gpt", "layers")
WORD: Final = HERE.text("word")  # whose rank is followed; empty: the model's own last choice
MOST_POSITIONS = 24  # of the prompt's last tokens


def render() -> Figure | None:
    """Prompt, model, table."""
    opened = prompt_input()
    if opened is None:
        return None
    card, text = opened.card, TEXT.value
    step = progress.outcome(decoder.next_step(card.id, text), card.id)
    if step is None:
        return None
    encoding, tokens = step.encoding, step.encoding.tokens
    shown = tuple(range(max(0, len(tokens) - MOST_POSITIONS), len(tokens)))
    request, future = decoder.layer_logits(card.id, text, shown)
    found = progress.outcome(future, card.id)
    if found is None:
        return None
    wanted = _wanted(opened, int(step.logits.argmax()))
    # along the text the wanted token is the one that follows; after the last, the chosen word
    following = (*encoding.ids[shown[0] + 1 :].tolist(), wanted)
    read = decoder.reading(request, found, following)
    return partial(_figure, opened, read, encoding, shown, following)


def _wanted(opened: Opened, favourite: int) -> int:
    """The word whose rank is followed after the last token: the reader's, or the model's choice."""
    with controls():
        word = WORD.line(
            "Follow the rank of this word at the end (empty: the model's own choice)",
            placeholder=opened.vocabulary[favourite],
            width=420,
            max_chars=60,
        )
    if not word.strip():
        return favourite
    spaced = word if word[0].isspace() else f" {word}"
    ids = progress.outcome(decoder.ids_of(opened.card.id, spaced), opened.card.id)
    if not ids:
        st.info("This makes no token; the model's own choice is followed.")
        return favourite
    first, *rest = ids
    if rest:
        pieces = " + ".join(opened.vocabulary[index] for index in ids)
        st.caption(
            f"“{plain(word)}” is {len(ids)} tokens, {plain(pieces)}; the first one is followed."
        )
    return first


def _figure(
    opened: Opened,
    read: LayerReading,
    encoding: Encoding,
    shown: tuple[int, ...],
    following: tuple[int, ...],
) -> Export:
    vocabulary, tokens = opened.vocabulary, encoding.tokens
    chosen = InText(PLACE, token_in(tokens), figures=(HERE.key("lens"),))
    place = chosen.value
    column = place - shown[0] if place in shown else len(shown) - 1
    caption = f"{opened.card.title}, logit lens · “{TEXT.value[:200]}”"
    table = lens_table(
        read.first,
        read.probability,
        vocabulary,
        states=range(len(read.first)),
        columns=[tokens[index] for index in shown],
        column_ids=tuple(encoding.ids[list(shown)].tolist()),
        note=lambda layer, c: _note(read, layer, c, vocabulary, following),
        marked=read.rank == 1,
        label="What each layer would say after each token",
        column_title="after",
        shade_title=(
            "Shade: P of the layer's first choice, 0 to 1. Underlined: the token that really "
            "follows; in the last column, the followed word."
        ),
        caption=caption,
    )
    said = answer()
    left, right = st.columns([8, 5], gap="large")
    with left:
        if shown[0]:
            st.caption(f"The last {len(shown)} of {len(tokens)} tokens.")
        cell = token_table(table, key=HERE.key("lens"), selected=(0, column))
        if cell is not None and cell[1] != column:
            chosen.put(shown[cell[1]])
            column = cell[1]
        _numbers(opened, read, column, following[column])
    with right:
        _ranks(opened, read, tokens[shown[column]], column, following[column])
    said.markdown(_answered(read, vocabulary, tokens[shown[column]], column, following[column]))
    return Export(
        facts=opened.facts,
        name="logit-lens",
        caption=caption,
        table=lambda: _table(read, tokens, shown, following, vocabulary),
        arrays=lambda: {
            "first": read.first,
            "probability": read.probability,
            "entropy": read.entropy,
            "rank": read.rank,
            "wanted": read.wanted,
        },
        offline=("token_table", lambda: token_table_frame(table)),
    )


def _answered(
    read: LayerReading, vocabulary: Sequence[str], after: str, column: int, wanted: int
) -> str:
    """What the last layer says after a token, and the followed one's way there, in Markdown."""
    first, last = read.rank[0, column], read.rank[-1, column]
    said = vocabulary[int(read.first[-1, column])]
    return (
        f"After *{plain(after)}* the last layer says *{plain(said)}* with "
        f"**{three(float(read.probability[-1, column]))}**; *{plain(vocabulary[wanted])}* "
        f"goes from rank **{first:,}** at the input to rank **{last:,}**."
    )


def _note(
    read: LayerReading,
    layer: int,
    column: int,
    vocabulary: tuple[str, ...],
    following: tuple[int, ...],
) -> str:
    rank = int(read.rank[layer, column])
    return f"{vocabulary[following[column]]} is rank {rank} of {len(vocabulary)}"


def _ranks(opened: Opened, read: LayerReading, after: str, column: int, wanted: int) -> None:
    """One position's way through the layers: the wanted token's rank."""
    token = opened.vocabulary[wanted]
    st.markdown(f"**The rank of {plain(token)} after {plain(after)}**, layer by layer")
    curve = rank_curve(token, read.rank[:, column], read.wanted[:, column].tolist(), "decoder")
    show_ranks([curve], key=HERE.key("ranks"), name="ranks", height=260)


def _numbers(opened: Opened, read: LayerReading, column: int, wanted: int) -> None:
    token = opened.vocabulary[wanted]
    data_table(
        {
            "layer": list(map(layer_number, range(len(read.first)))),
            "first choice": [opened.vocabulary[index] for index in read.first[:, column]],
            "P": [three(float(p)) for p in read.probability[:, column]],
            "entropy, bits": [three(float(h)) for h in read.entropy[:, column]],
            f"rank of {token}": read.rank[:, column].tolist(),
            f"P of {token}": [three(float(p)) for p in read.wanted[:, column]],
        },
        height="content",
    )


def _table(
    read: LayerReading,
    tokens: tuple[str, ...],
    shown: tuple[int, ...],
    following: tuple[int, ...],
    vocabulary: tuple[str, ...],
) -> Table:
    header = ["layer", "position", "after", "first", "p_first", "entropy", "wanted", "rank", "p"]
    rows = [
        (
            layer_number(layer),
            position,
            tokens[position],
            vocabulary[int(read.first[layer, column])],
            repr(float(read.probability[layer, column])),
            repr(float(read.entropy[layer, column])),
            vocabulary[following[column]],
            int(read.rank[layer, column]),
            repr(float(read.wanted[layer, column])),
        )
        for layer in range(read.first.shape[0])
        for column, position in enumerate(shown)
    ]
    return header, rows


VIEW: Final = View("layers", "By layer", (MODEL, TEXT, PLACE, WORD), render)
