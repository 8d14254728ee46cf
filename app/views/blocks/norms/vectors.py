"""LayerNorm, RMSNorm and DeepNorm on the vectors of the reader's own sentence."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.token_row import Chip, token_row
from app.services import blocks, engine
from app.style.markdown_escape import plain
from app.ui import model_picker, params, progress
from app.ui.export_bar import Export
from app.views.blocks import state
from app.views.blocks.state import PAGE, TEXT, get, key, put
from core.blocks.norms import (
    EPSILON,
    deep_norm,
    deep_norm_constants,
    divided_by_root_sigma,
    layer_norm,
    rms_norm,
    vector_size,
)
from core.catalog import Family
from core.trace.residual_stream import Part, Sublayer

FAMILIES: Final = (Family.TEXT_ENCODER, Family.TEXT_DECODER)
OWN: Final = "model's"  # the norm that the model computed
PARTS: Final = {"attention": "after attention", "mlp": "after feed-forward"}

LAYER: Final = params.number("nlayer", 0, 99, 2)
PART: Final = params.choice("sub", list(PARTS))
TOKEN: Final = params.number("token", 0, 511, 2)
PARAMS: Final = (LAYER, PART, TOKEN)


def render() -> Export | None:
    """Trace the sentence, choose a token and a sublayer, norm its vector three ways."""
    left, right = st.columns([6, 4], vertical_alignment="bottom")
    with right:
        card = model_picker.choose_model(state, FAMILIES)
    with left:
        text = st.text_input("Sentence", key=key(TEXT), max_chars=300)
    loaded = progress.outcome(engine.loaded_card(card.id), card.id)
    trace = progress.outcome(blocks.block_trace(card.id, text)[1], card.id)
    if loaded is None or trace is None:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        put(LAYER, min(get(LAYER), loaded.layers - 1))
        st.slider("layer", 0, loaded.layers - 1, key=key(LAYER), width=260)
        st.segmented_control(
            "Sublayer", list(PARTS), format_func=PARTS.__getitem__, key=key(PART), required=True
        )
    token = _token(trace.tokens)
    sublayer = trace.block(get(LAYER)).sublayer(Part(get(PART)))
    caption = (
        f"{loaded.title}, layer {get(LAYER)}, {PARTS[get(PART)]}, token {token} "
        f"“{trace.tokens[token]}” of “{text[:120]}”"
    )
    raw, normed = _vectors(sublayer, token, loaded.layers)
    figure = _strips(raw, "Before the norm", caption)
    heat_map(figure, key=f"{PAGE}.raw")
    heat_map(_strips(normed, "After it", caption), key=f"{PAGE}.normed")
    _numbers(raw | normed)
    if sublayer.pre_norm:
        st.caption(
            f"{plain(loaded.title)} is a pre-norm model: it norms x before the sublayer, so its "
            "own norm is LayerNorm (or RMSNorm) of x, and the sum goes on unnormed."
        )
    _about(loaded.layers)
    return Export(
        name="norms",
        caption=caption,
        table=lambda: (
            ("dimension", *raw, *normed),
            (
                (number + 1, *values)
                for number, values in enumerate(
                    np.stack([*raw.values(), *normed.values()], axis=1).tolist()
                )
            ),
        ),
        arrays=lambda: {name.replace(" ", "_"): vector for name, vector in (raw | normed).items()},
        offline=("heat_map", lambda: heat_map_frame(figure)),
    )


def _token(tokens: tuple[str, ...]) -> int:
    """The chosen token; a click on another one chooses it."""
    chosen = min(get(TOKEN), len(tokens) - 1)
    chips = tuple(
        Chip(token, state="lit" if number == chosen else "plain")
        for number, token in enumerate(tokens)
    )
    clicked = token_row(chips, label="Tokens: click one", key=f"{PAGE}.tokens")
    if clicked is not None and clicked != chosen:
        put(TOKEN, clicked)
        st.rerun()
    return chosen


def _vectors(
    sublayer: Sublayer, token: int, layers: int
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """What goes into the norm, and what each norm makes of the sum."""
    x, f = sublayer.received[token], sublayer.output[token]
    total = x + f
    raw = {"x": x, "f(x)": f, "x+f(x)": total}
    normed = {
        "LayerNorm": layer_norm(total),
        "RMSNorm": rms_norm(total),
        "DeepNorm": deep_norm(x, f, alpha=deep_norm_constants(layers).alpha),
        OWN: sublayer.normed[token],
    }
    return raw, normed


def _strips(vectors: dict[str, np.ndarray], title: str, caption: str) -> HeatMap:
    values = np.stack(list(vectors.values()))
    return HeatMap(
        values, tuple(vectors),
        tuple(str(number + 1) for number in range(values.shape[1])), label=title, title=title,
        caption=caption, cell=(20.0, 22.0), limit=float(np.quantile(np.abs(values), 0.995)),
    )  # fmt: skip


def _numbers(vectors: dict[str, np.ndarray]) -> None:
    rows = vectors | {"÷ √σ, a slip": divided_by_root_sigma(vectors["x+f(x)"])}
    sizes = [vector_size(row) for row in rows.values()]
    st.dataframe(
        {
            "vector": list(rows),
            "mean": [f"{one.mean:.3g}" for one in sizes],
            "standard deviation σ": [f"{one.deviation:.3g}" for one in sizes],
            "RMS": [f"{one.rms:.3g}" for one in sizes],
            "largest component": [f"{one.largest:.3g}" for one in sizes],
            "… in dimension": [one.place + 1 for one in sizes],
        },
        hide_index=True,
    )


def _about(layers: int) -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\begin{aligned}\mathrm{LayerNorm}(x)&=g\odot"
            r"\frac{x-\mu}{\sqrt{\sigma^2+\varepsilon}}+b\\"
            r"\mathrm{RMSNorm}(x)&=g\odot"
            r"\frac{x}{\sqrt{\frac1d\sum x_i^2+\varepsilon}}\end{aligned}"
        )
        st.markdown(
            "[Ba, Kiros & Hinton 2016](https://arxiv.org/abs/1607.06450), equation 4; "
            "[Zhang & Sennrich 2019](https://arxiv.org/abs/1910.07467). The first three are drawn "
            f"with gain $g$ = 1, bias $b$ = 0 and ε = {EPSILON:g}; the model's own has what it "
            "learned. RMSNorm leaves the mean where it is. The colour scale ends where 99.5 % of "
            "the components lie; hover reads the exact value."
        )
    with right:
        st.latex(r"\mathrm{DeepNorm}:\ \mathrm{LayerNorm}(\alpha x+f(x)),\quad\alpha=(2N)^{1/4}")
        st.markdown(
            f"[Wang et al. 2022](https://arxiv.org/abs/2203.00555); N = {layers} layers here, so "
            f"α = {deep_norm_constants(layers).alpha:.3g}: x keeps more of its say against f(x). "
            "Counterfactual: this model was not trained with it."
        )
        st.markdown(
            "**A slip to know:** slides that divide by √σ, the root of the standard deviation, "
            "leave a deviation of √σ (last row). LayerNorm divides by σ = √variance."
        )
