"""Teacher forcing on the reader's own German: what every token costs, smoothed or not."""

import math
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.services import translator
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.style.worked import nats, step
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import inputs
from app.views.transformer.state import HERE, MODEL, TARGET, TEXT, TOKEN
from core.catalog import ModelCard
from core.outputs.decoding import Decoding

SMOOTHING: Final = Scope("transformer", "forcing").real("smoothing", 0.0, 0.9, 0.1)
ROW: Final = HERE.key("target-row")
DEAR = 0.5  # of a uniform guess's loss: a mean above it is no translation the model believes in


def render() -> Figure | None:
    """The target's tokens with their losses; one position's candidates."""
    card = inputs.ask(target=True)
    if card is None:
        return None
    with controls():
        SMOOTHING.slider(
            "Label smoothing ε",
            step=0.05,
            width=260,
            help="The paper trains with 0.1 (section 5.4).",
        )
    wanted = translator.Asked(
        MODEL.value, TEXT.value, target=TARGET.value, smoothing=SMOOTHING.value
    )
    decoded = progress.outcome(translator.decode(wanted), card.id)
    return None if decoded is None else partial(_figure, decoded, card)


def _figure(decoded: Decoding, card: ModelCard) -> Export:
    _caution(decoded)
    losses = decoded.losses
    count = len(decoded.labels)
    if (picked := clicked_index(ROW, count)) is not None:
        TOKEN.put(picked)
    at = TOKEN.kept_below(count)
    answer(
        f"Your German costs **{three(float(losses.plain.mean()))}** nats a token; the model would "
        f"have said **{int((losses.ranks == 1).sum())}** of its {count} tokens itself."
    )
    left, right = st.columns([8, 4], gap="large")
    with left:
        token_row(
            tuple(
                Chip(
                    token,
                    note=f"{loss:.2f}",
                    shade=float(min(1.0, loss / math.log(decoded.vocabulary))),
                    state="lit" if i == at else "plain",
                    tip=(
                        "−log P = {} nats, P = {}".format(*nats(float(loss))),
                        f"rank {rank} of {decoded.vocabulary:,}",
                    ),
                    hue="decoder",
                    token_id=int(decoded.label_ids[i]),
                )
                for i, (token, loss, rank) in enumerate(
                    zip(decoded.labels, losses.plain, losses.ranks, strict=True)
                )
            ),
            label="Your German with the loss of every token, in nats",
            key=ROW,
            caption=_caption(card),
        )
        _sums(decoded)
        _chart(decoded)
    with right:
        _position(decoded, at)
    return Export(
        name="teacher-forcing",
        caption=_caption(card),
        table=lambda: _table(decoded),
        arrays=lambda: {
            "logits": np.asarray(decoded.trace.logits),
            "labels": decoded.label_ids,
            "loss": losses.plain,
            "smoothed_loss": losses.smoothed,
        },
        facts={"vocabulary": f"{decoded.vocabulary:,}"},
    )


def _caption(card: ModelCard) -> str:
    return (
        f"{card.title}, teacher forcing, ε = {SMOOTHING.value:g} · "
        f"“{TEXT.value}” / “{TARGET.value}”"
    )


def _caution(decoded: Decoding) -> None:
    """A target that the model finds very unlikely may be in another language."""
    mean, uniform = float(decoded.losses.plain.mean()), math.log(decoded.vocabulary)
    if decoded.unknown:
        st.warning(
            f"{decoded.unknown} of {len(decoded.labels)} tokens are not in the vocabulary "
            "([UNK] or the like): the model can't read or say them, and their loss means little.",
            icon=":material/info:",
        )
    if mean > DEAR * uniform:
        st.warning(
            f"This target costs {mean:.2f} nats a token, and guessing blindly {uniform:.2f}: the "
            "model hardly believes it. Is it German, and a translation of the text above? The "
            "numbers below are right all the same.",
            icon=":material/info:",
        )


def _sums(decoded: Decoding) -> None:
    losses = decoded.losses
    mean, smoothed = float(losses.plain.mean()), float(losses.smoothed.mean())
    (said,), perplexity = step([mean], math.exp(mean), math.exp)
    st.markdown(
        f"Mean loss **{said}** nats a token (perplexity {perplexity}); with "
        f"ε = {SMOOTHING.value:g} **{smoothed:.3g}**, of which {losses.floor:.3g} can't "
        "be undercut."
    )


def _chart(decoded: Decoding) -> None:
    losses = decoded.losses
    x = [charts.plain(f"{i} {visible(token)}") for i, token in enumerate(decoded.labels)]
    hover = tuple(
        f"{token}: {plain_loss:.3g} nats, smoothed {smooth:.3g}, rank {rank}"
        for token, plain_loss, smooth, rank in zip(
            decoded.labels, losses.plain, losses.smoothed, losses.ranks, strict=True
        )
    )
    curves = [
        charts.Curve("−log P", x, losses.plain.astype(np.float64), hover),
        charts.Curve(
            f"with label smoothing ε = {SMOOTHING.value:g}",
            x,
            losses.smoothed.astype(np.float64),
            hover,
            dashed=True,
        ),
    ]
    charts.show(
        charts.chart(curves, x_title="target token", y_title="loss, nats", height=300),
        key=HERE.key("losses"),
        name="teacher-forcing",
    )


def _position(decoded: Decoding, at: int) -> None:
    fed = decoded.trace.target_tokens
    losses = decoded.losses
    st.markdown(f"**After** {plain(' '.join(fed[max(0, at - 6) : at + 1]))}")
    candidates(
        tuple(
            Candidate(
                one.token,
                one.probability,
                note=f"rank {rank + 1}",
                lit=one.id == int(decoded.label_ids[at]),
                token_id=one.id,
            )
            for rank, one in enumerate(decoded.candidates[at])
        ),
        label="What the model would say here",
        key=HERE.key("forced-candidates"),
        clickable=False,
        caption="What the model would say here",
        hue="decoder",
    )
    loss, chance = nats(float(losses.plain[at]))
    st.caption(
        f"Yours: {plain(visible(decoded.labels[at]))}, P = {chance}, rank {losses.ranks[at]}; "
        f"loss {loss}, smoothed {losses.smoothed[at]:.3g} nats."
    )


def _table(decoded: Decoding) -> Table:
    losses = decoded.losses
    header = ("position", "fed", "token", "loss", "smoothed_loss", "rank", "entropy", "would_say")
    rows = (
        (
            *(i, decoded.trace.target_tokens[i], token),
            *(repr(float(losses.plain[i])), repr(float(losses.smoothed[i]))),
            *(int(losses.ranks[i]), repr(float(losses.entropies[i]))),
            decoded.candidates[i][0].token,
        )
        for i, token in enumerate(decoded.labels)
    )
    return header, rows


VIEW: Final = View("forcing", "Teacher forcing", (MODEL, TEXT, TARGET, SMOOTHING, TOKEN), render)
