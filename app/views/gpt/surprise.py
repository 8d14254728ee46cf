"""How surprised is the model by a pasted text? Bits token by token, perplexity, bits per byte."""

import math
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row, token_row_frame
from app.services import decoder, engine
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.style.number_format import as_tex, three
from app.style.visible_space import visible
from app.style.worked import Step, follow, step
from app.ui import progress
from app.ui.answer import answer
from app.ui.chosen_words import InText, token_in
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, text_input
from app.views.gpt.state import MODEL
from core.explain.predictions.surprisal import Surprise
from core.explain.predictions.token_distribution import token_distribution
from core.trace import Encoding

HERE: Final = Scope("gpt", "surprise")
PASSAGE = (
    "The lighthouse stands at the end of a long wooden pier. Every evening the keeper climbs the "
    "stairs and lights the lamp. Then a giraffe rings the doorbell."
)
TEXT: Final = HERE.text("text", PASSAGE)
TOKEN: Final = HERE.whole("token", -1, 511, -1)  # -1: the most surprising
SHOWN = 8
TOKENS: Final = HERE.key("tokens")
FULL_SHADE = 14.0  # bits; more are no darker
EXAMPLES = {
    "a giraffe": PASSAGE,
    "said twice": (
        "The harbour master counted nineteen grey boats. The harbour master counted nineteen grey "
        "boats."
    ),
    "word salad": "Stairs the every lamp keeper evening climbs lights the and the.",
    "garden path": "The old man the boats. The horse raced past the barn fell.",
    "emoji": "I love you 😀 so much ❤️",
}


def render() -> Figure | None:
    """Text, model, shaded tokens."""
    opened = text_input(TEXT, "Text", EXAMPLES)
    if opened is None:
        return None
    text = TEXT.value
    request, future = engine.request_trace(opened.card.id, text)
    trace = progress.outcome(future, opened.card.id)
    if trace is None:
        return None
    if trace.encoding is None or len(trace.encoding) < 2:
        st.info("This is one token, and nothing stands before it. Type at least two words.")
        return None
    return partial(_figure, opened, TextTrace(request, trace), trace.encoding, text)


def _figure(opened: Opened, traced: TextTrace, encoding: Encoding, text: str) -> Export:
    found = decoder.surprise_of(traced, text)
    if (picked := clicked_index(TOKENS, len(encoding))) is not None:
        TOKEN.put(picked)
    InText(TOKEN, token_in(encoding.tokens))
    place = TOKEN.value
    place = place if 0 < place < len(encoding) else int(np.nanargmax(found.bits))
    answer(
        f"*{plain(encoding.tokens[place])}* surprises with **{three(float(found.bits[place]))}** "
        f"bits where **{three(float(found.expected[place]))}** were expected; the text takes "
        f"**{three(found.mean_bits)}** bits a token, a perplexity of **{three(found.perplexity)}**."
    )
    chips = tuple(_chip(opened, encoding, found, index, place) for index in range(len(encoding)))
    caption = (
        f"{opened.card.title}: surprise in bits, perplexity {three(found.perplexity)} · "
        f"“{text[:200]}”"
    )
    token_row(
        chips,
        label="The text's tokens, shaded by surprise; a click shows what was expected there",
        key=TOKENS,
        caption=caption,
    )
    _expected(opened, traced, encoding, found, place)
    _numbers(found)
    return Export(
        facts=opened.facts,
        name="surprise",
        caption=caption,
        table=lambda: _table(opened, encoding, found),
        arrays=lambda: {"bits": found.bits, "expected": found.expected, "ids": encoding.ids},
        offline=(
            "token_row",
            lambda: token_row_frame(chips, label="Surprise in bits", caption=caption),
        ),
    )


def _numbers(found: Surprise) -> None:
    boxes = st.columns(4)
    boxes[0].metric(
        "Perplexity",
        three(found.perplexity),
        help="2 to the mean bits of a token: as unsure as "
        "choosing among so many equally likely tokens.",
    )
    boxes[1].metric("Bits per token", three(found.mean_bits))
    boxes[2].metric(
        "Bits per byte",
        three(found.bits_per_byte),
        help="Divided by the UTF-8 bytes of the counted tokens: comparable between tokenizers.",
    )
    boxes[3].metric(
        "Counted", f"{found.n_counted} tokens", help="All but the first: nothing stands before it."
    )


