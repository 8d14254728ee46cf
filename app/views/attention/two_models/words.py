"""The sentences of two models: how alike two heads are, what the axis is and leaves out."""

from dataclasses import dataclass

from app.services.text_pairs import HeadId, Models, kind_of
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.views.attention.state import KIND_TITLES
from app.views.attention.two_maps import TwoMaps, most_moved, name
from core.catalog import ModelCard
from core.explain.attention.model_pairs import LikeHead
from core.explain.embeddings.token_alignment import SharedWords

MOST_LEFT_OUT = 6  # stretches that are told


@dataclass(frozen=True, slots=True)
class Shown:
    """Both models' names, and the head of each that is shown."""

    names: tuple[str, str]
    head: HeadId
    like: LikeHead  # the second's, and how much the two have in common
    ranked: tuple[LikeHead, ...]  # all of the second's, the most alike first


def answered(two: TwoMaps, shown: Shown) -> str:
    """How much the two heads share, and where they differ most."""
    like, total = shown.like, len(shown.ranked)
    rank = 1 + sum(other.shared > like.shared for other in shown.ranked)
    place = "most" if rank == 1 else f"number {rank}"
    row, moved = most_moved(two)
    heads = (
        f"{plain(shown.names[0])}’s head {shown.head[0]}.{shown.head[1]} and "
        f"{plain(shown.names[1])}’s {like.layer}.{like.head}"
    )
    if moved == 0:
        return f"{heads} share **{three(like.shared)}** of their attention: they look alike."
    return (
        f"{heads} share **{three(like.shared)}** of their attention, {place} of {total} heads; at "
        f"{name(two.rows[row])} they part most, by {three(moved)}."
    )


def axis_note(both: Models, axis: SharedWords, two: TwoMaps, names: tuple[str, str]) -> str:
    """What a row is, how many tokens each model has for them, and what is not drawn."""
    sides = zip(names, (both.first, both.second), strict=True)
    counts = " and ".join(
        f"{len(traced.trace.tokens)} tokens of {plain(name_)}" for name_, traced in sides
    )
    parts = [
        f"{counts}, merged to the {len(axis.labels)} shortest stretches that no token of either "
        "crosses: mean over the pieces that look, sum over those looked at."
    ]
    if len(two.columns) > len(two.rows):
        each = " and ".join(
            three(float(values[:, -1].mean())) for values in (two.first, two.second)
        )
        parts.append(f"The last column holds the rest of each row: {each} on average.")
    if axis.left_out:
        told = ", ".join(name(label) for label in axis.left_out[:MOST_LEFT_OUT])
        more = " …" if len(axis.left_out) > MOST_LEFT_OUT else ""
        parts.append(f"Left out, since one model has no token for it: {told}{more}.")
    kinds = {KIND_TITLES[kind_of(one)] for one in (both.first, both.second)}
    if len(kinds) > 1:
        parts.append(
            "One looks both ways, the other only back: its mask leaves exactly 0 to the right."
        )
    return " ".join(parts)


def facts(first: ModelCard, second: ModelCard) -> dict[str, str]:
    """For the prose."""
    return {
        which: f"{plain(card.title)}, {card.size} parameters; {card.task}. "
        f"{card.licence}. {card.paper}"
        for which, card in (("first", first), ("second", second))
    }
