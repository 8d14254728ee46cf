"""The film of all tokens' rows, and one token's row at every layer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
from jaxtyping import Float32
from streamlit.delta_generator import DeltaGenerator

from app.components.head_film import HeadFilm, film_frame, head_film, standing
from app.components.heat_map import HeatMap, heat_map
from app.components.selection import Seed, clicked_index
from app.components.token_row import Chip, token_row
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.chosen_words import InText, token_in
from app.ui.export_bar import Export, Table
from app.views.attention import state
from app.views.attention.exports import unfused
from app.views.attention.inputs import followed, second_texts
from app.views.attention.rollout import params
from core.catalog import ModelCard
from core.trace import AttentionKind, Encoding

NUMBERED = 20  # tokens: up to so many, every cell of the row's map has its number


@dataclass(frozen=True, eq=False)
class Frames:
    """The rollout's frames by what they are made of, attention first."""

    card: ModelCard
    kind: AttentionKind
    encoding: Encoding
    by: Mapping[str, Float32[np.ndarray, "frame query key"]]
    traced: TextTrace

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.by)

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.encoding.tokens

    @cached_property
    def moments(self) -> tuple[str, ...]:
        """ "input", then every layer from the first on."""
        count = len(next(iter(self.by.values()))) - 1
        start = params.START.value
        return ("input", *(f"layer {start + n}" for n in range(count)))

    @property
    def shown(self) -> str:
        """What the large map is made of."""
        return params.BY.value if params.BY.value in self.by else params.ATTENTION

    @property
    def frame(self) -> int:
        last = len(self.moments) - 1
        return last if params.FRAME.value == params.WHOLE else min(params.FRAME.value, last)

    @property
    def caption(self) -> str:
        pair, _ = second_texts(self.card.family)
        text = " / ".join(filter(None, (state.TEXT.value[:200], pair)))
        return (
            f"{self.card.title} · rollout of {self.kind} attention, “{text}” · residual "
            f"{params.RESIDUAL.value:g} · heads fused by {params.FUSION.value} · first layer "
            f"{params.START.value}"
        )


def draw(frames: Frames, *, awaited: int) -> Frames:
    """The film; until all maps are here, one that nobody has to choose in."""
    figure = _film(frames)
    params.FRAME.below(len(frames.moments))
    n, last = len(frames.names), len(frames.moments) - 1
    key = f"{params.FILM}.before{awaited}" if awaited else params.FILM
    present = (frames.frame, (0, frames.names.index(frames.shown)))
    if awaited:
        head_film(figure, present, key=key)
        return frames
    moment, (_, index) = standing(key, present, n_moments=last + 1, heads=(n,))
    params.FRAME.put(params.WHOLE if moment == last else moment)
    params.BY.put(frames.names[index])
    head_film(figure, (moment, (0, index)), key=key)
    return frames


def _film(frames: Frames) -> HeadFilm:
    """Made once for all who look at the same maps."""
    values = np.ascontiguousarray(np.stack(tuple(frames.by.values()), axis=1))
    ids = tuple(frames.encoding.ids.tolist())
    return HeadFilm(
        values=values,
        heads=(len(frames.names),),
        moments=frames.moments,
        lines=tuple(_line(frames, moment) for moment in range(len(frames.moments))),
        rows=frames.tokens,
        columns=frames.tokens,
        row_ids=ids,
        column_ids=ids,
        label="How much of each token is in each, layer by layer",
        caption=frames.caption,
        hue=frames.kind.value if frames.kind != AttentionKind.CROSS else "cross",
        names=tuple(params.TITLES[name] for name in frames.names),
        unit="layer",
    )


def _line(frames: Frames, moment: int) -> str:
    """How much every token still is itself, on average."""
    kept = (
        f"{params.TITLES[name]} {three(float(np.trace(maps[moment])) / len(frames.tokens))}"
        for name, maps in frames.by.items()
    )
    return f"On average a token is still itself by: {' · '.join(kept)}"


def row(frames: Frames, said: DeltaGenerator) -> Export:
    """One token's row, at every layer; a click on a token follows that one."""
    key = params.HERE.key("tokens")
    pinned = InText(state.PIN, token_in(frames.tokens))
    clicked = clicked_index(key, len(frames.tokens))
    if clicked is not None:
        pinned.put(clicked)
    query, name = followed(frames.encoding, frames.kind), frames.shown
    rows = frames.by[name][:, query]
    now = rows[frames.frame]
    said.markdown(_answered(frames, query, now))
    st.markdown(
        f"**Where {plain(visible(frames.tokens[query]))} comes from**, by {params.TITLES[name]}, "
        f"at {frames.moments[frames.frame]}; click a token to follow that one"
    )
    largest = float(now.max()) or 1.0
    token_row(
        tuple(
            Chip(
                token,
                note=three(float(share)),
                shade=float(share) / largest,
                state="lit" if place == query else "plain",
                hue=frames.kind.value,
                token_id=int(frames.encoding.ids[place]),
            )
            for place, (token, share) in enumerate(zip(frames.tokens, now, strict=True))
        ),
        label="The text's tokens, shaded by their share; click one to follow its row",
        key=key,
        caption=frames.caption,
    )
    figure = HeatMap(
        values=np.ascontiguousarray(rows[::-1]),
        rows=frames.moments[::-1],
        columns=tuple(map(visible, frames.tokens)),
        label=f"The row of {visible(frames.tokens[query])} at every layer",
        caption=frames.caption,
        row_title="",
        column_title="token",
        column_ids=tuple(frames.encoding.ids.tolist()),
        scale="sequential",
        hue=frames.kind.value,
        numbers=len(frames.tokens) <= NUMBERED,
        cell=(60, 26),
    )
    heat_map(figure, key=params.HERE.key("row"))
    film = _film(frames)
    at = (frames.frame, (0, frames.names.index(name)))
    return Export(
        "text-rollout",
        frames.caption,
        lambda: _table(frames, query),
        lambda: {
            "tokens": np.array(frames.tokens),
            "query": np.array(query),
            "frame": np.array(frames.frame),
            "by": np.array(name),
            **{f"rollout_{one}": maps for one, maps in frames.by.items()},
            **unfused(frames.traced, frames.kind, params.START.value),
        },
        offline=("head_film", lambda: film_frame(film, Seed(at))),
        facts={"model": f"Model: {plain(frames.card.title)}. {plain(frames.card.paper)}"},
    )


def _answered(frames: Frames, query: int, now: Float32[np.ndarray, " key"]) -> str:
    """What the row holds of the token itself, and of which other most, in Markdown."""
    others = now.copy()
    others[query] = -1
    most = int(others.argmax())
    itself, at = plain(visible(frames.tokens[query])), frames.moments[frames.frame]
    by, kept = params.TITLES[frames.shown], three(float(now[query]))
    own = f"By {by}, at {at} **{itself}** is **{kept}** itself"
    if len(now) == 1 or now[most] <= 0:
        return f"{own}."
    times = float(now[most]) * len(now)
    return (
        f"{own}; of the others it holds most of **{plain(visible(frames.tokens[most]))}**, "
        f"**{three(float(now[most]))}**, {three(times)} times the even share."
    )


def _table(frames: Frames, query: int) -> Table:
    lines = (
        (name, moment, frames.tokens[query], place, token, repr(float(maps[at, query, place])))
        for name, maps in frames.by.items()
        for at, moment in enumerate(frames.moments)
        for place, token in enumerate(frames.tokens)
    )
    return ("by", "after", "query_token", "position", "token", "share"), lines
