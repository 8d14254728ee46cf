"""What fine-tuning adds to an encoder, as shapes and as a drawing; no Streamlit here.

Devlin et al. 2019, figure 4, https://arxiv.org/abs/1810.04805.
"""

from dataclasses import dataclass

import numpy as np

from app.components.diagram import Arrow, Box, Diagram
from core.catalog import ModelCard
from core.trace import Encoding

MOST_DRAWN = 10  # tokens; the others are an ellipsis
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
                "a classifier on every word's first piece",
                "of T₁ … T_N those of first pieces",
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


def drawn_places(encoding: Encoding) -> tuple[int | None, ...]:
    """The tokens that are drawn, None for an ellipsis: each text's first ones and its last."""
    places: list[int | None] = []
    for segment in dict.fromkeys(encoding.segments.tolist()):
        own = np.flatnonzero(encoding.segments == segment).tolist()
        room = MOST_DRAWN // int(encoding.segments.max() + 1)
        places += own if len(own) <= room else [*own[: room - 2], None, own[-1]]
    return tuple(places)


def drawing(task: str, encoding: Encoding, card: ModelCard, added: Attachment) -> Diagram:
    """Tokens at the bottom, the encoder, its outputs, the new layer, the answer on top."""
    places = drawn_places(encoding)
    step = WIDE + GAP
    width = len(places) * step - GAP
    used = [i for i, place in enumerate(places) if _is_read(task, place, encoding)] or [0]
    left = used[0] * step
    new_width = max(used[-1] * step + WIDE - left, 4 * WIDE)
    middle = left + new_width / 2
    boxes = [
        Box("result", added.result, left, 0, new_width, 0.9, hue="value"),
        Box(
            "added", added.name, left, 1.6, new_width, 1.1, sub=added.weights, hue="cross",
            dashed=True,
            tip=("New: begins random, is trained with the rest", f"{added.parameters:,} numbers"),
        ),
    ]  # fmt: skip
    arrows = [Arrow(((middle, 1.6), (middle, 0.9)))]
    for column, place in enumerate(places):
        x = column * step
        for start, end in ((4.9, 4.2), (6.8, 6.1), *([(3.4, 2.7)] if column in used else [])):
            arrows.append(Arrow(((x + WIDE / 2, start), (x + WIDE / 2, end))))
        if place is None:
            boxes.append(Box(f"out…{column}", "…", x, 3.4, WIDE, 0.8))
            boxes.append(Box(f"in…{column}", "…", x, 6.8, WIDE, 0.8))
            continue
        token = encoding.tokens[place]
        boxes.append(
            Box(
                f"out{place}", "C" if place == 0 else f"T{place}", x, 3.4, WIDE, 0.8,
                sub=str(card.d_model), hue="encoder" if column in used else None,
                tip=(f"the last layer's vector of {token}", f"{card.d_model} numbers"),
            )
        )  # fmt: skip
        boxes.append(Box(f"in{place}", token, x, 6.8, WIDE, 0.8, tip=(token,)))
    boxes.append(
        Box(
            "model", card.title, 0, 4.9, width, 1.2, hue="encoder",
            sub=f"{card.layers} layers, d = {card.d_model}: all of it is trained further",
            tip=(f"{card.parameters:,} parameters",),
        )
    )  # fmt: skip
    return Diagram(
        boxes=tuple(boxes),
        arrows=tuple(arrows),
        width=max(width, left + new_width),
        height=7.6,
        label=f"Where {added.name} attaches to {card.title}",
        caption=f"{card.title}: {added.name}",
    )


def _is_read(task: str, place: int | None, encoding: Encoding) -> bool:
    """Whether the new layer reads a drawn output; an ellipsis stands for what is beside it."""
    if task in ("single", "pair"):
        return place == 0
    if place is None:
        return False
    if encoding.special[place]:
        return False
    if task == "answer":
        return int(encoding.segments[place]) == 1
    return encoding.words[place] != encoding.words[place - 1]  # a word's first piece
