"""From a model's distributions to the rows that are drawn; no Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.components.candidates import Candidate
from app.components.token_row import Chip
from app.style.markdown_escape import plain
from app.style.worked import choices, nats
from app.views.bert.masks import Masks
from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import Encoding


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What the model says at one mask."""

    place: int
    original: int | None  # the id that stood there; None for a mask that was typed
    now: TokenDistribution
    before: TokenDistribution | None  # with every mask open at once; None while nothing is filled
    shown: tuple[int, ...]  # token ids, most probable first; the original is always among them


def prediction(
    place: int,
    original: int | None,
    now: TokenDistribution,
    *,
    before: TokenDistribution | None,
    count: int,
) -> Prediction:
    """The `count` most probable tokens, and the original one where it comes later."""
    shown = now.top(count)
    if original is not None and original not in shown:
        shown = (*shown, original)
    return Prediction(place, original, now, before, shown)


def candidate_rows(found: Prediction, vocabulary: Sequence[str]) -> tuple[Candidate, ...]:
    """One bar a token, with what it was before the last fill."""
    return tuple(
        Candidate(
            text=vocabulary[token],
            probability=found.now.probability(token),
            note=_note(found, token),
            tip=_tip(found.now, token, vocabulary[token]),
            lit=token == found.original,
            token_id=token,
        )
        for token in found.shown
    )


def _tip(now: TokenDistribution, token: int, text: str) -> tuple[str, ...]:
    loss, chance = nats(now.loss(token))
    return (
        text,
        f"p = {chance} · rank {now.rank(token):,} of {len(now):,}",
        f"−ln p = {loss} nats",
    )


def _note(found: Prediction, token: int) -> str:
    if found.before is not None:
        return f"was {found.before.probability(token):.3g}"
    rank = found.now.rank(token)
    return f"rank {rank:,}" if token == found.original and rank > 1 else ""


def expected(found: Prediction, vocabulary: Sequence[str]) -> str:
    """The likeliest token at the mask, beside what stood there: in Markdown."""
    best = found.now.top(1)[0]
    said = (
        f"At position {found.place} it expects **{plain(vocabulary[best])}** with "
        f"**{found.now.probability(best):.3g}**"
    )
    if found.original is None:
        return f"{said}."
    if found.original == best:
        return f"{said}, and that stood there."
    stood = plain(vocabulary[found.original])
    chance = found.now.probability(found.original)
    return (
        f"{said}; **{stood}** stood there: {chance:.3g}, rank {found.now.rank(found.original):,}."
    )


def summary(found: Prediction, vocabulary: Sequence[str]) -> str:
    """Original, its rank, and the model's doubt, in one line of plain text."""
    now = found.now
    bits, count = choices(now.entropy)
    alike = f"{bits} bits of doubt, as between {count} equally likely tokens"
    if found.before is not None:
        alike += f" (was {found.before.entropy:.3g})"
    if found.original is None:
        return alike
    return (
        f"“{vocabulary[found.original]}” has rank {now.rank(found.original):,} of {len(now):,}, "
        f"p {now.probability(found.original):.3g} · {alike}"
    )


def surest(found: Sequence[Prediction]) -> tuple[int, int]:
    """The mask of least doubt, and its most probable token."""
    best = min(found, key=lambda one: one.now.entropy)
    return best.place, best.shown[0]


def token_chips(
    encoding: Encoding, masks: Masks, typed: frozenset[int], vocabulary: Sequence[str], mask: int
) -> tuple[Chip, ...]:
    """The text's tokens: masked, filled in, or as they are. mask: the mask token's id."""
    fills = dict(masks.fills)
    chips: list[Chip] = []
    for place, token in enumerate(encoding.tokens):
        was, own = "typed" if place in typed else token, int(encoding.ids[place])
        if place in fills:
            filled = fills[place]
            chip = Chip(vocabulary[filled], f"for {was}", state="lit", tip=FILLED, token_id=filled)
        elif place in typed or place in masks.masked:
            tip = TYPED if place in typed else MASKED
            chip = Chip(vocabulary[mask], was, state="masked", tip=tip, token_id=mask)
        elif encoding.special[place]:
            chip = Chip(token, state="quiet", token_id=own)
        else:
            chip = Chip(token, tip=(token, "click to mask the word"), token_id=own)
        chips.append(chip)
    return tuple(chips)


FILLED = ("Filled in", "click to open the mask again")
MASKED = ("Masked", "click to see the word again")
TYPED = ("A mask of the text itself",)
