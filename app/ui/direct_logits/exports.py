"""A view's numbers as files."""

import numpy as np

from app.ui.direct_logits.shown import Shown
from app.ui.export_bar import Table
from core.explain.attribution.logit_attribution import LogitAttribution


def first_tokens(shown: Shown, ids: np.ndarray, count: int = 5) -> str:
    """Some ids as words."""
    return "  ".join(shown.name(int(token)) for token in ids[:count])


def term_table(shown: Shown, found: LogitAttribution) -> Table:
    """A line a term."""
    lines = (
        (
            *(str(term.writer), term.layer, term.head, repr(float(value))),
            *(first_tokens(shown, side.ids[at]) for side in (found.up, found.down)),
        )
        for at, (term, value) in enumerate(zip(found.terms, found.values, strict=True))
    )
    return ("part", "layer", "head", "writes", "pushes_up", "pushes_down"), lines


def pushed_table(shown: Shown, found: LogitAttribution) -> Table:
    """A line a term and pushed token."""
    lines = (
        (
            *(str(term.writer), term.layer, term.head, way, rank + 1),
            *(shown.vocabulary[int(side.ids[at, rank])], repr(float(side.logits[at, rank]))),
        )
        for at, term in enumerate(found.terms)
        for way, side in (("up", found.up), ("down", found.down))
        for rank in range(side.ids.shape[1])
    )
    return ("part", "layer", "head", "way", "rank", "token", "logit"), lines


def arrays(shown: Shown, found: LogitAttribution) -> dict[str, np.ndarray]:
    """For NPZ."""
    target = found.target
    return {
        "part": np.array([str(term.writer) for term in found.terms]),
        "layer": np.array([-1 if t.layer is None else t.layer for t in found.terms]),
        "head": np.array([-1 if t.head is None else t.head for t in found.terms]),
        "writes": found.values,
        "logit": np.array(found.logit),
        "residue": np.array(found.residue),
        "position": np.array(target.position),
        "answer": np.array([target.token, -1 if target.against is None else target.against]),
        "pushed_up": found.up.ids,
        "pushed_up_logits": found.up.logits,
        "pushed_down": found.down.ids,
        "pushed_down_logits": found.down.logits,
        "vocabulary_size": np.array(len(shown.vocabulary)),
    }
