"""Which tokens are masked or filled in: pure functions of an encoding and a click."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.services.encoder import Edits
from app.views.bert.state import MOST_MASKS
from core.trace import Encoding

Span = tuple[int, int, int]  # segment, and characters [start, end) of its text


@dataclass(frozen=True, slots=True)
class Masks:
    """Masked places, and those of them that were filled in again; typed masks stay in the text."""

    masked: tuple[int, ...] = ()
    fills: Edits = ()

    def open(self, typed: frozenset[int]) -> tuple[int, ...]:
        """The places that are to be predicted."""
        filled = {place for place, _ in self.fills}
        return tuple(sorted({*self.masked, *typed} - filled))

    def edits(self, mask_id: int, *, fills: bool = True) -> Edits:
        """What the model reads differently from the text; without `fills`, all masks at once."""
        filled = dict(self.fills) if fills else {}
        masked = [(place, mask_id) for place in self.masked if place not in filled]
        return tuple(sorted([*masked, *filled.items()]))


def typed_masks(encoding: Encoding, mask_id: int) -> frozenset[int]:
    """Masks that stand in the text itself."""
    return frozenset(np.flatnonzero(encoding.ids == mask_id).tolist())


def checked(masks: Masks, encoding: Encoding, mask_id: int, vocabulary: int) -> Masks:
    """What is left of a link's masks: ordinary tokens of this text, words of this vocabulary."""
    typed = typed_masks(encoding, mask_id)
    masked = tuple(p for p in masks.masked if p < len(encoding) and not encoding.special[p])
    fills = tuple(
        (place, token)
        for place, token in masks.fills
        if place in {*masked, *typed} and 0 <= token < vocabulary and token != mask_id
    )
    return Masks(masked, fills)


def clicked(
    masks: Masks, encoding: Encoding, mask_id: int, place: int, *, pieces: bool
) -> tuple[Masks, str | None]:
    """The masks after a click on a token, and why nothing happened if nothing did.

    A word is masked with all its pieces, unless single `pieces` are wanted.
    """
    typed = typed_masks(encoding, mask_id)
    fills = dict(masks.fills)
    if place in fills:
        del fills[place]
        return Masks(masks.masked, tuple(sorted(fills.items()))), None
    if place in typed:
        return masks, "This mask stands in the text itself: write a word there to remove it."
    if encoding.special[place]:
        return masks, f"{encoding.tokens[place]} is not a word: the model always gets it."
    group = {place} if pieces else set(word_of(encoding, place))
    if place in masks.masked:
        left = tuple(p for p in masks.masked if p not in group)
        kept = tuple((p, token) for p, token in masks.fills if p not in group)
        return Masks(left, kept), None
    masked = tuple(sorted({*masks.masked, *group}))
    if len({*masked, *typed}) > MOST_MASKS:
        return masks, too_many(len({*masked, *typed}))
    return Masks(masked, masks.fills), None


def filled(masks: Masks, place: int, token: int) -> Masks:
    """A word put into a masked place."""
    return Masks(masks.masked, tuple(sorted({**dict(masks.fills), place: token}.items())))


def too_many(count: int) -> str:
    """Why more masks are refused."""
    return (
        f"{count} masks are more than the {MOST_MASKS} that fit on this page. Take some of them "
        "back, or mask single pieces (Display)."
    )


def word_of(encoding: Encoding, place: int) -> tuple[int, ...]:
    """The tokens of the word that a token is part of."""
    same = (encoding.words == encoding.words[place]) & (
        encoding.segments == encoding.segments[place]
    )
    return tuple(np.flatnonzero(same & ~encoding.special).tolist())


def spans_of(masks: Masks, encoding: Encoding) -> dict[int, Span]:
    """Where the masked tokens stand in their texts."""
    return {
        place: (
            int(encoding.segments[place]),
            int(encoding.offsets[place, 0]),
            int(encoding.offsets[place, 1]),
        )
        for place in masks.masked
    }


def carried(
    masks: Masks,
    spans: Mapping[int, Span],
    texts: tuple[tuple[str, str], tuple[str, str]],
    encoding: Encoding,
    *,
    fills: bool,
) -> Masks:
    """The masks after the texts changed from texts[0] to texts[1], or another tokenizer came.

    A mask stays with its letters if the change lies before or behind them.
    """
    found: dict[int, int] = {}
    for place, (segment, start, end) in spans.items():
        shift = _shift(texts[0][segment], texts[1][segment], start, end)
        if shift is None or start < 0:
            continue
        inside = (
            (encoding.segments == segment)
            & ~encoding.special
            & (encoding.offsets[:, 0] >= start + shift)
            & (encoding.offsets[:, 1] <= end + shift)
        )
        found |= dict.fromkeys(np.flatnonzero(inside).tolist(), place)
    moved = {old: new for new, old in found.items()}
    kept = ((moved[place], token) for place, token in masks.fills if fills and place in moved)
    return Masks(tuple(sorted(found)), tuple(sorted(kept)))


def _shift(old: str, new: str, start: int, end: int) -> int | None:
    """How far characters [start, end) moved; None if the change touches them."""
    shorter = min(len(old), len(new))
    before = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    if end <= before:
        return 0
    behind = next(
        (i for i in range(shorter - before) if old[-1 - i] != new[-1 - i]), shorter - before
    )
    return len(new) - len(old) if start >= len(old) - behind else None
