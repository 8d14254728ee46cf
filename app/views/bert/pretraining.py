"""The pre-training task on the reader's text: draw, corrupt, predict, take the loss."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import heat_map_frame
from app.components.token_row import Chip, token_row
from app.services import encoder
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.style.number_format import three
from app.style.worked import Step, follow, total
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.options import option_widget
from app.ui.page import Figure, View
from app.views.bert import inputs, papers, state
from app.views.bert.dynamic_masking import drawn, epochs_map, rates_table
from core.catalog import ModelCard
from core.explain.objectives.masked_lm import Fate, MaskedDraw, masked_loss
from core.explain.predictions.token_distribution import TokenDistribution
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

WRITTEN = 12  # losses of the sum; the others are added up
PRESETS = {
    f"{masked} / {kept} / {random}": (masked, kept)
    for masked, kept, random, *_ in papers.MASKING_RATES
}


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One corrupted input and what the model made of it."""

    draw: MaskedDraw
    distributions: tuple[TokenDistribution, ...]
    loss: float


def render() -> Figure | None:
    """Ask for a passage and the rates, then draw."""
    with input_line(quoted(state.PASSAGE_TEXT.value), inputs.encoder_title()):
        text = state.PASSAGE_TEXT.area("Training text", height=140, lines=True)
        card = inputs.encoder_picker()
    if card is None:
        return None
    given = Given(card.id, text)
    profile = inputs.masked_lm_of(card, given)
    return None if profile is None else partial(figure, card, given, profile)


def figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    """Everything below the input."""
    _controls()
    base = progress.outcome(encoder.edited_trace(given)[1], card.id)
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if base is None or vocabulary is None:
        return None
    encoding = encoder.encoding_of(base)
    if encoding.special.all():
        st.info("The text has nothing but special tokens: write a word.")
        return None
    epoch = state.EPOCH.value
    lesson = _lesson(card, given, encoding, profile, len(vocabulary), epoch)
    if lesson is None:
        return None
    answer(_answered(lesson, int((~encoding.special).sum())))
    _corrupted(encoding, lesson.draw, vocabulary, profile)
    _results(lesson, vocabulary, encoding)
    left, right = st.columns(2, gap="large")
    with left:
        rates_table()
    with right:
        epochs = epochs_map(encoding, profile, len(vocabulary), card)
    return Export(
        name="pre-training",
        caption=f"{card.title} · seed {state.SEED.value}, epoch {epoch} · {given.text}",
        table=lambda: _table(lesson, vocabulary, encoding),
        arrays=lambda: {"ids": lesson.draw.ids, "positions": np.array(lesson.draw.positions)},
        offline=("heat_map", lambda: heat_map_frame(epochs)),
    )


def _answered(lesson: Lesson, n_words: int) -> str:
    """How much there is to be found, and how well it is, in Markdown."""
    pairs = list(zip(lesson.distributions, lesson.draw.originals, strict=True))
    right = sum(one.rank(old) == 1 for one, old in pairs)
    return (
        f"Of {n_words} tokens **{len(pairs)}** are to be found; the first guess is right for "
        f"**{right}** of them, and the loss is **{three(lesson.loss)}** nats a token."
    )


def _controls() -> None:
    rates = state.rates()
    name = f"{rates.masked * 100:.0f} / {rates.kept * 100:.0f} / {rates.random * 100:.0f}"
    with controls():
        option_widget(
            st.pills,
            "Mask/keep/random, %",
            PRESETS,
            str,
            key=state.HERE.key("preset"),
            shown=name if name in PRESETS else None,
            take=_take_preset,
            help="Of the chosen words: the six rows of the paper’s table 8.",
            width="content",
        )
        state.SEED.number_input("Seed", width=104)
        state.EPOCH.number_input(
            "Epoch",
            width=104,
            help="RoBERTa draws anew each time it sees a text. BERT drew ten times for good.",
        )
        with st.popover("Own rates", icon=":material/tune:", width="content"):
            state.CHOSEN.slider("Chosen, % of all words")
            state.MASKED.slider("Masked, % of the chosen")
            state.KEPT.slider("Kept, % of the chosen")
            st.caption(f"The rest, {rates.random:.0%}, becomes a random token.")


def _take_preset(name: object) -> None:
    if name is not None:
        masked, kept = PRESETS[str(name)]
        state.MASKED.put(masked)
        state.KEPT.put(kept)


def _lesson(
    card: ModelCard,
    given: Given,
    encoding: Encoding,
    profile: EncoderProfile,
    vocabulary: int,
    epoch: int,
) -> Lesson | None:
    draw = drawn(encoding, profile, vocabulary, epoch, state.rates())
    request, future = encoder.edited_trace(given, draw.edits)
    trace = progress.outcome(future, card.id)
    if trace is None:
        return None
    traced = TextTrace(request, trace)
    found = tuple(encoder.distribution(traced, place) for place in draw.positions)
    return Lesson(draw, found, masked_loss(found, draw.originals))


