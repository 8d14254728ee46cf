"""What fine-tuning adds to an encoder, as shapes and as a drawing; no Streamlit here.

Devlin et al. 2019, figure 4, https://arxiv.org/abs/1810.04805.
"""

from dataclasses import dataclass

from app.components.diagram import Arrow, Box, Diagram
from core.catalog import ModelCard

MOST_DRAWN = 9  # tokens; the others are an ellipsis
WIDE, GAP = 2.0, 0.3  # of a token's box, in units of the grid


@dataclass(frozen=True, slots=True)
class Attachment:
    """The layer that a task adds."""

    name: str
    reads: str  # which of the encoder's outputs
    formula: str  # LaTeX
    weights: str  # its shape in words
    parameters: int
    result: str


def attachment(task: str, d_model: int, labels: int) -> Attachment:
    """A task's new layer for an encoder of this width, biases included."""
    match task:
        case "tagging":
            return Attachment(
                "a classifier on every token",
                "T₁ … T_N, of each word the first piece",
                r"p(\text{tag}\mid i)=\mathrm{softmax}(W T_i+b)",
                f"W: {labels} × {d_model}, b: {labels}",
                labels * d_model + labels,
                f"{labels} probabilities a word",
            )
        case "answer":
            return Attachment(
                "a start vector S and an end vector E",
                "T of every token of the passage",
                r"P_i=\mathrm{softmax}_i(S\cdot T_i)\qquad Q_j=\mathrm{softmax}_j(E\cdot T_j)",
                f"S and E: 2 × {d_model}, and 2 biases",
                2 * d_model + 2,
                "the best span i ≤ j",
            )
        case _:
            return Attachment(
                "a classifier on [CLS]",
                "C alone, through the pooler",
                r"p(\text{class})=\mathrm{softmax}(W C+b)",
                f"W: {labels} × {d_model}, b: {labels}",
                labels * d_model + labels,
                f"{labels} probabilities for the whole input",
            )


def shortened(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The first and the last tokens, an ellipsis between them."""
    if len(tokens) <= MOST_DRAWN:
        return tokens
    half = MOST_DRAWN // 2
    return (*tokens[: half + 1], "…", *tokens[1 - half :])


def drawing(task: str, tokens: tuple[str, ...], card: ModelCard, added: Attachment) -> Diagram:
    """Tokens at the bottom, the encoder, its outputs, the new layer, the answer on top."""
    drawn = shortened(tokens)
    step = WIDE + GAP
    width = len(drawn) * step - GAP
    d_model = card.d_model
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    used = _used(task, drawn)
    middle = [index * step + WIDE / 2 for index in range(len(drawn))]
    span = (middle[used[0]] - WIDE / 2, middle[used[-1]] + WIDE / 2)
    new = Box(
        "added", added.name, span[0], 1.6, max(span[1] - span[0], 4 * WIDE), 1.1,
        sub=added.weights, hue="cross", dashed=True,
        tip=("New: begins random, is trained with the rest", f"{added.parameters:,} numbers"),
    )  # fmt: skip
    boxes.append(Box("result", added.result, new.x, 0, new.w, 0.9, hue="value"))
    arrows.append(Arrow(((new.x + new.w / 2, 1.6), (new.x + new.w / 2, 0.9))))
    boxes.append(new)
    for index, token in enumerate(drawn):
        name = "C" if index == 0 else ("…" if token == "…" else f"T{_place(index, drawn, tokens)}")
        boxes.append(
            Box(f"out{index}", name, index * step, 3.4, WIDE, 0.8, sub=f"{d_model}",
                hue="encoder" if index in used else None,
                tip=(f"the last layer's vector of {token}", f"{d_model} numbers"))
        )  # fmt: skip
        if index in used:
            arrows.append(Arrow(((middle[index], 3.4), (middle[index], 2.7))))
        arrows.append(Arrow(((middle[index], 4.9), (middle[index], 4.2))))
        arrows.append(Arrow(((middle[index], 6.8), (middle[index], 6.1))))
        boxes.append(Box(f"in{index}", token, index * step, 6.8, WIDE, 0.8, tip=(token,)))
    boxes.append(
        Box("model", card.title, 0, 4.9, width, 1.2,
            sub=f"{card.layers} layers, d = {d_model}: all of it is trained further",
            hue="encoder", tip=(f"{card.parameters:,} parameters",))
    )  # fmt: skip
    return Diagram(
        boxes=tuple(boxes),
        arrows=tuple(arrows),
        width=max(width, new.x + new.w),
        height=7.6,
        label=f"Where {added.name} attaches to {card.title}",
        caption=f"{card.title}: {added.name}",
    )


def _used(task: str, drawn: tuple[str, ...]) -> list[int]:
    """Which of the drawn outputs the new layer reads."""
    if task in ("single", "pair"):
        return [0]
    separators = [i for i, token in enumerate(drawn) if token in ("[SEP]", "</s>")]
    if task == "tagging":
        return [i for i in range(1, len(drawn)) if i not in separators] or [0]
    first = separators[0] if separators else 0
    return [i for i in range(first + 1, len(drawn)) if i not in separators] or [0]


def _place(index: int, drawn: tuple[str, ...], tokens: tuple[str, ...]) -> int:
    """A drawn token's place in the whole text."""
    cut = drawn.index("…") if "…" in drawn and len(drawn) < len(tokens) else len(drawn)
    return index if index < cut else len(tokens) - len(drawn) + index
