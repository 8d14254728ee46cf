"""The logit lens at a mask: what each layer would answer, read through the model's own head."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.token_table import token_table
from app.services import encoder
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.logit_lens import layer_name, layer_number, lens_table, rank_curve, show_ranks
from app.ui.page import View
from app.views.bert import inputs, state
from app.views.bert.looking import choose_mask
from app.views.bert.masking import mask_words
from core.catalog import ModelCard
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

Layers = tuple[TokenDistribution, ...]  # the input first, the model's own answer last


def figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    """Everything below the input."""
    masking = mask_words(card, given, profile, key=state.HERE.key("layer-tokens"))
    if masking is None:
        return None
    with controls():
        place = choose_mask(masking.places)
        named = state.LENS_WORD.line(
            "Follow a word, too", max_chars=40, placeholder="one token of the vocabulary", width=260
        ).strip()
    future = encoder.layer_logits(given, masking.masks.edits(profile.mask_id), place)
    found = progress.outcome(future, card.id)
    if found is None:
        return None
    layers = tuple(token_distribution(row[0]) for row in found.logits)
    followed = _followed(layers, masking.vocabulary, masking.original(place), named)
    return _draw(card, layers, masking.vocabulary, masking.encoding, place=place, followed=followed)


def _draw(
    card: ModelCard,
    layers: Layers,
    vocabulary: tuple[str, ...],
    encoding: Encoding,
    *,
    place: int,
    followed: tuple[int, ...],
) -> Export:
    answer(_answered(layers, vocabulary, place))
    left, right = st.columns([6, 5], gap="large")
    with left:
        drawn = _map(card, layers, vocabulary, followed, place)
    with right:
        _ranks(layers, vocabulary, followed)
    st.subheader("The best guesses of every layer")
    _guesses(card, layers, vocabulary, place)
    return Export(
        name="layer-by-layer",
        caption=f"{card.title} · position {place} of “{' '.join(encoding.tokens)}”",
        table=lambda: _table(layers, vocabulary),
        arrays=lambda: {"log_probabilities": np.stack([one.log_probabilities for one in layers])},
        offline=("heat_map", lambda: heat_map_frame(drawn)),
    )


def _answered(layers: Layers, vocabulary: tuple[str, ...], place: int) -> str:
    """The last layer's guess, and since when it is the first, in Markdown."""
    (best,) = layers[-1].top(1)
    since = len(layers) - 1
    while since and layers[since - 1].rank(best) == 1:
        since -= 1
    before = (
        f"; at the input its rank is **{layers[0].rank(best):,}**"
        if since
        else ", and already at the input"
    )
    return (
        f"At position {place} **{plain(vocabulary[best])}** is the first guess from "
        f"{layer_name(since)} on, in the end with "
        f"**{three(layers[-1].probability(best))}**{before}."
    )


def _followed(
    layers: Layers, vocabulary: tuple[str, ...], original: int | None, named: str
) -> tuple[int, ...]:
    """The last layer's best tokens, the original one, and the one that the reader names."""
    tokens = list(layers[-1].top(state.TOP.value))
    if original is not None:
        tokens.append(original)
    if named:
        index = {token: number for number, token in enumerate(vocabulary)}
        spellings = (named, named.lower(), f"Ġ{named}", f"▁{named}")
        known = [index[spelling] for spelling in spellings if spelling in index]
        if known:
            tokens.append(known[0])
        else:
            st.caption(f"“{plain(named)}” is not one token of this vocabulary.")
    return tuple(dict.fromkeys(tokens))


def _map(
    card: ModelCard,
    layers: Layers,
    vocabulary: tuple[str, ...],
    followed: tuple[int, ...],
    place: int,
) -> HeatMap:
    drawn = HeatMap(
        values=np.array(
            [[one.probability(token) for token in followed] for one in layers], dtype=np.float32
        ),
        rows=tuple(map(layer_number, range(len(layers)))),
        row_title="layer",
        columns=tuple(vocabulary[token] for token in followed),
        label=f"Probability of each followed token at position {place}, layer by layer",
        caption=f"{card.title} · position {place}",
        title="probability",
        scale="sequential",
        limit=1.0,
        numbers=True,
        row_notes=tuple(f"{one.entropy:.3g} bits of doubt" for one in layers),
        cell=(76, 30),
    )
    heat_map(drawn, key=state.HERE.key("lens-map"))
    return drawn


def _ranks(layers: Layers, vocabulary: tuple[str, ...], followed: tuple[int, ...]) -> None:
    curves = [
        rank_curve(
            vocabulary[token],
            np.array([one.rank(token) for one in layers]),
            [one.probability(token) for one in layers],
        )
        for token in followed[:8]
    ]
    show_ranks(curves, key=state.HERE.key("lens-ranks"), name="layer-by-layer", height=330)
    st.caption(f"Rank among {len(vocabulary):,} tokens; 1 is the best guess.")


def _guesses(card: ModelCard, layers: Layers, vocabulary: tuple[str, ...], place: int) -> None:
    count = state.TOP.value
    tops = [one.top(count) for one in layers]
    token_table(
        lens_table(
            np.array(tops),
            np.array(
                [[one.probability(t) for t in top] for one, top in zip(layers, tops, strict=True)],
                dtype=np.float32,
            ),
            vocabulary,
            states=range(len(layers)),
            columns=[str(rank + 1) for rank in range(count)],
            note=lambda layer, _: f"{layers[layer].entropy:.3g} bits of doubt in this layer",
            label=f"The best guesses of every layer at position {place}",
            column_title="guess",
            shade_title="Shade: its probability, 0 to 1.",
            caption=f"{card.title} · position {place}",
            hue="encoder",
        ),
        key=state.HERE.key("lens-guesses"),
    )


def _table(layers: Layers, vocabulary: tuple[str, ...]) -> Table:
    header = ["layer", "token", "probability", "rank", "entropy_bits"]
    return header, [
        (layer_number(layer), vocabulary[token], one.probability(token), rank + 1, one.entropy)
        for layer, one in enumerate(layers)
        for rank, token in enumerate(one.top(state.TOP.value))
    ]


VIEW: Final = View(
    "layers",
    "Layer by layer",
    (*state.MASKED_TEXT, state.LENS_WORD),
    inputs.of_masked_text(figure),
    inputs.masks_display,
)
