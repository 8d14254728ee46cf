"""Random weights: a map that looks the same when the model is gone does not explain the model."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_frame, picture_row
from app.services import engine
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts
from app.ui.charts import Curve
from app.ui.controls import beside_figure
from app.ui.export_bar import Export, Table
from app.views.vision.classes import Classes
from app.views.vision.inputs import Chosen
from app.views.vision.truth import asking, params
from core.explain.attribution.rank_correlation import chance_correlation, rank_correlation
from core.outputs.randomization_test import RandomisedEvidence

SMALL: Final = 168.0  # px
DEEP: Final = ("occlusion", "integrated-gradients")  # many forwards: not asked at every depth
Fresh = Mapping[str, RandomisedEvidence]


def figure(chosen: Chosen, classes: Classes, say: Callable[[str], object]) -> Export | None:
    """Maps before and after, with their rank correlation; then at every depth, if asked."""
    index = classes.ranked[0]
    label = classes.labels[index]
    n_blocks = engine.loaded_card(chosen.card.id).result().layers
    left, right = beside_figure()
    with left:
        blocks = params.BLOCKS.slider(
            "Blocks drawn anew, counted from the answer",
            high=n_blocks,
            help="The head is always drawn anew; 0 means the head alone.",
        )
        seed = params.SEED.slider("Draw")
        names = asking.pick_methods()
        deep = params.DEPTHS.toggle("At every depth")
    every = (*names, "random")
    before = asking.gathered(
        asking.ask_maps(chosen.card, chosen.picture, every, index), "Maps:", chosen.card
    )
    fresh: Fresh = asking.gathered(
        asking.ask_fresh_maps(
            chosen.card, chosen.picture, tuple(before), index, blocks=blocks, seed=seed
        ),
        "Maps of the random model:",
        chosen.card,
    )
    with right:
        shown = _figures(chosen, before, fresh)
        _say_answer(classes, index, fresh, say)
        _say_correlations(before, fresh)
    depths = _cascade(chosen, before, index, n_blocks, seed) if deep else {}
    caption = (
        f"{label} · {chosen.card.title}, {chosen.picture.name} · head and last {blocks} blocks "
        f"drawn anew, draw {seed}"
    )
    return Export(
        "random-weights",
        caption,
        lambda: _table(before, fresh, blocks, depths),
        lambda: _arrays(before, fresh),
        offline=("picture_map", lambda: picture_frame(shown, label=caption)) if shown else None,
    )


def _figures(
    chosen: Chosen, before: Mapping[str, np.ndarray], fresh: Fresh
) -> tuple[PictureMap, ...]:
    """Two rows: as trained, and with the last weights random."""
    everything: list[PictureMap] = []
    rows = (
        ("As trained", {name: before[name] for name in fresh}),
        ("Last weights random", {name: one.evidence for name, one in fresh.items()}),
    )
    for number, (title, maps) in enumerate(rows):
        row = tuple(_figure(chosen, name, values, title) for name, values in maps.items())
        st.markdown(f"**{title}**")
        if row:
            picture_row(
                row,
                key=params.WEIGHTS.key(f"maps{number}"),
                label=f"{title}: each method's map",
                clickable=False,
            )
        everything += row
    return tuple(everything)


def _figure(chosen: Chosen, name: str, values: np.ndarray, title: str) -> PictureMap:
    method = params.METHODS[name]
    return PictureMap(
        picture=chosen.seen.picture,
        rows=values.shape[0],
        columns=values.shape[1],
        label=f"{method.title}: {title}",
        values=values,
        scale="diverging" if method.signed else "sequential",
        hue="cross" if method.class_specific else "encoder",
        width=SMALL,
        grid=False,
        title=method.title,
    )


def _say_answer(classes: Classes, index: int, fresh: Fresh, say: Callable[[str], object]) -> None:
    for one in list(fresh.values())[:1]:
        was = float(classes.probabilities[index])
        say(
            f"With random last weights the probability of **{plain(classes.labels[index])}** goes "
            f"from **{three(100 * was)} %** to **{three(100 * one.probability)} %**; "
            f"{three(100 / len(classes.labels))} % would be a guess."
        )


def _say_correlations(before: Mapping[str, np.ndarray], fresh: Fresh) -> None:
    lines = ["| method | rank correlation | |", "|---|---:|---|"]
    for name, one in fresh.items():
        value = rank_correlation(before[name], one.evidence)
        verdict = _verdict(name, value, one.evidence.size)
        lines.append(f"| {params.METHODS[name].title} | {_said(value)} | {verdict} |")
    st.markdown("\n".join(lines))
    sizes = {one.evidence.size for one in fresh.values()}
    chance = "".join(
        f" Two maps of {size} patches drawn at random stay within ±{chance_correlation(size):.2f} "
        "in 95 of 100 draws."
        for size in sizes
    )
    st.caption(
        "Spearman's rank correlation of the two maps: 1 is the same order of patches, 0 has "
        f"nothing in common with it.{chance} Smooth maps agree more by chance than those."
    )


def _said(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.2f}".replace("-", "−")


def _verdict(name: str, value: float, n_patches: int) -> str:
    """In words, against what two unrelated orders of so many patches share by chance."""
    if name == "random":
        return "drawn from the picture alone: it never knew the model"
    if np.isnan(value):
        return "one of the maps gives every patch one number"
    if f"{value:.3f}" == "1.000":
        return "the same order of patches: these weights play no part in it"
    if abs(value) <= chance_correlation(n_patches):
        return "nothing of its order is left that chance would not explain"
    if value < 0:
        return "turned about, beyond chance"
    return "part of its order survived these weights, beyond chance"


def _cascade(
    chosen: Chosen, before: Mapping[str, np.ndarray], index: int, n_blocks: int, seed: int
) -> dict[str, list[float]]:
    """Adebayo's figure: the correlation as ever more is random."""
    names = [name for name in before if name not in DEEP and name != "random"]
    futures = {
        depth: asking.ask_fresh_maps(
            chosen.card, chosen.picture, names, index, blocks=depth, seed=seed
        )
        for depth in range(n_blocks + 1)
    }
    found: dict[str, list[float]] = {name: [] for name in names}
    for depth, asked in futures.items():
        answers: Fresh = asking.gathered(asked, f"Depth {depth} of {n_blocks}:", chosen.card)
        for name, one in answers.items():
            found[name].append(rank_correlation(before[name], one.evidence))
    chart = charts.chart(
        [
            Curve(params.METHODS[name].title, np.arange(len(values), dtype=float), np.array(values))
            for name, values in found.items()
        ],
        x_title="blocks drawn anew, besides the head",
        y_title="rank correlation",
    )
    charts.mark_y(chart, 0.0, "nothing in common")
    charts.show(
        chart,
        key=params.WEIGHTS.key("cascade"),
        name="cascading-randomisation",
        caption=f"{chosen.card.title}, {chosen.picture.name}, draw {seed}",
    )
    left_out = [params.METHODS[name].title for name in before if name in DEEP]
    if left_out:
        st.caption(
            f"Not asked at every depth, since they run the model often: {', '.join(left_out)}."
        )
    return found


def _table(
    before: Mapping[str, np.ndarray], fresh: Fresh, blocks: int, depths: Mapping[str, list[float]]
) -> Table:
    now = [
        (params.METHODS[name].title, blocks, repr(rank_correlation(before[name], one.evidence)))
        for name, one in fresh.items()
    ]
    all_depths = [
        (params.METHODS[name].title, depth, repr(value))
        for name, values in depths.items()
        for depth, value in enumerate(values)
    ]
    return ("method", "blocks_drawn_anew", "rank_correlation"), (now if not depths else all_depths)


def _arrays(before: Mapping[str, np.ndarray], fresh: Fresh) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, one in fresh.items():
        found[f"{name.replace('-', '_')}_trained"] = before[name]
        found[f"{name.replace('-', '_')}_random"] = one.evidence
    return found
