"""ELECTRA's input: bert-mini's samples in the masked places, and a label for every token."""

from typing import Final

import streamlit as st

from app.components.token_row import Chip
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import View
from app.views.blocks.objectives import shared
from core.explain.objectives.masked_lm import Rates
from core.explain.objectives.replaced_token_detection import ReplacedTokens, sample_replacements

PERCENT: Final = shared.HERE.whole("masked", 5, 60, 15)


def render() -> Export | None:
    """Mask, sample, label."""
    text, seed = shared.sentence_and_seed(
        f"{PERCENT.value} % masked", lambda: PERCENT.slider("Masked, %")
    )
    rates = Rates(chosen=PERCENT.value / 100, masked=1.0, kept=0.0, random=0.0)
    found = shared.masked(text, seed, rates)
    if found is None:
        return None
    made = sample_replacements(
        found.encoding.ids, found.draw.positions, found.distributions, seed=seed
    )
    said = answer()
    _draw(found, made)
    n_judged = int((~found.encoding.special).sum())
    replaced, masked = int(made.replaced.sum()), int(made.masked.sum())
    said.markdown(
        f"The generator wrote **{masked}** tokens: **{replaced}** replaced, **{made.lucky}** by "
        f"chance the original. The loss counts all **{n_judged}** tokens, not the {masked} masked."
    )
    st.caption(
        "A token that happens to be the original counts as original. [CLS] and [SEP] are "
        "not judged."
    )
    tokens = [found.vocabulary[int(i)] for i in made.ids]
    return Export(
        name="replaced-tokens",
        caption=f"{text} · {PERCENT.value} % masked, seed {seed}, generator {shared.GENERATOR}",
        table=lambda: (
            ("original", "read", "masked", "replaced"),
            zip(found.encoding.tokens, tokens, made.masked.tolist(), made.replaced.tolist(),
                strict=True),
        ),
        arrays=lambda: {"ids": made.ids, "masked": made.masked, "replaced": made.replaced},
    )  # fmt: skip


def _draw(found: shared.Masked, made: ReplacedTokens) -> None:
    special = found.encoding.special
    st.markdown("**The text**")
    shared.row("r-text", tuple(shared.quiet_chips(found.encoding)), "The text")
    chips = shared.quiet_chips(found.encoding)
    for place in found.draw.positions:
        chips[place] = Chip(
            found.profile.mask_token, state="masked", token_id=found.profile.mask_id
        )
    st.markdown("**The generator reads**")
    shared.row("r-masked", tuple(chips), "The generator reads")
    for place, distribution in zip(found.draw.positions, found.distributions, strict=True):
        written, original = int(made.ids[place]), int(found.encoding.ids[place])
        chips[place] = Chip(
            found.vocabulary[written],
            f"{distribution.probability(written):.3f}",
            state="lit",
            tip=(f"sampled with P = {three(distribution.probability(written))}",
                 f"the original has {three(distribution.probability(original))}"),
            token_id=written,
        )  # fmt: skip
    labelled = tuple(
        Chip(
            chip.text,
            "" if special[i] else "replaced" if made.replaced[i] else "original",
            state=chip.state,
            shade=0.5 if made.replaced[i] else None,
            tip=chip.tip,
            token_id=chip.token_id,
        )
        for i, chip in enumerate(chips)
    )
    st.markdown("**The discriminator reads, and has to say**")
    shared.row("r-labels", labelled, "The discriminator reads, and has to say")


VIEW: Final = View("replaced", "Replaced tokens", (shared.SENTENCE, shared.SEED, PERCENT), render)