def _chip(opened: Opened, encoding: Encoding, found: Surprise, index: int, place: int) -> Chip:
    token, own = encoding.tokens[index], int(encoding.ids[index])
    if index == 0:
        first = ("First: nothing stands before it.",)
        return Chip(token, note="–", state="quiet", tip=first, token_id=own)
    bits = float(found.bits[index])
    favourite = opened.vocabulary[int(found.favourites[index])]
    (told,), chance = step([bits], 2**-bits, lambda one: 2**-one)
    return Chip(
        token,
        note=f"{bits:.1f}",
        shade=min(1.0, bits / FULL_SHADE),
        state="lit" if index == place else "plain",
        hue="decoder",
        token_id=own,
        tip=(
            f"{told} bits · P = {chance} · rank {found.ranks[index]}",
            f"expected {three(float(found.expected[index]))} bits; first choice {favourite}",
        ),
    )


def _expected(
    opened: Opened, traced: TextTrace, encoding: Encoding, found: Surprise, place: int
) -> None:
    """What the model held for likely where the chosen token stands."""
    logits = traced.trace.logits
    if logits is None:
        raise ValueError("a decoder's trace has logits")
    spread = token_distribution(logits[place - 1])
    own = int(encoding.ids[place])
    shown = list(spread.top(SHOWN))
    if own not in shown:
        shown.append(own)
    rows = tuple(
        Candidate(
            opened.vocabulary[index],
            spread.probability(index),
            note=f"rank {spread.rank(index)}" if index == own else "",
            lit=index == own,
            token_id=index,
        )
        for index in shown
    )
    st.caption(
        f"Shade: bits, white 0 to full {FULL_SHADE:g} and more. The number under each token."
    )
    left, right = st.columns([6, 7], gap="large")
    with left:
        st.markdown(f"**What was expected where {plain(visible(encoding.tokens[place]))} stands**")
        candidates(
            rows,
            label="What was expected",
            key=HERE.key("expected"),
            clickable=False,
            hue="decoder",
        )
    with right:
        bits, expected = float(found.bits[place]), float(found.expected[place])
        (chance,), told = step([2**-bits], bits, lambda p: -math.log2(p))
        st.latex(rf"-\log_2 P = -\log_2 ({as_tex(chance)}) = {as_tex(told)}\ \text{{bits}}")
        than = "more" if bits > expected else "less"
        st.markdown(
            f"The model reckoned with **{three(expected)} bits** here (its entropy) and got "
            f"**{told}**: {than} surprising than it thought. "
            f"Rank {found.ranks[place]} of {len(spread):,}."
        )
        said = follow(
            {"total": found.total, "ppl": found.perplexity, "rate": found.bits_per_byte},
            [
                Step("ppl", ("total",), lambda bits: 2 ** (bits / found.n_counted)),
                Step("rate", ("total",), lambda bits: bits / (found.n_bytes or math.nan)),
            ],
        )
        why = "" if found.n_bytes else " (the first token holds the whole text)"
        st.markdown(
            f"Perplexity = 2^({said['total']} bits ÷ {found.n_counted} tokens) = "
            f"**{said['ppl']}**; bits per byte = {said['total']} ÷ {found.n_bytes} = "
            f"**{said['rate']}**{why}."
        )


def _table(opened: Opened, encoding: Encoding, found: Surprise) -> Table:
    header = ["position", "token", "id", "bits", "expected_bits", "rank", "first_choice"]
    rows = [
        (
            index,
            encoding.tokens[index],
            int(encoding.ids[index]),
            repr(float(found.bits[index])),
            repr(float(found.expected[index])),
            int(found.ranks[index]),
            opened.vocabulary[int(found.favourites[index])] if index else "",
        )
        for index in range(len(encoding))
    ]
    return header, rows


VIEW: Final = View("surprise", "Surprise", (MODEL, TEXT, TOKEN), render)