def _corrupted(
    encoding: Encoding, draw: MaskedDraw, vocabulary: tuple[str, ...], profile: EncoderProfile
) -> None:
    read = dict(zip(draw.positions, draw.replacements, strict=True))
    fates = dict(zip(draw.positions, draw.fates, strict=True))
    chips: list[Chip] = []
    for place, token in enumerate(encoding.tokens):
        if place not in fates:
            state_of = "quiet" if encoding.special[place] else "plain"
            chips.append(Chip(token, state=state_of, token_id=int(encoding.ids[place])))
            continue
        note = "kept" if fates[place] == Fate.KEPT else f"was {token}"
        chips.append(
            Chip(
                profile.mask_token if fates[place] == Fate.MASKED else vocabulary[read[place]],
                note,
                state="masked" if fates[place] == Fate.MASKED else "lit",
                shade={Fate.RANDOM: 0.35, Fate.KEPT: 0.12}.get(fates[place]),
                tip=(f"chosen, {fates[place]}", f"to be found: {token}"),
                token_id=read[place],
            )
        )
    allowed = int((~encoding.special).sum())
    token_row(
        tuple(chips),
        label="The corrupted text",
        key=state.HERE.key("corrupted"),
        clickable=False,
        caption="Corrupted training text",
    )
    st.caption(
        f"**What the model reads.** {len(draw.positions)} of {allowed} tokens are chosen "
        f"({state.CHOSEN.value} %, rounded, at least one): "
        + ", ".join(f"{list(draw.fates).count(fate)} {fate}" for fate in Fate)
        + "."
    )


def _mean_loss(losses: list[float], mean: float) -> dict[str, str]:
    """The first losses, the sum of the others, the mean and its perplexity, as printed."""
    values = {str(i): loss for i, loss in enumerate(losses[:WRITTEN])}
    if len(losses) > WRITTEN:
        values["rest"] = total(*losses[WRITTEN:])
    terms = tuple(values)
    values |= {"mean": mean, "perplexity": math.exp(mean)}

    def mean_of(*each: float) -> float:
        return total(*each) / len(losses)

    return follow(
        values,
        [
            Step("mean", terms, mean_of),
            Step("perplexity", ("mean",), math.exp),
        ],
    )


def _results(lesson: Lesson, vocabulary: tuple[str, ...], encoding: Encoding) -> None:
    draw = lesson.draw
    rows = list(zip(draw.positions, draw.fates, draw.replacements, draw.originals, strict=True))
    losses = [one.loss(old) for one, old in zip(lesson.distributions, draw.originals, strict=True)]
    said = _mean_loss(losses, lesson.loss)
    rest = f" + {said['rest']} of the others" if "rest" in said else ""
    st.markdown(
        "**The loss** is the mean of −ln p of the original over **every chosen position, the kept "
        f"ones too**: ({' + '.join(said[str(i)] for i in range(min(WRITTEN, len(losses))))}{rest}) "
        f"÷ {len(losses)} = **{said['mean']} nats**, a perplexity of {said['perplexity']}. The "
        f"other {int((~encoding.special).sum()) - len(losses)} tokens teach nothing this time."
    )
    data_table(
        {
            "position": [place for place, *_ in rows],
            "original": [vocabulary[old] for *_, old in rows],
            "fate": [fate.value for _, fate, *_ in rows],
            "the model reads": [vocabulary[new] for _, _, new, _ in rows],
            "its best guess": [vocabulary[one.top(1)[0]] for one in lesson.distributions],
            "p of the original": [
                one.probability(old)
                for one, old in zip(lesson.distributions, draw.originals, strict=True)
            ],
            "its rank": [
                one.rank(old) for one, old in zip(lesson.distributions, draw.originals, strict=True)
            ],
            "−ln p": losses,
        },
        column_config={
            "p of the original": st.column_config.NumberColumn(format="%.3g"),
            "−ln p": st.column_config.NumberColumn(format="%.3f"),
            "its rank": st.column_config.NumberColumn(format="localized"),
        },
    )


def _table(lesson: Lesson, vocabulary: tuple[str, ...], encoding: Encoding) -> Table:
    draw = lesson.draw
    header = ["position", "original", "fate", "read", "best_guess", "p_original", "loss_nats"]
    return header, [
        (place, encoding.tokens[place], fate.value, vocabulary[new], vocabulary[one.top(1)[0]],
         one.probability(old), one.loss(old))
        for place, fate, new, old, one in zip(
            draw.positions, draw.fates, draw.replacements, draw.originals, lesson.distributions,
            strict=True,
        )
    ]  # fmt: skip


VIEW: Final = View(
    "pretraining",
    "Pre-training",
    (
        *(state.MODEL, state.PASSAGE_TEXT, state.CHOSEN, state.MASKED, state.KEPT),
        *(state.SEED, state.EPOCH),
    ),
    render,
)
