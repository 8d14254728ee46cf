"""Figure 1 of Vaswani et al. 2017 as boxes and arrows, with one model's real shapes.

Post-LN models have their norm above each sublayer, as in the paper; pre-LN models below it.
"""

from dataclasses import dataclass
from itertools import pairwise

from app.components.diagram import Arrow, Box, Diagram
from core.outputs.decoding import Machine, Positions
from core.trace import AttentionKind
from core.trace.residual_stream import Part

WIDTH, HEIGHT = 16.4, 14.25
BOX_WIDTH, BOX_HEIGHT = 5.4, 1.05
LEFT = {AttentionKind.ENCODER: 1.0, AttentionKind.DECODER: 9.9}  # of the stacks' boxes
ROWS = {  # upper edges
    "softmax": 0.05, "linear": 1.3,
    "mlp.2": 2.9, "mlp.1": 4.1, "cross.2": 5.45, "cross.1": 6.65,
    "attention.2": 8.0, "attention.1": 9.2, "positions": 10.95, "embed": 12.05, "tokens": 13.15,
}  # fmt: skip
LOWERED = {"mlp": "cross", "attention": "attention"}  # the encoder has no cross-attention row
TITLES = {
    (AttentionKind.ENCODER, Part.ATTENTION): "Self-attention",
    (AttentionKind.DECODER, Part.ATTENTION): "Masked self-attention",
    (AttentionKind.DECODER, Part.CROSS): "Encoder–decoder attention",
    (AttentionKind.ENCODER, Part.MLP): "Feed-forward",
    (AttentionKind.DECODER, Part.MLP): "Feed-forward",
}
HUES = {Part.ATTENTION: None, Part.CROSS: "cross", Part.MLP: "value"}
SHORT = {AttentionKind.ENCODER: "enc", AttentionKind.DECODER: "dec"}


@dataclass(frozen=True)
class Chosen:
    """What a box stands for."""

    stack: AttentionKind
    name: str  # tokens, embed, positions, attention, cross, mlp, linear, softmax
    norm: bool = False


def read_id(box: str) -> Chosen:
    """ "dec.cross.norm" → decoder, cross, norm."""
    parts = box.split(".")
    stack = AttentionKind.ENCODER if parts[0] == "enc" else AttentionKind.DECODER
    return Chosen(stack, parts[1], norm=parts[-1] == "norm")


def figure_one(built: Machine, layer: int, caption: str) -> Diagram:
    """The drawing; `layer` is named in the frame's tips."""
    pre_norm = built.decoding.trace.block(0, AttentionKind.DECODER).pre_norm
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for stack in (AttentionKind.ENCODER, AttentionKind.DECODER):
        boxes.append(_frame(built, stack, layer))
        boxes += _input_boxes(built, stack)
        arrows += _input_arrows(stack)
        for part in _parts(stack):
            boxes += _sublayer(built, stack, part, pre_norm=pre_norm)
            arrows += _residual(stack, part)
        arrows += _between(stack)
    boxes += _output_boxes(built)
    arrows += _memory_arrows()
    return Diagram(
        boxes=tuple(boxes),
        arrows=tuple(arrows),
        width=WIDTH,
        height=HEIGHT,
        label="The Transformer: encoder left, decoder right. Click a part to see its numbers.",
        caption=caption,
    )


def _parts(stack: AttentionKind) -> tuple[Part, ...]:
    if stack == AttentionKind.ENCODER:
        return Part.ATTENTION, Part.MLP
    return Part.ATTENTION, Part.CROSS, Part.MLP


def _row(stack: AttentionKind, part: Part, place: int) -> float:
    name = LOWERED[part] if stack == AttentionKind.ENCODER else part
    return ROWS[f"{name}.{place}"]


def _centre(stack: AttentionKind) -> float:
    return LEFT[stack] + BOX_WIDTH / 2


def _frame(built: Machine, stack: AttentionKind, layer: int) -> Box:
    layers = built.decoding.trace.n_layers(stack)
    top = _row(stack, Part.MLP, 2) - 0.25
    bottom = ROWS["attention.1"] + BOX_HEIGHT + 0.3
    return Box(
        f"{SHORT[stack]}.layer",
        "",
        LEFT[stack] - 0.8,
        top,
        BOX_WIDTH + 1.6,
        bottom - top,
        sub=f"{layers} ×",
        dashed=True,
        tip=(f"{stack}: {layers} layers, one after the other", f"shown: layer {layer}"),
    )


def _input_boxes(built: Machine, stack: AttentionKind) -> list[Box]:
    trace, sizes = built.decoding.trace, built.profile
    count = len(trace.tokens if stack == AttentionKind.ENCODER else trace.target_tokens)
    name = "Source" if stack == AttentionKind.ENCODER else "Target so far"
    scale = f" × √{sizes.d_model}" if sizes.scale != 1 else ", not scaled"
    added = {
        Positions.SINUSOIDAL: ("+ Positions (sinusoidal)", f"({count}, {sizes.d_model})"),
        Positions.LEARNED: ("+ Positions (learned)", f"({count}, {sizes.d_model})"),
        Positions.RELATIVE: ("No positions added", "a bias on the scores instead"),
    }[sizes.positions]
    short = SHORT[stack]
    return [
        _box(f"{short}.tokens", f"{name}: {count} tokens", stack, "tokens"),
        _box(
            f"{short}.embed",
            "Embedding" + scale,
            stack,
            "embed",
            sub=f"({sizes.vocabulary:,}, {sizes.d_model}) → ({count}, {sizes.d_model})",
        ),
        _box(f"{short}.positions", added[0], stack, "positions", sub=added[1]),
    ]


