"""Layers by heads: how sure of a place each head is, and what the answer loses without it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid.names import HeadNames
from app.components.heat_map import HeatMap, clicked_cell, pick_cell
from app.services import silencing
from app.services.silencing import Heads
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.export_bar import Table
from app.ui.head_names import named_head, role_of
from app.ui.long_work import worked
from app.ui.silence.asked import Asked
from app.ui.silence.params import FILLS, Silence
from core.explain.attention.ablation_sweep import AblationSweep
from core.explain.attribution.rank_correlation import chance_correlation, rank_correlation
from core.explain.predictions.prediction_change import PredictionChange

CELL: Final = (46.0, 26.0)  # px
REPAIR: Final = (
    "A small effect does not say that a head is idle: later heads make up for one that is missing "
    "(“self-repair”, [McGrath et al. 2023](https://arxiv.org/abs/2307.15771); backup heads, "
    "[Wang et al. 2022](https://arxiv.org/abs/2211.00593)), so one head at a time understates. "
    "Silence several together."
)


@dataclass(frozen=True, eq=False)
class Maps:
    """What was shown: (layer, head) each."""

    confidence: np.ndarray | None
    swept: AblationSweep | None
    names: HeadNames | None

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        found = {} if self.confidence is None else {"head_confidence": self.confidence}
        if self.swept is not None:
            found["each_head_silenced"] = self.swept.silenced
            found["each_head_effect"] = self.swept.effects
            found["no_head_silenced"] = np.array(self.swept.untouched)
        return found

    def table(self) -> Table:
        """A line a head."""
        columns = {
            "confidence": self.confidence,
            "silenced": None if self.swept is None else self.swept.silenced,
            "effect": None if self.swept is None else self.swept.effects,
        }
        kept = {name: values for name, values in columns.items() if values is not None}
        shape = next(iter(kept.values())).shape
        names, called = self.names, ("role",) if self.names else ()
        lines = (
            (
                *(layer, head),
                *(repr(float(values[layer, head])) for values in kept.values()),
                *(() if names is None else (role_of(names, layer, head),)),
            )
            for layer, head in np.ndindex(shape[0], shape[1])
        )
        return ("layer", "head", *kept, *called), lines


def take_clicks(params: Silence, heads: Heads) -> None:
    """A click on a head silences it, or lets it speak again; before any widget is drawn."""
    for key in (params.scope.key("effects"), params.scope.key("confidence")):
        clicked, silent = clicked_cell(key, (heads.layers, heads.each)), params.heads.value
        if clicked is not None:
            others = tuple(one for one in silent if one != clicked)
            params.heads.put(others if clicked in silent else (*silent, clicked))


def render(
    params: Silence,
    asked: Asked,
    heads: Heads,
    names: HeadNames | None,
    change: PredictionChange,
) -> Maps:
    """Both maps, the second one if asked for; where they disagree is said."""
    swept = _swept(params, asked, heads, change) if params.sweep.value else None
    if swept is not None:
        _effects(params, asked, heads, names, change, swept)
    confidence = _confidence(params, asked, heads, names)
    if swept is not None:
        _told(swept, confidence)
    return Maps(confidence, swept, names)


def _swept(
    params: Silence, asked: Asked, heads: Heads, change: PredictionChange
) -> AblationSweep | None:
    quantity = params.quantity(asked.question.position, change.answer, change.against)
    return worked(
        (params.scope, params.sweep),
        lambda: silencing.sweep(asked.question, heads, params.instead.value, quantity),
        silencing.slice_seconds(asked.question, heads, quantity),
        doing="Silencing each head",
        of="heads",
        n=heads.layers * heads.each,
    )


def _effects(
    params: Silence,
    asked: Asked,
    heads: Heads,
    names: HeadNames | None,
    change: PredictionChange,
    swept: AblationSweep,
) -> None:
    answer = asked.name(change.answer)
    measured = {
        "probability": f"P({answer})",
        "logit": f"the logit of {answer}",
        "difference": f"logit of {answer} − logit of {asked.name(change.against)}",
    }[params.effect.value]
    title = f"Change of {measured} without each head"
    pick_cell(
        _map(params, asked, heads, names, swept.effects, title, scale="diverging"),
        key=params.scope.key("effects"),
    )
    layer, head = swept.strongest
    effect = float(swept.effects[layer, head])
    st.markdown(
        f"One head at a time, {FILLS[params.instead.value]} in its place: most depends on layer "
        f"{layer}, {named_head(names, layer, head)} ({three(effect)}); with all of them "
        f"{plain(measured)} is {three(swept.untouched)}."
    )


def _confidence(
    params: Silence, asked: Asked, heads: Heads, names: HeadNames | None
) -> np.ndarray | None:
    trace = asked.trace()
    if trace is None:
        return None
    left_out = asked.left_out(trace, heads.kind)
    found = silencing.confidence(asked.question, trace, heads.kind, left_out)
    if found is None:
        st.caption("Everything here is a special token: no head has a word to look at.")
        return None
    title = "How much each head attends: mean of its largest weights"
    pick_cell(
        _map(params, asked, heads, names, found, title, scale="sequential"),
        key=params.scope.key("confidence"),
    )
    st.caption(
        "Over all positions, special tokens left out: the confidence of [Voita et al. "
        "2019](https://arxiv.org/abs/1905.09418). Click a head to silence it, again to let it "
        "speak."
    )
    return found


def _map(
    params: Silence,
    asked: Asked,
    heads: Heads,
    names: HeadNames | None,
    values: np.ndarray,
    title: str,
    *,
    scale: str,
) -> HeatMap:
    n_layers, n_heads = values.shape
    silent = np.zeros(values.shape, dtype=bool)
    for place in params.heads.value:
        silent[place] = True
    sequential = scale == "sequential"
    return HeatMap(
        values=values,
        rows=tuple(map(str, range(n_layers))),
        columns=tuple(map(str, range(n_heads))),
        label=f"{title}, layers by heads",
        caption=f"{asked.card.title} · “{asked.question.text}” · {title}",
        title=title,
        row_title="layer",
        column_title="head",
        scale="sequential" if sequential else "diverging",
        hue=str(heads.kind),
        limit=1.0 if sequential else None,
        numbers=True,
        outlined=silent if silent.any() else None,
        names=names,
        cell=CELL,
    )


def _told(swept: AblationSweep, confidence: np.ndarray | None) -> None:
    """Whether heads that attend more matter more; and why a small effect says little."""
    if confidence is not None:
        found = rank_correlation(np.abs(swept.effects), confidence)
        st.markdown(
            f"Do heads that attend more matter more? Rank correlation (Spearman) of the size of "
            f"the effect with how much a head attends: **{three(found)}**. That of two unrelated "
            f"orders of {confidence.size} heads stays within ± "
            f"{three(chance_correlation(confidence.size))} 95 times in 100."
        )
    st.caption(REPAIR)
