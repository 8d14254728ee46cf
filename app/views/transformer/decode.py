"""Token by token: where the newest position looks, and what it could say."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.decoder_steps import (
    DecoderSteps,
    Word,
    clicked_word,
    decoder_steps,
    decoder_steps_frame,
)
from app.components.heat_map import HeatMap, heat_map
from app.components.selection import Seed
from app.services import translator
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.ui.silence import with_effect
from app.views.transformer import choosing, inputs
from app.views.transformer.silencing import SILENCE, silence
from app.views.transformer.state import DECODED, HEAD, HERE, LAYER, NAMES, PREFIX, TEXT, asked
from core.catalog import ModelCard
from core.explain.attention.merge_words import words_of
from core.outputs.decoding import Decoding
from core.trace import AttentionKind

STEP: Final = Scope("transformer", "decode").whole("step", 0, 511, 0)
DECODER: Final = HERE.key("decoder")
GUESSED: Final = 0.2  # mean probability of its own tokens
PIECES: Final = 3  # of a word: frequent ones have fewer


def render() -> Figure | None:
    """The decoder's run; below it the mask."""
    card = inputs.ask()
    if card is None:
        return None
    return None if _decoded(card) is None else partial(_figure, card)


def _decoded(card: ModelCard) -> Decoding | None:
    return progress.outcome(translator.decode(asked()), card.id)


def _figure(card: ModelCard) -> Export | None:
    if (before := _decoded(card)) is None:
        return None
    _say(before)
    if (decoded := _decoded(card)) is None:
        return None
    said = answer(_answered(decoded))
    with controls():
        layer, head = choosing.layer_and_head(decoded.trace, AttentionKind.CROSS)
        if PREFIX.value:
            st.button("Greedy again", on_click=PREFIX.reset)
    figure = _steps(decoded, card, layer, head)
    step = decoder_steps(figure, key=DECODER, step=STEP.value)
    STEP.put(step)
    _notes(decoded)
    silenced = silence(card, decoded, step)
    _mask(decoded, layer, head, step)
    if silenced is not None and silenced.said:
        said.markdown(f"{_answered(decoded)} {silenced.said}")
    export = Export(
        name="decoding",
        caption=figure.caption,
        table=lambda: _table(decoded),
        arrays=lambda: {
            "cross_attention": figure.weights,
            "logits": np.asarray(decoded.trace.logits),
            "label_ids": decoded.label_ids,
        },
        offline=("decoder_steps", lambda: decoder_steps_frame(figure, seed=Seed(step))),
        facts={"vocabulary": f"{decoded.vocabulary:,}"},
    )
    return with_effect(export, silenced)


def _say(decoded: Decoding) -> None:
    """A clicked candidate is said in place of what stood there, and the run goes on from it."""
    offered = [{one.id for one in row} for row in decoded.candidates]
    word = clicked_word(DECODER, offered)
    if word is not None:
        place, token = word
        said = (*decoded.label_ids[:place].tolist(), token)
        PREFIX.put(said)
        STEP.put(min(place + 1, len(said)))


def _steps(decoded: Decoding, card: ModelCard, layer: int, head: int) -> DecoderSteps:
    trace = decoded.trace
    name = choosing.name_of(layer, head)
    return DecoderSteps(
        source=trace.tokens,
        fed=trace.target_tokens,
        labels=decoded.labels,
        label_ids=tuple(decoded.label_ids.tolist()),
        candidates=tuple(
            tuple(Word(one.id, one.token, one.probability, one.logit) for one in row)
            for row in decoded.candidates
        ),
        weights=translator.maps(trace, AttentionKind.CROSS, layer, head),
        heads=name,
        label="Decoding step by step",
        caption=f"{card.title}, cross-attention of {name} · “{TEXT.value}”",
    )


def _notes(decoded: Decoding) -> None:
    if not decoded.ended:
        st.caption(
            f"Cut off after {len(decoded.labels)} tokens, the input's length + 50 "
            "(Vaswani et al. 2017, section 6.1): the model did not come to its end."
        )
    st.caption(confidence(decoded, TEXT.value))
    if PREFIX.value:
        st.caption(f"The first {len(PREFIX.value)} tokens are your choice, the rest is greedy.")


def _answered(decoded: Decoding) -> str:
    """What it says, and how sure it was of its own tokens."""
    mean = three(decoded.losses.mean_probability)
    return (
        f"It says **{plain(decoded.text) or '∅'}**, its own {len(decoded.labels)} tokens with a "
        f"mean probability of **{mean}**."
    )


def confidence(decoded: Decoding, text: str) -> str:
    """How sure the model was, and which words of the source it has no token for."""
    mean = decoded.losses.mean_probability
    said = (
        f"{'**The model is guessing.** ' if mean < GUESSED else ''}On average its own tokens had "
        f"a probability of {three(mean)} (geometric mean; 1 is certain)."
    )
    encoding = decoded.trace.encoding
    if encoding is None:
        return said
    words = words_of(encoding)
    rare: list[str] = []
    for word, count in enumerate(np.bincount(words.of_token).tolist()):
        if count >= PIECES:
            first = words.first_token(word)
            start, end = encoding.offsets[first, 0], encoding.offsets[first + count - 1, 1]
            rare.append(f"{plain(text[start:end].strip())} ({count} pieces)")
    return f"{said} Rare in its training: {', '.join(rare)}." if rare else said


def _mask(decoded: Decoding, layer: int, head: int, step: int) -> None:
    trace = decoded.trace
    weights = translator.maps(trace, AttentionKind.DECODER, layer, head)
    hidden = ~trace.attention(max(layer, 0), kind=AttentionKind.DECODER).allowed()
    heat_map(
        HeatMap(
            values=weights,
            rows=trace.target_tokens,
            columns=trace.target_tokens,
            label="Masked self-attention of the decoder",
            caption=f"Masked decoder self-attention, {choosing.name_of(layer, head)}",
            title="The mask: masked self-attention of the decoder",
            row_title="position that looks",
            column_title="looked at",
            scale="sequential",
            hue="decoder",
            hidden=hidden,
            height=360,
        ),
        key=HERE.key("mask"),
        selected=(min(step, len(weights) - 1), 0),
    )


def _table(decoded: Decoding) -> Table:
    header = ("position", "fed", "rank", "token", "probability", "logit", "said")
    rows = (
        (i, fed, rank + 1, one.token, repr(one.probability), repr(one.logit), one.token == said)
        for i, (fed, said, row) in enumerate(
            zip(decoded.trace.target_tokens, decoded.labels, decoded.candidates, strict=True)
        )
        for rank, one in enumerate(row)
    )
    return header, rows


VIEW: Final = View(
    "decode", "Decode", (*DECODED, LAYER, HEAD, STEP, *SILENCE.params), render, NAMES.control
)
