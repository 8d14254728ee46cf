"""Radford et al. 2018, figure 1 (right), with this model's shapes and this task's sequences."""

from app.components.diagram import Arrow, Box, Diagram, diagram
from app.views.gpt.state import HERE
from core.catalog import ModelCard
from core.outputs.decoder import FineTuningStart, Task

ROW = 1.7  # units from one sequence to the next
MOST_ROWS = 4


def task_diagram(card: ModelCard, start: FineTuningStart) -> None:
    """Every sequence through the same Transformer, then what joins them, then W_y."""
    drawn = start.sequences[:MOST_ROWS]
    width = start.head.shape[0]
    middle = (len(drawn) - 1) * ROW / 2 + 0.2
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for index, sequence in enumerate(drawn):
        y = index * ROW + 0.2
        boxes += [
            Box(
                f"sequence {index + 1}",
                f"sequence {index + 1}",
                0.2,
                y,
                3,
                1.2,
                sub=f"{len(sequence.tokens)} tokens",
                tip=(" ".join(sequence.tokens),),
            ),
            Box(
                f"transformer {index + 1}",
                "Transformer",
                4.2,
                y,
                3.6,
                1.2,
                sub=f"{card.layers} layers, {len(sequence.tokens)} × {width}",
                hue="decoder",
                tip=("The same weights for every sequence, from pre-training.",),
            ),
        ]
        arrows += [
            Arrow(((3.2, y + 0.6), (4.2, y + 0.6))),
            Arrow(
                (
                    (7.8, y + 0.6),
                    (8.8, (middle if start.task != Task.MULTIPLE_CHOICE else y) + 0.6),
                ),
                label="",
            ),
        ]
    outputs = start.head.shape[1]
    if start.task == Task.SIMILARITY:
        boxes.append(Box("sum", "h + h", 8.8, middle, 1.8, 1.2, sub=f"{width}"))
        arrows.append(Arrow(((10.6, middle + 0.6), (11.4, middle + 0.6))))
        left = 11.4
    else:
        left = 8.8
    if start.task == Task.MULTIPLE_CHOICE:
        for index in range(len(drawn)):
            y = index * ROW + 0.2
            boxes.append(_head(f"W_y {index + 1}", left, y, width, outputs))
            arrows.append(Arrow(((left + 2.6, y + 0.6), (left + 3.6, middle + 0.6))))
    else:
        boxes.append(_head("W_y", left, middle, width, outputs))
        arrows.append(Arrow(((left + 2.6, middle + 0.6), (left + 3.6, middle + 0.6))))
    noun = "answers" if start.task == Task.MULTIPLE_CHOICE else "classes"
    boxes.append(
        Box(
            "softmax",
            "softmax",
            left + 3.6,
            middle,
            2.4,
            1.2,
            sub=f"{len(start.classes)} {noun}",
        )
    )
    hidden = len(start.sequences) - len(drawn)
    diagram(
        Diagram(
            tuple(boxes),
            tuple(arrows),
            left + 6.2,
            len(drawn) * ROW + 0.1,
            f"How {card.title} is used for {start.task.value}",
            caption=f"{card.title}: {start.task.value}; {start.new_parameters:,} new parameters"
            + (f"; {hidden} more sequences like these" if hidden else ""),
        ),
        key=HERE.key("diagram"),
        clickable=False,
    )


def _head(name: str, x: float, y: float, width: int, outputs: int) -> Box:
    return Box(
        name,
        "W_y",
        x,
        y,
        2.6,
        1.2,
        sub=f"{width} × {outputs}",
        hue="value",
        dashed=True,
        tip=("New: drawn at random, learned in fine-tuning.", "Reads the extract token's state."),
    )
