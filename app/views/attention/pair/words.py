"""The sentences of two sentences: what changes most, what could not be compared."""

from app.services import text_maps
from app.services.text_pairs import Sentences
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.views.attention.state import KIND_TITLES
from app.views.attention.two_maps import TwoMaps, name
from core.catalog import ModelCard
from core.explain.attention.minimal_pairs import HeadChange, MinimalPair
from core.trace import Encoding

MOST_RUNS = 4  # differing places that are told
MOST_TOKENS = 5  # of one of them
NOTHING = "–"


def answered(
    found: MinimalPair,
    ranked: tuple[HeadChange, ...],
    change: HeadChange,
    two: TwoMaps,
    *,
    at_one: bool,
) -> str:
    """How much of the chosen head's attention moves, and its largest move.

    at_one: heads are compared at one token, not at all.
    """
    most = ranked[0]
    if most.change == 0:
        if not (found.queries.has_lone or found.keys.has_lone):
            return (
                "For this model the two sentences are the same tokens: **0** of any head's "
                "attention moves. Change a word in one of them."
            )
        return (
            "What differs comes after all that is compared, where nothing can look: **0** of any "
            "head's attention moves."
        )
    asked = name(two.rows[change.query])
    goes = f"from {two.told(change.source)} to {two.told(change.target)}"
    share = f"**{three(change.change)}** of its attention moves"
    moves = (
        f"{share}, most {goes}."
        if at_one
        else (f"{share}, most at {asked}: **{three(change.moved)}**, {goes}.")
    )
    where = f"At {asked}, b" if at_one else "B"
    if change is most:
        return (
            f"{where}etween the two sentences **head {most.head} in layer {most.layer}** changes "
            f"most: {moves}"
        )
    rank = 1 + sum(other.change > change.change for other in ranked)
    at = f"at {asked} " if at_one else ""
    return (
        f"**Head {change.head} in layer {change.layer}** is {at}number {rank} of {len(ranked)}: "
        f"{moves} Most changes head {most.head} in layer {most.layer}, {three(most.change)}."
    )


def ranking_note(ranked: tuple[HeadChange, ...], two: TwoMaps, query: int | None) -> str:
    """What the colours of the grid are."""
    of = f"mean of the {len(two.rows)} tokens that both sentences have"
    if query is not None:
        of = f"at {name(two.rows[query])}"
    mean = sum(one.change for one in ranked) / len(ranked)
    return (
        f"Colour: the share of a head's attention that lies elsewhere in the second sentence, "
        f"{of}; {three(mean)} on average of {len(ranked)} heads."
    )


def unaligned(sentences: Sentences) -> str:
    """Which tokens have no partner, so that they have no row, and share a column."""
    found = sentences.found
    ends = [
        text_maps.encodings(one.trace, sentences.kind)
        for one in (sentences.first, sentences.second)
    ]
    told = [_runs(found.queries.differing(), ends[0][0], ends[1][0])]
    if (of_keys := _runs(found.keys.differing(), ends[0][1], ends[1][1])) not in told:
        told.append(of_keys)
    given = [one for one in told if one]
    if not given:
        return "Every token has its partner in the other sentence."
    return (
        f"Without a partner, first | second: {'; '.join(given)}. They have no row, and as what is "
        "looked at they share the last column."
    )


def facts(card: ModelCard, sentences: Sentences) -> dict[str, str]:
    """For the prose."""
    return {
        "kind": KIND_TITLES[sentences.kind],
        "queries": str(len(sentences.found.queries)),
        "model": f"Model: {plain(card.title)}, {card.size} parameters; {card.task}. "
        f"{card.licence}. {card.paper}",
    }


def _runs(
    differing: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...],
    first: Encoding,
    second: Encoding,
) -> str:
    told = [
        f"*{_run(one, first)}* | *{_run(other, second)}*" for one, other in differing[:MOST_RUNS]
    ]
    more = len(differing) - MOST_RUNS
    return ", ".join(told) + (f" and {more} places more" if more > 0 else "")


def _run(places: tuple[int, ...], encoding: Encoding) -> str:
    tokens = " ".join(visible(encoding.tokens[place]) for place in places[:MOST_TOKENS])
    more = " …" if len(places) > MOST_TOKENS else ""
    return plain(tokens + more) or NOTHING
