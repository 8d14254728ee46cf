"""Two objects in one picture: does a map asked for one of them lie on its half?"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.picture_map import PictureMap, picture_frame, picture_row
from app.content.pictures import truth
from app.services import engine, vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step
from app.ui import progress
from app.ui.controls import beside_figure
from app.ui.export_bar import Export, Table
from app.ui.options import one_of
from app.ui.params import Number
from app.views.vision.classes import Classes, pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.truth import asking, params
from core.data.pointing_game import Layout, collage, half
from core.explain.attribution.localization import mass_inside

SMALL: Final = 168.0  # px
WORDS: Final = {Layout.SIDE_BY_SIDE: ("left", "right"), Layout.STACKED: ("above", "below")}
Shares = dict[str, tuple[float, float]]  # method: the share on each asked half


def figure(chosen: Chosen, classes: Classes, say: Callable[[str], object]) -> Export | None:
    """The second picture and the two classes; every method's map for each of them."""
    left, right = beside_figure()
    with left:
        other, layout = _choose_other(chosen.picture)
        both = _alone(chosen, other)
        if both is None:
            return None
        asked = (
            _class(classes, both[0], WORDS[layout][0], params.FIRST),
            _class(classes, both[1], WORDS[layout][1], params.SECOND),
        )
        names = asking.pick_methods(besides="both")
    picture = _collage(chosen.picture, other, layout)
    seen = progress.outcome(vision.seen(chosen.card.id, picture), chosen.card.id)
    if seen is None:
        return None
    with right:
        if asked[0] == asked[1]:
            st.warning(
                f"Both halves are asked for “{plain(classes.labels[asked[0]])}”, so no map can "
                "tell them apart. Choose another picture, or another class for one half.",
                icon=":material/info:",
            )
        joined = Chosen(chosen.card, picture, seen)
        maps = _maps(joined, names, asked)
        shown = _figures(joined, layout, maps, tuple(classes.labels[i] for i in asked))
        shares = _shares(joined, layout, maps)
        _table_of(shares, tuple(classes.labels[i] for i in asked))
    if shares:
        best = max(shares, key=lambda name: sum(shares[name]))
        say(
            f"{params.METHODS[best].title} tells the halves apart best: "
            f"**{three(50 * sum(shares[best]))} %** lie on the asked half, where a map that knows "
            "no class has 50 %."
        )
    with left:
        _answers(joined, (chosen.picture, other))
    caption = (
        f"{chosen.picture.name} and {other.name}, {layout} · asked for "
        f"{classes.labels[asked[0]]} and {classes.labels[asked[1]]} · {chosen.card.title}"
    )
    return Export(
        "two-objects",
        caption,
        lambda: _rows(shares, tuple(classes.labels[i] for i in asked)),
        lambda: _arrays(maps) | {"picture": seen.picture},
        offline=("picture_map", lambda: picture_frame(shown, label=caption)) if shown else None,
    )


def _choose_other(picture: Picture) -> tuple[Picture, Layout]:
    """Any other sample: a picture of the reader's own stands first or not at all."""
    offered = [name for name in vision.SAMPLES if name != picture.name]
    if params.OTHER.value not in offered:
        params.OTHER.put(offered[0])
    one_of(params.OTHER, st.selectbox, "Second picture", offered)
    params.LAYOUT.segmented("How they stand")
    return vision.sample(params.OTHER.value), params.LAYOUTS[params.LAYOUT.value]


def _alone(chosen: Chosen, other: Picture) -> tuple[int, int] | None:
    """What the model answers to each picture alone: the class that its half is asked for."""
    futures = [vision.trace(chosen.card.id, picture)[1] for picture in (chosen.picture, other)]
    found: list[int] = []
    for future in futures:
        trace = progress.outcome(future, chosen.card.id)
        if trace is None or trace.logits is None:
            return None
        found.append(int(np.argmax(trace.logits)))
    return found[0], found[1]


def _class(classes: Classes, answer: int, where: str, param: Number[int]) -> int:
    says = "its answer to it"
    return pick_class(f"Asked for, {where}", param, classes.labels, answer, says=says)


def _collage(first: Picture, second: Picture, layout: Layout) -> Picture:
    digest = f"collage {first.digest} {second.digest} {layout}"
    image = engine.derived(
        ("image", digest),
        lambda: collage(first.convert("RGB"), second.convert("RGB"), layout),
        lambda made: 3 * made.width * made.height,
    )
    return Picture(f"{first.name} and {second.name}", digest, image)


