"""Every matrix of a Transformer, counted, beside what its paper prints."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import large
from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.cost.variations import variations
from app.views.blocks.cost.words import about_parameters
from app.views.blocks.state import PAGE, get, key, put
from core.blocks.flops import forward_flops
from core.blocks.parameters import LARGEST, Matrix, Shape, matrices
from core.blocks.published_shapes import PRESETS, Preset
from core.errors import InputError

FAMILIES: Final = {
    "encoder": "encoder (BERT)",
    "decoder": "decoder (GPT)",
    "encoder-decoder": "encoder and decoder (Transformer)",
    "t5": "encoder and decoder (T5)",
    "vision": "vision (ViT)",
}
FIELD_WIDTH: Final = 124  # pixels
FIRST: Final = PRESETS["bert"].shape

MODEL = params.choice("shape", list(PRESETS), "bert")
FAMILY = params.choice("family", list(FAMILIES))
LAYERS = params.number("pn", 1, LARGEST, FIRST.layers)
D_MODEL = params.number("pd", 1, LARGEST, FIRST.d_model)
D_FF = params.number("pff", 1, LARGEST, FIRST.d_ff)
HEADS = params.number("pheads", 1, LARGEST, FIRST.heads)
D_HEAD = params.number("pdk", 1, LARGEST, FIRST.d_head)
D_VALUE = params.number("pdv", 1, LARGEST, FIRST.d_head)
VOCABULARY = params.number("pv", 1, LARGEST, FIRST.vocabulary)
POSITIONS = params.number("ppos", 0, LARGEST, FIRST.positions)
PATCH_SIZE = params.number("ppatch", 0, 1024, 0)
BIAS = params.choice("pbias", ["1", "0"])
LENGTH = params.number("pseq", 1, LARGEST, 512)
FIELDS: Final = {
    LAYERS: "layers N", D_MODEL: "d_model", D_FF: "d_ff", HEADS: "heads h", D_HEAD: "d_k",
    D_VALUE: "d_v", VOCABULARY: "vocabulary", POSITIONS: "positions",
}  # fmt: skip
PARAMS: Final = (MODEL, FAMILY, *FIELDS, PATCH_SIZE, BIAS, LENGTH)


def render() -> Export | None:
    """A model or numbers of one's own; bars by part; every matrix."""
    _follow_link()
    _controls()
    try:
        shape = _shape()
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    found = matrices(shape)
    total = sum(matrix.count for matrix in found)
    preset = PRESETS[get(MODEL)]
    name = preset.title if shape == preset.shape else "a shape of your own"
    caption = f"{name}: {total:,} parameters"
    _sum(total, shape, preset)
    figure = _bars(found, total)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        charts.show(figure, key=f"{PAGE}.parameters", name="parameters", caption=caption)
    with right:
        _matrices(found, total)
    variations()
    about_parameters()
    return Export("parameters", caption, lambda: _table(found))


def _controls() -> None:
    first, second, third = st.columns([2, 3, 2], vertical_alignment="bottom")
    with first:
        st.selectbox(
            "Model",
            list(PRESETS),
            format_func=lambda name: PRESETS[name].title,
            key=key(MODEL),
            on_change=_take_preset,
        )
    with second:
        st.selectbox("Family", list(FAMILIES), format_func=FAMILIES.__getitem__, key=key(FAMILY))
    with third:
        st.segmented_control(
            "Biases in attention",
            ["1", "0"],
            format_func={"1": "with", "0": "without"}.__getitem__,
            key=key(BIAS),
            required=True,
        )
    with st.container(horizontal=True):
        for param, label in FIELDS.items():
            lowest = 0 if param is POSITIONS else 1
            words = "classes" if param is VOCABULARY and get(FAMILY) == "vision" else label
            st.number_input(words, lowest, LARGEST, key=key(param), width=FIELD_WIDTH)


