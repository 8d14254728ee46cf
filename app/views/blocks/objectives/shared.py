"""What the objectives share: one sentence, one seed, and what bert-mini makes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.components.token_row import Chip, token_row
from app.services import encoder
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.ui import progress
from app.ui.input_line import input_line, quoted
from app.ui.params import Scope
from core.explain.objectives.masked_lm import MaskedDraw, Rates, draw_masks
from core.explain.predictions.token_distribution import TokenDistribution
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

GENERATOR: Final = "bert-mini"
HERE: Final = Scope("blocks", "objectives")
SENTENCE: Final = HERE.text("text", "The chef cooked the meal and served it to the guests.")
SEED: Final = HERE.whole("seed", 0, 999, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """The sentence with masks by the seed, and bert-mini's distributions there."""

    encoding: Encoding
    vocabulary: tuple[str, ...]
    profile: EncoderProfile
    draw: MaskedDraw
    distributions: tuple[TokenDistribution, ...]


def sentence_and_seed(said: str = "", more: Callable[[], object] = lambda: None) -> tuple[str, int]:
    """The reader's sentence, the seed of all draws, and `more` fields, which are `said`."""
    with input_line(quoted(SENTENCE.value), said, f"seed {SEED.value}"):
        text = SENTENCE.line("Sentence", max_chars=300)
        more()
        SEED.number_input("Seed of the draws")
    return text, SEED.value


def masked(text: str, seed: int, rates: Rates) -> Masked | None:
    """Draw masks and ask bert-mini; None after the reader's error was shown."""
    given = Given(GENERATOR, text)
    profile = progress.outcome(encoder.profile(GENERATOR), GENERATOR)
    vocabulary = progress.outcome(encoder.vocabulary(GENERATOR), GENERATOR)
    base = progress.outcome(encoder.edited_trace(given)[1], GENERATOR)
    if profile is None or vocabulary is None or base is None:
        return None
    encoding = encoder.encoding_of(base)
    if encoding.special.all():
        st.info("The sentence has nothing but special tokens: write a word.")
        return None
    draw = draw_masks(
        encoding.ids,
        ~encoding.special,
        rates,
        mask_id=profile.mask_id,
        random_ids=[i for i in range(len(vocabulary)) if i not in profile.special_ids],
        seed=(seed, 0),
    )
    request, future = encoder.edited_trace(given, draw.edits)
    trace = progress.outcome(future, GENERATOR)
    if trace is None:
        return None
    traced = TextTrace(request, trace)
    found = tuple(encoder.distribution(traced, place) for place in draw.positions)
    return Masked(encoding, vocabulary, profile, draw, found)


def row(name: str, chips: tuple[Chip, ...], label: str) -> None:
    """Tokens that are looked at, not clicked."""
    token_row(chips, label=label, key=HERE.key(f"row.{name}"), clickable=False)


def quiet_chips(encoding: Encoding) -> list[Chip]:
    """All tokens as they are."""
    return [
        Chip(token, state="quiet" if is_special else "plain", token_id=own)
        for token, is_special, own in zip(
            encoding.tokens, encoding.special, encoding.ids.tolist(), strict=True
        )
    ]
