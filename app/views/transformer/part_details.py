"""The part of Figure 1 that was clicked: its numbers for this sentence."""

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip, token_row
from app.services import text_maps, translator
from app.style.worked import step
from app.ui.data_table import data_table
from app.ui.options import one_of
from app.ui.page import go
from app.views.transformer.figure_one import TITLES, Chosen
from app.views.transformer.state import HERE, KIND, TOKEN
from core.catalog import ModelCard
from core.outputs.decoding import InputSum, Machine, Positions
from core.trace import AttentionKind, Encoding
from core.trace.residual_stream import Part, Sublayer

STACKS = {AttentionKind.ENCODER: "encoder", AttentionKind.DECODER: "decoder"}


def show(built: Machine, chosen: Chosen, layer: int, card: ModelCard) -> None:
    """What the box computed."""
    if chosen.name in ("tokens", "layer"):
        _tokens(built, chosen.stack)
    elif chosen.name in ("embed", "positions"):
        _inputs(built, chosen)
    elif chosen.name in ("linear", "softmax"):
        _output(built, chosen.name)
    else:
        _sublayer(built, chosen, layer, card)


def rows_of(built: Machine, stack: AttentionKind) -> Encoding:
    """What a stack's rows stand for."""
    found = built.decoding.trace.query_encoding(stack)
    if found is None:
        raise ValueError("a text's trace has encodings")
    return found


def norms_of(one: Sublayer) -> tuple[np.ndarray, ...]:
    """Lengths of x, f, x + f and the normed vectors, one a position."""
    return tuple(_lengths(rows) for rows in (one.received, one.output, one.total, one.normed))


def _lengths(rows: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rows, axis=1)


def _strip(values: np.ndarray, tokens: Encoding, title: str, key: str) -> None:
    """Vectors as rows of one map, all numbers of them."""
    heat_map(
        HeatMap(
            values=values,
            rows=tokens.tokens,
            row_ids=tuple(tokens.ids.tolist()),
            columns=tuple(str(i) for i in range(values.shape[1])),
            label=title,
            caption=title,
            title=title,
            row_title="position",
            column_title="feature",
            height=300,
        ),
        key=HERE.key(f"part.{key}"),
    )


def _tokens(built: Machine, stack: AttentionKind) -> None:
    encoding = rows_of(built, stack)
    st.subheader(f"The {STACKS[stack]}'s tokens")
    pairs = zip(encoding.tokens, encoding.ids.tolist(), strict=True)
    token_row(
        tuple(Chip(token, note=str(number), hue=str(stack)) for token, number in pairs),
        label=f"Tokens of the {STACKS[stack]}, with their ids",
        key=HERE.key("part.tokens"),
        clickable=False,
        caption=f"Tokens of the {STACKS[stack]}",
    )
    if stack == AttentionKind.DECODER:
        st.markdown(
            "The target is shifted right: a start token stands first, and position i is to predict "
            "what position i + 1 is fed."
        )


def _inputs(built: Machine, chosen: Chosen) -> None:
    one, sizes = built.inputs[chosen.stack], built.profile
    tokens = rows_of(built, chosen.stack)
    if chosen.name == "embed":
        _embedding(one, tokens, sizes.d_model)
    elif one.positions is None:
        st.subheader("No positions are added")
        st.markdown(
            "T5 knows order by a learned bias on the scores of self-attention, one number for "
            "each head and distance (Raffel et al. 2020, section 2.1). Layer 0, head 0:"
        )
        _bias(built, chosen.stack, tokens)
    else:
        _positions(one, tokens, sizes.positions)


def _embedding(one: InputSum, tokens: Encoding, d_model: int) -> None:
    st.subheader("Token embeddings")
    lengths = _lengths(one.embeddings)
    mean = float(lengths.mean())
    (before,), after = step([mean], mean * one.scale, lambda length: length * one.scale)
    scaled = (
        f"× √{d_model} = {one.scale:g}: lengths become {after} on "
        "average, so that the positions added next do not drown them "
        "(Vaswani et al. 2017, section 3.4)."
        if one.scale != 1
        else "This model does not scale them by √d_model, as the paper does."
    )
    st.markdown(f"Rows of the table E, {before} long on average. {scaled}")
    values = one.embeddings * np.float32(one.scale)
    _strip(values, tokens, f"embeddings × {one.scale:g}", "embed")


def _positions(one: InputSum, tokens: Encoding, kind: Positions) -> None:
    if one.positions is None:
        return
    st.subheader("Positions")
    _strip(one.positions, tokens, "positions", "positions")
    halves = "Left half sines, right half cosines; wavelengths grow from 2π to 20,000π. "
    off = float(np.abs(one.total - one.result).max())
    added = (
        "The sum then goes through a LayerNorm before the first layer."
        if one.normed
        else f"embeddings × {one.scale:g} + positions is what the first layer receives: the "
        f"largest difference from the model's own is {off:.2g}."
    )
    st.markdown(
        (halves if kind == Positions.SINUSOIDAL else "")
        + f"Lengths: positions {_lengths(one.positions).mean():.3g}, scaled embeddings "
        f"{_lengths(one.embeddings * np.float32(one.scale)).mean():.3g}, the sum "
        f"{_lengths(one.total).mean():.3g}. {added}"
    )


