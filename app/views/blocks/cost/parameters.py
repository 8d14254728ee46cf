"""Every matrix of a Transformer, counted, beside what its paper prints."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import large, three
from app.ui import charts
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.input_line import input_line
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.blocks.cost.variations import variations
from core.blocks.flops import forward_flops
from core.blocks.parameters import LARGEST, Family, Matrix, Shape, matrices
from core.blocks.published_shapes import PRESETS, Preset
from core.errors import InputError

FAMILIES: Final[dict[Family, str]] = {
    "encoder": "encoder (BERT)",
    "decoder": "decoder (GPT)",
    "encoder-decoder": "encoder and decoder (Transformer)",
    "t5": "encoder and decoder (T5)",
    "vision": "vision (ViT)",
}
FIELD_WIDTH: Final = 124  # pixels
FIRST: Final = PRESETS["bert"].shape

HERE: Final = Scope("blocks", "cost.parameters")
MODEL: Final = HERE.choice(
    "model", {name: preset.title for name, preset in PRESETS.items()}, "bert"
)
FAMILY: Final = HERE.choice("family", FAMILIES)
LAYERS: Final = HERE.whole("layers", 1, LARGEST, FIRST.layers)
D_MODEL: Final = HERE.whole("d_model", 1, LARGEST, FIRST.d_model)
D_FF: Final = HERE.whole("d_ff", 1, LARGEST, FIRST.d_ff)
HEADS: Final = HERE.whole("heads", 1, LARGEST, FIRST.heads)
D_HEAD: Final = HERE.whole("d_k", 1, LARGEST, FIRST.d_head)
D_VALUE: Final = HERE.whole("d_v", 1, LARGEST, FIRST.d_head)
VOCABULARY: Final = HERE.whole("vocabulary", 1, LARGEST, FIRST.vocabulary)
POSITIONS: Final = HERE.whole("positions", 0, LARGEST, FIRST.positions)
PATCH_SIZE: Final = HERE.whole("patch", 0, 1024, 0)
BIAS: Final = HERE.choice("bias", {"1": "with", "0": "without"})
LENGTH: Final = HERE.whole("length", 1, LARGEST, 512)
FIELDS: Final = {
    LAYERS: "layers N", D_MODEL: "d_model", D_FF: "d_ff", HEADS: "heads h", D_HEAD: "d_k",
    D_VALUE: "d_v", VOCABULARY: "vocabulary", POSITIONS: "positions",
}  # fmt: skip


def render() -> Figure | None:
    """A model or numbers of one's own; the figure."""
    _controls()
    try:
        shape = _shape()
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    return partial(_figure, shape)


def _figure(shape: Shape) -> Export:
    """Bars by part; every matrix."""
    found = matrices(shape)
    total = sum(matrix.count for matrix in found)
    preset = PRESETS[MODEL.value]
    name = preset.title if shape == preset.shape else "a shape of your own"
    caption = f"{name}: {total:,} parameters"
    figure = _bars(found, total)
    answer(_answered(name, found, total, forward_flops(shape, LENGTH.value)))
    left, right = st.columns([5, 6], gap="medium")
    with left:
        charts.show(figure, key=HERE.key("parameters"), name="parameters", caption=caption)
    with right:
        _matrices(found, total)
    _sum(total, shape, preset)
    variations()
    return Export("parameters", caption, lambda: _table(found))


def _controls() -> None:
    sizes = (LAYERS, D_MODEL, D_FF, HEADS)
    with input_line(MODEL.names[MODEL.value], *(f"{FIELDS[p]} {p.value:,}" for p in sizes)):
        MODEL.selectbox("Model", on_change=_take_preset)
        FAMILY.selectbox("Family")
        with st.container(horizontal=True):
            for param, label in FIELDS.items():
                words = "classes" if param is VOCABULARY and FAMILY.value == "vision" else label
                param.number_input(words, width=FIELD_WIDTH)
        BIAS.segmented("Biases in attention")


def follow_link(link: Mapping[str, str]) -> None:
    """A link that names a model and no number means the model's own numbers."""
    entered = MODEL.key in st.session_state  # by a link of this part
    if entered and MODEL.name in link and not any(param.name in link for param in FIELDS):
        _take_preset()


def _take_preset() -> None:
    shape = PRESETS[MODEL.value].shape
    values = (
        shape.layers, shape.d_model, shape.d_ff, shape.heads, shape.d_head, shape.d_head,
        shape.vocabulary, shape.positions,
    )  # fmt: skip
    for param, value in zip(FIELDS, values, strict=True):
        param.put(value)
    FAMILY.put(shape.family)
    PATCH_SIZE.put(shape.patch)
    BIAS.put("1" if shape.attention_bias else "0")


def _shape() -> Shape:
    """The fields' shape. Raises InputError."""
    vision = FAMILY.value == "vision"
    patch = (PATCH_SIZE.value or PRESETS["vit"].shape.patch) if vision else 0
    narrow = D_VALUE.value != D_HEAD.value
    return Shape(
        FAMILY.value,
        *(param.value for param in FIELDS if param is not D_VALUE),
        patch=patch,
        attention_bias=BIAS.value == "1",
        d_value=D_VALUE.value if narrow else 0,
    )


def _sum(total: int, shape: Shape, preset: Preset) -> None:
    flops = forward_flops(shape, LENGTH.value)
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
        if FAMILY.value != "vision":
            LENGTH.number_input("… at a length n of", width=FIELD_WIDTH)
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


def _answered(name: str, found: tuple[Matrix, ...], total: int, flops: Mapping[str, float]) -> str:
    """All of them, where most are, and what a forward pass takes, in Markdown."""
    parts = _parts(found)
    most = max(parts, key=parts.__getitem__)
    return (
        f"{plain(name)} has **{total:,}** parameters, **{three(100 * parts[most] / total)} %** of "
        f"them in its {most}; a forward pass takes **{large(sum(flops.values()), 'FLOP')}**."
    )


def _parts(found: tuple[Matrix, ...]) -> dict[str, int]:
    parts: dict[str, int] = {}
    for matrix in found:
        parts[matrix.part] = parts.get(matrix.part, 0) + matrix.count
    return parts


def _bars(found: tuple[Matrix, ...], total: int):
    parts = _parts(found)
    return charts.bars(
        list(parts),
        np.array(list(parts.values()), dtype=np.float64),
        x_title="parameters",
        notes=[f"{large(count, '')} · {count / total:.1%}" for count in parts.values()],
    )


def _matrices(found: tuple[Matrix, ...], total: int) -> None:
    data_table(
        {
            "part": [matrix.part for matrix in found],
            "matrix": [matrix.name for matrix in found],
            "shape": [" × ".join(f"{side:,}" for side in matrix.shape) for matrix in found],
            "times": [matrix.times for matrix in found],
            "parameters": [matrix.count for matrix in found],
            "share": [f"{matrix.count / total:.2%}" for matrix in found],
        },
        column_config={"parameters": st.column_config.NumberColumn(format="localized")},
        height=420,
    )


def _table(found: tuple[Matrix, ...]) -> tuple[list[str], Iterator[tuple[object, ...]]]:
    rows = (
        (matrix.part, matrix.name, "x".join(map(str, matrix.shape)), matrix.times, matrix.count)
        for matrix in found
    )
    return ["part", "matrix", "shape", "times", "parameters"], rows


VIEW: Final = View(
    "parameters", "Parameters", (MODEL, FAMILY, *FIELDS, PATCH_SIZE, BIAS, LENGTH), render
)
