"""Four blocks drawn side by side: post-norm, pre-norm, sandwich-norm, DeepNorm."""

from typing import Final

from app.components.diagram import Arrow, Box, Diagram

NORM, ADD = "Norm", "+"
# from the input up; a residual leaves at "from" and arrives at the next "+"
ORDERS: Final = {
    "post": ("Attention", ADD, NORM, "Feed-forward", ADD, NORM),
    "pre": (NORM, "Attention", ADD, NORM, "Feed-forward", ADD),
    "sandwich": (NORM, "Attention", NORM, ADD, NORM, "Feed-forward", NORM, ADD),
    "deepnorm": ("Attention", ADD, NORM, "Feed-forward", ADD, NORM),
}
TITLES: Final = {
    "post": "post-norm",
    "pre": "pre-norm",
    "sandwich": "sandwich-norm",
    "deepnorm": "DeepNorm",
}
FORMULAS: Final = {
    "post": "Norm(x + f(x)): Vaswani et al. 2017, BERT",
    "pre": "x + f(Norm(x)): GPT-2, and a last norm above the stack",
    "sandwich": "x + Norm(f(Norm(x))): CogView, Ding et al. 2021",
    "deepnorm": "Norm(α x + f(x)): Wang et al. 2022, f initialised smaller by β",
}
COLUMN, MIDDLE, WIDE = 4.0, 2.25, 2.7  # units: a block's column, its axis, a box
PITCH, HIGH, TOP = 1.15, 0.75, 0.9  # units: from box to box, a box, the titles' room
BYPASS = 0.35  # units from the column's left edge to the residual line


def stacks(caption: str) -> Diagram:
    """One layer of each placement, data flowing upwards."""
    tallest = max(len(order) for order in ORDERS.values())
    bottom = TOP + tallest * PITCH
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for number, (name, order) in enumerate(ORDERS.items()):
        left = number * COLUMN
        axis = left + MIDDLE
        boxes.append(
            Box(f"{name}-title", TITLES[name], left + 0.4, 0, COLUMN - 0.4, 0.7, dashed=True,
                tip=(FORMULAS[name],))
        )  # fmt: skip
        below = bottom + 0.6  # where x enters
        leaves = below - 0.3
        for place, part in enumerate(order):
            y = bottom - (place + 1) * PITCH + (PITCH - HIGH)
            small = part == ADD
            scaled = small and name == "deepnorm"
            width = WIDE if not small else 1.5 if scaled else 0.75
            boxes.append(
                Box(f"{name}-{place}", "α x +" if scaled else part, axis - width / 2, y, width,
                    HIGH, hue=None if part in (NORM, ADD) else "encoder", tip=(FORMULAS[name],))
            )  # fmt: skip
            arrows.append(Arrow(((axis, below), (axis, y + HIGH))))
            if small:
                side, level = left + BYPASS, y + HIGH / 2
                corners = ((axis, leaves), (side, leaves), (side, level), (axis - width / 2, level))
                arrows.append(Arrow(corners))
                leaves = y - 0.2
            elif order[place - 1] == ADD and part == NORM and name in ("post", "deepnorm"):
                leaves = y - 0.2  # the residual of the next sublayer leaves above the norm
            below = y
        arrows.append(Arrow(((axis, below), (axis, max(TOP - 0.1, below - 0.55)))))
    return Diagram(
        tuple(boxes), tuple(arrows), width=len(ORDERS) * COLUMN, height=bottom + 0.7,
        label="One layer with the norm in four places", caption=caption,
    )  # fmt: skip