def _bias(built: Machine, stack: AttentionKind, tokens: Encoding) -> None:
    attention = built.decoding.trace.attention(0, kind=stack)
    if attention.bias is None:
        return
    allowed = attention.allowed()
    shape = (attention.n_heads, len(tokens.tokens), len(tokens.tokens))
    bias = np.where(allowed, np.broadcast_to(attention.bias, shape)[0], 0).astype(np.float32)
    heat_map(
        HeatMap(
            values=bias,
            rows=tokens.tokens,
            columns=tokens.tokens,
            row_ids=tuple(tokens.ids.tolist()),
            column_ids=tuple(tokens.ids.tolist()),
            label="Relative position bias",
            title="bias on the scores",
            hidden=~allowed,
            height=320,
        ),
        key=HERE.key("part.bias"),
    )


def _sublayer(built: Machine, chosen: Chosen, layer: int, card: ModelCard) -> None:
    trace = built.decoding.trace
    layer = min(layer, trace.n_layers(chosen.stack) - 1)
    part = Part(chosen.name)
    one = trace.block(layer, chosen.stack).sublayer(part)
    tokens = rows_of(built, chosen.stack)
    title = TITLES[chosen.stack, part]
    if chosen.norm:
        _norm(one, tokens, f"{title}, layer {layer}")
        return
    st.subheader(f"{title}, layer {layer}")
    if part == Part.MLP:
        sizes = built.profile
        st.latex(r"\mathrm{FFN}(x)=\sigma(xW_1+b_1)\,W_2+b_2")
        st.markdown(
            f"At every position by itself: {sizes.d_model} → {sizes.d_ff} → {sizes.d_model}, "
            f"σ = {sizes.activation}. What it adds to the stream is "
            f"{_lengths(one.output).mean():.3g} long; the stream it is added to "
            f"{_lengths(one.received).mean():.3g}."
        )
    else:
        kind = AttentionKind.CROSS if part == Part.CROSS else chosen.stack
        _attention(built, kind, layer, card)
        st.markdown(
            f"Through $W^O$ it adds vectors {_lengths(one.output).mean():.3g} long to a stream "
            f"that is {_lengths(one.received).mean():.3g} long."
        )
    _strip(one.output, tokens, f"f(x): what the sublayer adds, {one.output.shape}", "output")


def _attention(built: Machine, kind: AttentionKind, layer: int, card: ModelCard) -> None:
    trace = built.decoding.trace
    attention = trace.attention(layer, kind=kind)
    rows, columns = text_maps.encodings(trace, kind)
    heat_map(
        HeatMap(
            values=translator.maps(trace, kind, layer, -1),
            rows=rows.tokens,
            columns=columns.tokens,
            row_ids=tuple(rows.ids.tolist()),
            column_ids=tuple(columns.ids.tolist()),
            label=f"{kind} attention of layer {layer}, mean of its heads",
            caption=f"{card.title}, {kind} attention of layer {layer}, mean of its heads",
            title=f"weights, mean of {attention.n_heads} heads",
            scale="sequential",
            hue=str(kind),
            hidden=~attention.allowed(),
            height=330,
        ),
        key=HERE.key(f"part.{kind}"),
    )
    if st.button("One head, step by step", icon=":material/arrow_forward:"):
        KIND.put(str(kind))
        go("transformer", "heads")


def _norm(one: Sublayer, tokens: Encoding, title: str) -> None:
    st.subheader(f"Residual and LayerNorm: {title}")
    received, output, total, normed = norms_of(one)
    st.latex(r"\mathrm{LN}(v)=g\odot\frac{v-\mu}{\sqrt{\sigma^2+\epsilon}}+b" if one.part else "")
    order = ("‖x‖", "‖LN(x)‖ (f reads it)", "‖f‖", "‖x + f‖ (passed on)")
    columns = (received, normed, output, total)
    if not one.pre_norm:
        order = ("‖x‖", "‖f(x)‖", "‖x + f(x)‖ before", "‖LN(x + f(x))‖ after")
        columns = (received, output, total, normed)
    data_table(
        {"token": list(tokens.tokens)}
        | {name: np.round(column, 3) for name, column in zip(order, columns, strict=True)},
        height=min(420, 38 + 35 * len(tokens.tokens)),
    )
    st.markdown(
        "Lengths (Euclidean norms) at every position. "
        + (
            "Pre-LN: the stream itself is never normed, so it grows."
            if one.pre_norm
            else f"Post-LN: the sums are {total.min():.3g} to {total.max():.3g} long, and the norm "
            f"brings them to {normed.min():.3g} to {normed.max():.3g}."
        )
    )


def _output(built: Machine, name: str) -> None:
    decoded = built.decoding
    st.subheader("Logits" if name == "linear" else "Probabilities of the next token")
    count = len(decoded.labels)
    fed = decoded.trace.target_tokens
    at = one_of(
        TOKEN,
        st.selectbox,
        "After",
        range(count),
        lambda i: f"{i}: " + " ".join(fed[max(0, i - 6) : i + 1]),  # two may end alike
    )
    row = decoded.candidates[at]
    candidates(
        tuple(
            Candidate(
                one.token,
                one.probability,
                note=f"logit {one.logit:.3g}",
                lit=one.id == int(decoded.label_ids[at]),
                token_id=one.id,
            )
            for one in row
        ),
        label="The most probable next tokens",
        key=HERE.key("part.logits"),
        clickable=False,
        caption="The most probable next tokens",
        hue="decoder",
    )
    tied = (
        "The output matrix is the embedding table itself, transposed (section 3.4): a logit is the "
        "inner product of the last vector with a token's embedding."
        if built.profile.tied
        else "The output matrix is one of its own, not the embedding table."
    )
    st.markdown(f"{decoded.vocabulary:,} logits; softmax turns them into P. {tied}")