def _follow_link() -> None:
    """A link that names a model and no number means the model's own numbers."""
    followed = f"{PAGE}.shape-followed"
    if not st.session_state.get(followed):
        st.session_state[followed] = True
        given = st.query_params
        if MODEL.name in given and not any(param.name in given for param in FIELDS):
            _take_preset()


def _take_preset() -> None:
    shape = PRESETS[get(MODEL)].shape
    values = (
        shape.layers, shape.d_model, shape.d_ff, shape.heads, shape.d_head, shape.d_head,
        shape.vocabulary, shape.positions,
    )  # fmt: skip
    for param, value in zip(FIELDS, values, strict=True):
        put(param, value)
    put(FAMILY, shape.family)
    put(PATCH_SIZE, shape.patch)
    put(BIAS, "1" if shape.attention_bias else "0")


def _shape() -> Shape:
    """The fields' shape. Raises InputError."""
    vision = get(FAMILY) == "vision"
    patch = (get(PATCH_SIZE) or PRESETS["vit"].shape.patch) if vision else 0
    narrow = get(D_VALUE) != get(D_HEAD)
    return Shape(
        get(FAMILY),
        *(int(get(param)) for param in FIELDS if param is not D_VALUE),
        patch=patch,
        attention_bias=get(BIAS) == "1",
        d_value=int(get(D_VALUE)) if narrow else 0,
    )


def _sum(total: int, shape: Shape, preset: Preset) -> None:
    flops = forward_flops(shape, int(get(LENGTH)))
    columns = st.columns([2.2, 1.4, 1.6, 2.2, 3], vertical_alignment="top")
    columns[0].metric("Parameters", f"{total:,}")
    columns[1].metric("In float32", large(4 * total, "B"), help="4 bytes each")
    with columns[3]:
        st.metric(
            "A forward pass", large(sum(flops.values()), "FLOP"), help=" · ".join(
                f"{part}: {large(number, 'FLOP')}" for part, number in flops.items()
            )
        )  # fmt: skip
    with columns[4]:
        if get(FAMILY) != "vision":
            st.number_input("… at a length n of", 1, LARGEST, key=key(LENGTH), width=FIELD_WIDTH)
        square = flops["scores and mixtures"] / sum(flops.values())
        st.caption(f"{square:.1%} of it are the products of n × n: scores and mixtures.")
    if shape != preset.shape:
        st.caption(f"Changed from {preset.title}: no published figure to compare with.")
        return
    difference = total / (1e6 * preset.published) - 1
    ours = f"ours {difference:+.1%}".replace("-", "−")
    columns[2].metric(
        "Published", f"{preset.published:,} M", ours, delta_color="off", delta_arrow="off"
    )
    st.caption(f"{preset.paper}. {plain(preset.why)}")


def _bars(found: tuple[Matrix, ...], total: int):
    parts: dict[str, int] = {}
    for matrix in found:
        parts[matrix.part] = parts.get(matrix.part, 0) + matrix.count
    return charts.bars(
        list(parts),
        np.array(list(parts.values()), dtype=np.float64),
        x_title="parameters",
        notes=[f"{large(count, '')} · {count / total:.1%}" for count in parts.values()],
    )


def _matrices(found: tuple[Matrix, ...], total: int) -> None:
    st.dataframe(
        {
            "part": [matrix.part for matrix in found],
            "matrix": [matrix.name for matrix in found],
            "shape": [" × ".join(f"{side:,}" for side in matrix.shape) for matrix in found],
            "times": [matrix.times for matrix in found],
            "parameters": [matrix.count for matrix in found],
            "share": [f"{matrix.count / total:.2%}" for matrix in found],
        },
        column_config={"parameters": st.column_config.NumberColumn(format="localized")},
        hide_index=True,
        height=420,
    )


def _table(found: tuple[Matrix, ...]) -> tuple[list[str], Iterator[tuple[object, ...]]]:
    rows = (
        (matrix.part, matrix.name, "x".join(map(str, matrix.shape)), matrix.times, matrix.count)
        for matrix in found
    )
    return ["part", "matrix", "shape", "times", "parameters"], rows
