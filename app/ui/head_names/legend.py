"""Names with letters and hues: what each head does over many texts, not on the reader's alone."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid.names import HeadName, HeadNames
from app.style.markdown_escape import plain
from app.style.number_format import three
from core.data.known_roles import Layers
from core.explain.attention.head_roles import ENOUGH, FOUND, MARGIN, NO_ROLE, HeadRole
from core.explain.attention.role_patterns import ALIGNED, BROAD, LOCAL, ROLES, SYNTACTIC

LETTERS: Final[Mapping[str, str]] = {
    "previous": "P",
    "next": "N",
    "two back": "B",
    "two ahead": "A",
    "itself": "I",
    "first": "F",
    "separator": "S",
    "punctuation": "C",
    "duplicate": "D",
    "induction": "R",
    "nearby": "L",
    "same place": "M",
    "same token": "T",
    BROAD: "U",
    SYNTACTIC: "G",
    ALIGNED: "W",
    LOCAL: "L",
    "row": "H",
    "column": "V",
    "sink": "S",
}
OF_PICTURES: Final = {LOCAL: 15, "row": 2, "column": 12, "sink": 6}  # hues of texts' roles again
LEGEND: Final = tuple(
    HeadName(role, letter, ROLES[role], OF_PICTURES.get(role, place))
    for place, (role, letter) in enumerate(LETTERS.items())
)
INDEX: Final = {name.name: at for at, name in enumerate(LEGEND)}


def names(layers: Layers, over: str = "") -> HeadNames:
    """For the grid. over: which sentences of the reader's; "": our own."""
    return HeadNames(
        LEGEND,
        tuple(tuple(INDEX.get(head.label, -1) for head in layer) for layer in layers),
        tuple(tuple(note(head) for head in layer) for layer in layers),
        over,
    )


def named_head(names: HeadNames | None, layer: int, head: int) -> str:
    """ "head 3", or "head 3 · previous" where it has a name."""
    role = NO_ROLE if names is None else role_of(names, layer, head)
    return f"head {head}" + f" · {role}" * (role != NO_ROLE)


def role_of(names: HeadNames, layer: int, head: int) -> str:
    """ "previous", or "no clear role"."""
    at = names.named[layer][head]
    return NO_ROLE if at < 0 else names.legend[at].name


def note(head: HeadRole) -> str:
    """ "previous: 0.96 of it, even attention 0.091 (0.861 to 0.879 above, 100 texts)"."""
    clear = head.label != NO_ROLE
    role = head.label if clear else head.strongest
    score = head.scores[role]
    if role == BROAD:
        told = f"entropy {score.mass:.1%} of the largest possible"
    elif score.of:
        told = f"finds {three(score.mass)} of {score.of}, the best guess {three(score.baseline)}"
    else:
        told = f"{three(score.mass)} of it, even attention {three(score.baseline)}"
    between = f"{three(score.above.low)} to {three(score.above.high)} above"
    name = role if clear else f"{NO_ROLE}, most: {role}"
    return f"{name}: {told} ({between}, {score.n_inputs} {_inputs(head)})"


def caption(layers: Layers, over: str = "") -> None:
    """How many heads have a name, and when one does; `over` as in `names`."""
    heads = [head for layer in layers for head in layer]
    named = sum(head.label != NO_ROLE for head in heads)
    st.caption(
        f"{named} of {len(heads)} heads have a clear role: over at least {ENOUGH} "
        f"{_inputs(heads[0])}, here {plain(over) or 'of our own'}, more than {MARGIN:g} above what "
        f"even attention would put there{_of_links(heads[0])}, at the lower end of a 95 % "
        f"interval. It tells what a head looks at, not what it is for.{_none_local(heads)}"
    )


def _none_local(heads: Sequence[HeadRole]) -> str:
    """How near the nearest comes, of a picture model whose training was too short for local heads.

    Those of ViTs trained on millions of pictures are (Dosovitskiy et al. 2021, figure 11).
    """
    if _inputs(heads[0]) == "texts" or any(head.label == LOCAL for head in heads):
        return ""
    at = max(heads, key=lambda head: head.scores[LOCAL].above.mean)
    score = at.scores[LOCAL]
    return (
        f" No head of this model is local: the nearest, layer {at.layer} · head {at.head}, puts "
        f"{three(score.mass)} on {ROLES[LOCAL]}, where even attention puts {three(score.baseline)}."
    )


def _of_links(head: HeadRole) -> str:
    """Pictures have no links."""
    if _inputs(head) == "pictures":
        return ""
    return f", or more than {FOUND:g} of the links above the best guess"


def _inputs(head: HeadRole) -> str:
    return "pictures" if LOCAL in head.scores else "texts"


def arrays(layers: Layers) -> dict[str, np.ndarray]:
    """Every head's label, and of each role the mass, the baseline and the interval above it."""
    roles = sorted({role for layer in layers for head in layer for role in head.scores})
    heads = [head for layer in layers for head in layer]

    def numbers(head: HeadRole) -> list[tuple[float, ...]]:
        scores = [head.scores[role] for role in roles]
        return [(s.mass, s.baseline, s.above.low, s.above.high, s.n_inputs) for s in scores]

    return {
        "role_heads": np.array([(head.layer, head.head) for head in heads]),
        "role_labels": np.array([head.label for head in heads]),
        "role_names": np.array(roles),
        "role_columns": np.array(["mass", "baseline", "above_low", "above_high", "inputs"]),
        "role_scores": np.array([numbers(head) for head in heads]),
    }