def _maps(
    joined: Chosen, names: tuple[str, ...], asked: tuple[int, int]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Every method's two maps, of the whole collage, random and uniform last."""
    every = (*names, "random", "uniform")
    futures = [asking.ask_maps(joined.card, joined.picture, every, index) for index in asked]
    first = asking.gathered(futures[0], "Maps:", joined.card)
    usable = {name: future for name, future in futures[1].items() if name in first}
    second = asking.gathered(usable, "Maps:", joined.card)
    return {name: (first[name], second[name]) for name in second}


def _shares(
    joined: Chosen, layout: Layout, maps: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Shares:
    grid = joined.seen.grid
    covers = [half(grid.rows, grid.columns, layout, first=first) for first in (True, False)]
    return {
        name: (mass_inside(pair[0], covers[0]), mass_inside(pair[1], covers[1]))
        for name, pair in maps.items()
    }


def _figures(
    joined: Chosen,
    layout: Layout,
    maps: Mapping[str, tuple[np.ndarray, np.ndarray]],
    labels: tuple[str, ...],
) -> tuple[PictureMap, ...]:
    """One row of maps for each asked half, which is outlined."""
    grid = joined.seen.grid
    everything: list[PictureMap] = []
    for number, label in enumerate(labels):
        cover = half(grid.rows, grid.columns, layout, first=number == 0)
        shares = {name: mass_inside(pair[number], cover) for name, pair in maps.items()}
        row = tuple(
            PictureMap(
                picture=joined.seen.picture,
                rows=grid.rows,
                columns=grid.columns,
                label=f"{params.METHODS[name].title}, asked for {label}",
                values=pair[number],
                scale="diverging" if params.METHODS[name].signed else "sequential",
                hue="cross" if params.METHODS[name].class_specific else "encoder",
                outlined=cover >= 0.5,
                width=SMALL,
                grid=False,
                title=f"{params.METHODS[name].title}: {100 * shares[name]:.0f} %",
            )
            for name, pair in maps.items()
        )
        where = WORDS[layout][number]
        with st.container(gap=None):
            st.caption(f"Asked for **{plain(label)}**, which stands {where} (outlined)")
            picture_row(
                row,
                key=params.OBJECTS.key(f"maps{number}"),
                label=f"Evidence for {label}, by method, with the share on its half",
                clickable=False,
            )
        everything += row
    return tuple(everything)


def _table_of(shares: Shares, labels: tuple[str, ...]) -> None:
    lines = [
        f"| method | {plain(labels[0])} asked | {plain(labels[1])} asked | mean |",
        "|---|---:|---:|---:|",
    ]
    for name, (first, second) in shares.items():
        (one, other), mean = step(
            [100 * first, 100 * second], 50 * (first + second), lambda a, b: (a + b) / 2
        )
        lines.append(f"| {params.METHODS[name].title} | {one} % | {other} % | {mean} % |")
    st.markdown("\n".join(lines))
    st.caption(
        "Share of positive evidence on the asked half. A map that does not know the class is the "
        "same for both questions, so its mean is exactly 50 %, however good either map looks."
    )


def _answers(joined: Chosen, both: tuple[Picture, Picture]) -> None:
    """What the model says of the collage: a class that it does not see has no true place."""
    found = progress.outcome(vision.classes(joined.card.id, joined.picture), joined.card.id)
    if found is not None:
        st.markdown("**What the model says of the two together**")
        labels = engine.loaded_card(joined.card.id).result().labels
        candidates(
            tuple(Candidate(one.label, float(one.probability)) for one in found),
            label=f"The most probable of {max(len(labels), len(found))} classes for the collage",
            key=params.OBJECTS.key("classes"),
            clickable=False,
        )
        shown = zip(("First", "Second"), (truth(one.name, labels) for one in both), strict=True)
        st.caption(plain(" ".join(f"{which}: {known}." for which, known in shown if known)))


def _rows(shares: Shares, labels: tuple[str, ...]) -> Table:
    return ("method", "asked_for", "share_on_its_half"), (
        (params.METHODS[name].title, label, three(share))
        for name, pair in shares.items()
        for label, share in zip(labels, pair, strict=True)
    )


def _arrays(maps: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    return {
        f"{name.replace('-', '_')}_{place}": one
        for name, pair in maps.items()
        for place, one in zip(("first", "second"), pair, strict=True)
    }
