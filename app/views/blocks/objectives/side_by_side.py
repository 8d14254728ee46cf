"""Causal LM, masked LM, next sentence, T5's spans, replaced tokens: the same sentence in each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.components.token_row import Chip
from app.services import decoder, encoder, engine
from app.services.engine import TextTrace
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.page import View
from app.views.blocks.objectives import shared
from core.blocks.label_smoothing import cross_entropy
from core.explain.objectives.masked_lm import Rates, masked_loss
from core.explain.objectives.replaced_token_detection import sample_replacements
from core.explain.objectives.span_corruption import corrupt_spans, draw_spans, is_sentinel

SECOND: Final = shared.HERE.text("second", "They enjoyed it very much.")
WRITER: Final = "gpt-mini"
BERT_RATES: Final = Rates()


@dataclass(frozen=True, slots=True)
class Exam:
    """One objective on this sentence."""

    name: str
    counted: int  # predictions that the loss counts
    tokens: int  # that the model reads
    loss: float | None  # nats a prediction, where a model for it is on board
    model: str


def render() -> Export | None:
    """One row an objective, then the count of what each learns from."""
    text, seed = shared.sentence_and_seed(
        more=lambda: SECOND.line("A sentence that follows, or not", max_chars=300)
    )
    asked: tuple[Callable[[str, int], Exam | None], ...] = (
        _causal, _masked, _next_sentence, _spans, _replaced,
    )  # fmt: skip
    said = answer()
    exams = [exam for ask in asked if (exam := ask(text, seed)) is not None]
    if not exams:
        return None
    said.markdown(_answered(exams))
    _table(exams)
    return Export(
        name="objectives",
        caption=f"{text} · seed {seed}",
        table=lambda: (
            ("objective", "predictions counted", "tokens read", "loss in nats", "model"),
            [(e.name, e.counted, e.tokens, e.loss, e.model) for e in exams],
        ),
    )


def _answered(exams: list[Exam]) -> str:
    """How many predictions each learns from here, in Markdown."""
    counts = " · ".join(f"{exam.name} **{exam.counted}**" for exam in exams)
    return f"Predictions that the loss counts on this sentence: {counts}."


def _causal(text: str, _: int) -> Exam | None:
    st.markdown("**Causal language model** (GPT): each token from those before it")
    request, future = engine.request_trace(WRITER, text)
    trace = progress.outcome(future, WRITER)
    if trace is None or trace.encoding is None:
        return None
    found = decoder.surprise_of(TextTrace(request, trace), text)
    losses = found.nats
    chips = tuple(
        Chip(
            token,
            "" if i == 0 else f"{losses[i]:.1f}",
            state="plain" if i == 0 else "lit",
            tip=("not predicted: nothing is before it",)
            if i == 0
            else (f"−ln P = {three(float(losses[i]))} nats", f"rank {found.ranks[i]}"),
            hue="decoder",
            token_id=own,
        )
        for i, (token, own) in enumerate(
            zip(trace.tokens, trace.encoding.ids.tolist(), strict=True)
        )
    )
    shared.row("causal", chips, "Causal language model")
    counted = found.n_counted
    loss = found.mean_nats if counted else None
    return Exam("Causal LM", counted, len(chips), loss, WRITER)


def _masked(text: str, seed: int) -> Exam | None:
    st.markdown("**Masked language model** (BERT): 15 % chosen, of these 80 / 10 / 10 % "
                "masked / kept / random; both sides are seen")  # fmt: skip
    found = shared.masked(text, seed, BERT_RATES)
    if found is None:
        return None
    chips = shared.quiet_chips(found.encoding)
    for place, new, fate, distribution, old in zip(
        found.draw.positions,
        found.draw.replacements,
        found.draw.fates,
        found.distributions,
        found.draw.originals,
        strict=True,
    ):
        original = found.encoding.tokens[place]
        chips[place] = Chip(
            found.vocabulary[new],
            f"{original} {distribution.loss(old):.1f}",
            state="masked" if new == found.profile.mask_id else "lit",
            tip=(
                f"{fate}: to be found is {original}",
                f"−ln P = {three(distribution.loss(old))} nats, rank {distribution.rank(old)}",
            ),
            token_id=new,
        )
    shared.row("masked", tuple(chips), "Masked language model")
    loss = masked_loss(found.distributions, found.draw.originals)
    return Exam("Masked LM", len(found.distributions), len(chips), loss, shared.GENERATOR)


def _next_sentence(text: str, _: int) -> Exam | None:
    st.markdown("**Next-sentence prediction** (BERT): does the second text follow the first?")
    asked = encoder.next_sentence(shared.GENERATOR, text, SECOND.value)
    found = progress.outcome(asked, shared.GENERATOR)
    if found is None:
        return None
    paired = engine.request_trace(shared.GENERATOR, text, pair=SECOND.value)[1]
    trace = progress.outcome(paired, shared.GENERATOR)
    if trace is None or trace.encoding is None:
        return None
    chips = shared.quiet_chips(trace.encoding)
    chips[0] = Chip(trace.tokens[0], f"{found.probability:.3f}", state="lit",
                    tip=("P(it follows), read from here",), token_id=chips[0].token_id)  # fmt: skip
    shared.row("next", tuple(chips), "Next-sentence prediction")
    loss = cross_entropy(found.probability)
    return Exam("Next sentence, if it does follow", 1, len(chips), loss, shared.GENERATOR)


def _spans(text: str, seed: int) -> Exam | None:
    st.markdown("**Span corruption** (T5): spans become sentinels, the decoder writes them")
    words = tuple(text.split())
    if len(words) < 2:
        st.caption("Span corruption needs at least two words.")
        return None
    made = corrupt_spans(words, draw_spans(len(words), seed=seed))
    for name, tokens in (("input", made.inputs), ("target", made.targets)):
        plain = "lit" if name == "target" else "plain"
        chips = tuple(
            Chip(token, state="masked" if is_sentinel(token) else plain, hue="cross")
            for token in tokens
        )
        shared.row(f"spans-{name}", chips, f"Span corruption, {name}")
    return Exam("Span corruption", len(made.targets), len(made.inputs), None, "")


def _replaced(text: str, seed: int) -> Exam | None:
    st.markdown(
        "**Replaced-token detection** (ELECTRA): bert-mini fills masks, every token is judged"
    )
    found = shared.masked(text, seed, Rates(masked=1.0, kept=0.0, random=0.0))
    if found is None:
        return None
    made = sample_replacements(
        found.encoding.ids, found.draw.positions, found.distributions, seed=seed
    )
    chips = shared.quiet_chips(found.encoding)
    for i, written in enumerate(made.ids):
        if not found.encoding.special[i]:
            replaced = bool(made.replaced[i])
            chips[i] = Chip(
                found.vocabulary[int(written)],
                "replaced" if replaced else "original",
                state="lit" if replaced else "plain",
                token_id=int(written),
            )
    shared.row("replaced", tuple(chips), "Replaced-token detection")
    return Exam("Replaced tokens", int((~found.encoding.special).sum()), len(chips), None, "")


def _table(exams: list[Exam]) -> None:
    data_table(
        {
            "objective": [exam.name for exam in exams],
            "predictions the loss counts": [exam.counted for exam in exams],
            "tokens read": [exam.tokens for exam in exams],
            "loss here, nats": ["" if e.loss is None else f"{e.loss:.2f}" for e in exams],
            "model": [exam.model or "none on board" for exam in exams],
        },
    )


VIEW: Final = View("all", "Side by side", (shared.SENTENCE, shared.SEED, SECOND), render)
