"""Every matrix of a Transformer, counted, beside what its paper prints."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app import figures, links
from app.plain import plain
from app.quantities import large
from app.views.blocks.cost.words import about_parameters
from app.views.blocks.exports import Export
from app.views.blocks.state import PAGE, get, key, put
from core.blocks.parameters import LARGEST, PRESETS, Matrix, Preset, Shape, matrices
from core.errors import InputError

FAMILIES: Final = {
    "encoder": "encoder (BERT)",
    "decoder": "decoder (GPT)",
    "encoder-decoder": "encoder and decoder (Transformer)",
    "t5": "encoder and decoder (T5)",
    "vision": "vision (ViT)",
}
FIRST: Final = PRESETS["bert"].shape

MODEL = links.choice("shape", list(PRESETS), "bert")
FAMILY = links.choice("family", list(FAMILIES))
LAYERS = links.number("pn", 1, LARGEST, FIRST.layers)
D_MODEL = links.number("pd", 1, LARGEST, FIRST.d_model)
D_FF = links.number("pff", 1, LARGEST, FIRST.d_ff)
HEADS = links.number("pheads", 1, LARGEST, FIRST.heads)
D_HEAD = links.number("pdk", 1, LARGEST, FIRST.d_head)
VOCABULARY = links.number("pv", 1, LARGEST, FIRST.vocabulary)
POSITIONS = links.number("ppos", 0, LARGEST, FIRST.positions)
PATCH_SIZE = links.number("ppatch", 0, 1024, 0)
BIAS = links.choice("pbias", ["1", "0"])
FIELDS: Final = {
    LAYERS: "layers N", D_MODEL: "d_model", D_FF: "d_ff", HEADS: "heads h", D_HEAD: "d_k = d_v",
    VOCABULARY: "vocabulary", POSITIONS: "positions",
}  # fmt: skip
PARAMS: Final = (MODEL, FAMILY, *FIELDS, PATCH_SIZE, BIAS)


def render() -> Export | None:
    """A model or numbers of one's own; bars by part; every matrix."""
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
        figures.show(figure, key=f"{PAGE}.parameters", name="parameters", caption=caption)
    with right:
        _matrices(found, total)
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
    for column, (param, label) in zip(st.columns(len(FIELDS)), FIELDS.items(), strict=True):
        with column:
            lowest = 0 if param is POSITIONS else 1
            words = "classes" if param is VOCABULARY and get(FAMILY) == "vision" else label
            st.number_input(words, lowest, LARGEST, key=key(param))


def _take_preset() -> None:
    shape = PRESETS[get(MODEL)].shape
    values = (
        shape.layers, shape.d_model, shape.d_ff, shape.heads, shape.d_head, shape.vocabulary,
        shape.positions,
    )  # fmt: skip
    for param, value in zip(FIELDS, values, strict=True):
        put(param, value)
    put(FAMILY, shape.family)
    put(PATCH_SIZE, shape.patch)
    put(BIAS, "1" if shape.attention_bias else "0")


def _shape() -> Shape:
    numbers = [int(get(param)) for param in FIELDS]
    vision = get(FAMILY) == "vision"
    patch = (get(PATCH_SIZE) or PRESETS["vit"].shape.patch) if vision else 0
    return Shape(get(FAMILY), *numbers, patch=patch, attention_bias=get(BIAS) == "1")


def _sum(total: int, shape: Shape, preset: Preset) -> None:
    columns = st.columns([2, 2, 2, 4], vertical_alignment="center")
    columns[0].metric("Parameters", f"{total:,}")
    columns[1].metric("In float32", large(4 * total, "B"), help="4 bytes each")
    if shape != preset.shape:
        columns[3].caption(f"Changed from {preset.title}: no published figure to compare with.")
        return
    difference = total / (1e6 * preset.published) - 1
    ours = f"ours {difference:+.1%}".replace("-", "−")
    columns[2].metric(
        "Published", f"{preset.published:,} M", ours, delta_color="off", delta_arrow="off"
    )
    columns[3].caption(f"{preset.paper}. {plain(preset.why)}")


def _bars(found: tuple[Matrix, ...], total: int):
    parts: dict[str, int] = {}
    for matrix in found:
        parts[matrix.part] = parts.get(matrix.part, 0) + matrix.count
    return figures.bars(
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