def _box(
    name: str,
    text: str,
    stack: AttentionKind,
    row: str,
    *,
    sub: str = "",
    hue: str | None = None,
) -> Box:
    return Box(name, text, LEFT[stack], ROWS[row], BOX_WIDTH, BOX_HEIGHT, sub=sub, hue=hue)


def _sublayer(built: Machine, stack: AttentionKind, part: Part, *, pre_norm: bool) -> list[Box]:
    sizes, trace = built.profile, built.decoding.trace
    rows = len(trace.tokens if stack == AttentionKind.ENCODER else trace.target_tokens)
    sub = {
        Part.MLP: f"{sizes.d_model} → {sizes.d_ff} → {sizes.d_model}, {sizes.activation}",
        Part.CROSS: f"{sizes.heads} heads; keys, values: encoder",
        Part.ATTENTION: f"{sizes.heads} heads, d_k {sizes.d_head}",
    }[part]
    name = f"{SHORT[stack]}.{part}"
    hue = HUES[part] or str(stack)
    inner, outer = (2, 1) if pre_norm else (1, 2)
    x = LEFT[stack]
    shape = f"({rows}, {sizes.d_model})"
    norm = ("LayerNorm", shape) if pre_norm else ("Add & LayerNorm", shape)
    return [
        Box(
            name,
            TITLES[stack, part],
            x,
            _row(stack, part, inner),
            BOX_WIDTH,
            BOX_HEIGHT,
            sub=sub,
            hue=hue,
        ),
        Box(
            f"{name}.norm",
            norm[0],
            x,
            _row(stack, part, outer),
            BOX_WIDTH,
            BOX_HEIGHT,
            sub=norm[1],
        ),
    ]


def _output_boxes(built: Machine) -> list[Box]:
    sizes, count = built.profile, len(built.decoding.labels)
    stack = AttentionKind.DECODER
    tied = ", Eᵀ" if sizes.tied else ""
    last = "LayerNorm, " if built.decoding.trace.block(0, stack).pre_norm else ""
    return [
        _box(
            "dec.linear",
            f"{last}Linear{tied}",
            stack,
            "linear",
            sub=f"({count}, {sizes.d_model}) → ({count}, {sizes.vocabulary:,})",
        ),
        _box("dec.softmax", "Softmax", stack, "softmax", sub="probability of every next token"),
    ]


def _input_arrows(stack: AttentionKind) -> list[Arrow]:
    x = _centre(stack)
    steps = (("tokens", "embed"), ("embed", "positions"))
    return [Arrow(((x, ROWS[low]), (x, ROWS[high] + BOX_HEIGHT))) for low, high in steps]


def _residual(stack: AttentionKind, part: Part) -> list[Arrow]:
    """Around the pair of boxes, on the outer side."""
    upper, lower = _row(stack, part, 2), _row(stack, part, 1)
    x, below = _centre(stack), lower + BOX_HEIGHT + 0.15
    is_encoder = stack == AttentionKind.ENCODER
    edge = LEFT[stack] if is_encoder else LEFT[stack] + BOX_WIDTH
    side = edge - 0.45 if is_encoder else edge + 0.45
    middle = upper + BOX_HEIGHT / 2
    return [
        Arrow(((x, below), (side, below), (side, middle), (edge, middle))),
        Arrow(((x, lower), (x, upper + BOX_HEIGHT))),
    ]


def _between(stack: AttentionKind) -> list[Arrow]:
    """From below into each sublayer, and out of the stack."""
    x = _centre(stack)
    ups = [(ROWS["positions"], _row(stack, Part.ATTENTION, 1))]
    parts = _parts(stack)
    ups += [(_row(stack, low, 2), _row(stack, high, 1)) for low, high in pairwise(parts)]
    if stack == AttentionKind.DECODER:
        ups += [(ROWS["mlp.2"], ROWS["linear"]), (ROWS["linear"], ROWS["softmax"])]
    return [Arrow(((x, low), (x, high + BOX_HEIGHT))) for low, high in ups]


def _memory_arrows() -> list[Arrow]:
    """The encoder's output to the keys and values of every decoder layer."""
    x, target = _centre(AttentionKind.ENCODER), LEFT[AttentionKind.DECODER]
    top, middle = _row(AttentionKind.ENCODER, Part.MLP, 2), (LEFT[AttentionKind.DECODER] - 1.15)
    cross = ROWS["cross.1"] + BOX_HEIGHT / 2
    points = ((x, top), (x, top - 0.65), (middle, top - 0.65), (middle, cross), (target, cross))
    return [Arrow(points)]
