"""What detr-mini's card says: settings named as in the paper, departures from it, examples."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.catalog import Family
from core.data.synthetic_scenes import SHAPES
from core.explain.objectives.hungarian_matching import GIOU_WEIGHT, L1_WEIGHT, NO_OBJECT_WEIGHT
from core.training.common.card import (
    Card,
    Example,
    Run,
    Source,
)
from core.training.detection import network, recipe
from core.training.detection.measure import FIRST_HELD_OUT, HELD_OUT, MEANING, Answer

SOURCE = Source(
    f"Generated scenes, seeds {recipe.FIRST_SEED} to {recipe.FIRST_SEED + recipe.SCENES - 1} "
    f"(held out: {FIRST_HELD_OUT} to {FIRST_HELD_OUT + HELD_OUT - 1})",
    "CC0 1.0",
    "Drawn by core/data/synthetic_scenes.py",
)
DEPARTURES = (
    "A backbone of six convolutions, trained from scratch, instead of a pretrained ResNet-50; "
    "batch norms are trained with it.",
    "Layer norms come before each sublayer, not after it.",
    "Every object query learns a reference point: its position is that point's sinusoid, and the "
    "box is told relative to it (Meng et al. 2021, Conditional DETR; Zhu et al. 2021, Deformable "
    "DETR). The paper's queries are free vectors.",
    "Muon instead of AdamW for the matrices inside the layers; AdamW for everything else; no "
    "dropout; gradients are clipped at 1, not 0.1.",
    "The training is a share of its planned time, not a number of epochs; its schedule is a "
    "cosine. The paper's is 300 epochs with one step.",
    "Scenes are turned and mirrored, not cropped and resized.",
)
TASK = "coloured shapes in generated scenes: boxes and classes"
GOOD, BAD = 3, 3  # examples


def make(
    run: Run,
    *,
    parameters: int,
    metrics: Mapping[str, float],
    examples: Sequence[Example],
    curve: Sequence[tuple[float, float]],
) -> Card:
    shape = network.SHAPE
    return Card(
        id="detr-mini",
        title="DETR mini (trained here)",
        family=Family.DETECTOR.value,
        task=TASK,
        layers=shape["decoder_layers"],
        heads=shape["heads"],
        d_model=shape["d_model"],
        parameters=parameters,
        licence="CC0 1.0",
        paper="Carion et al. 2020, https://arxiv.org/abs/2005.12872",
        metrics=metrics,
        metrics_meaning=MEANING,
        **run.of("detr-mini", data=""),
        data=[SOURCE],
        settings=settings(),
        departures=DEPARTURES,
        examples=examples,
        notes=run.noted({}),
        loss_curve=curve,
    )


def settings() -> dict[str, str]:
    shape = network.SHAPE
    return {
        "picture": f"{shape['picture_size']} × {shape['picture_size']} pixels, 8 × 8 places",
        "classes": ", ".join(SHAPES),
        "object queries N": str(shape["slots"]),
        "encoder layers": str(shape["encoder_layers"]),
        "decoder layers": str(shape["decoder_layers"]),
        "d_model, d_ff": f"{shape['d_model']}, {shape['d_ff']}",
        "λ_L1, λ_iou": f"{L1_WEIGHT:g}, {GIOU_WEIGHT:g}",
        "weight of “no object” in the class loss": f"{NO_OBJECT_WEIGHT:g}",
        "auxiliary losses": "after every decoder layer, matched by itself",
        "batch size": str(recipe.BATCH_SIZE),
        "scenes": f"{recipe.SCENES}, in eight symmetries",
        "learning rate": f"{recipe.LEARNING_RATE:g}, warm-up {recipe.WARMUP:.0%}, cosine to zero",
        "weight decay": f"{network.WEIGHT_DECAY:g}",
        "optimiser": f"Muon (× {network.MATRICES_FACTOR:g}) and AdamW, β = {network.BETAS}",
    }


def examples_of(told: Sequence[Answer]) -> list[Example]:
    """The first scenes that are all right, and the first that are not."""
    good: list[Example] = []
    bad: list[Example] = []
    for answer in told:
        true = sorted(SHAPES[label] for label in answer.scene.labels)
        said = sorted(
            SHAPES[label]
            for label, claims in zip(answer.labels, answer.claims, strict=True)
            if claims
        )
        claimed = np.where(np.array(answer.claims)[:, None], answer.overlaps, 0.0)
        right = said == true and bool((claimed.max(axis=0) >= 0.5).all())
        wanted = good if right else bad
        wanted.append(
            Example(
                f"scene {answer.scene.seed}: {', '.join(true)}",
                f"{', '.join(said) or 'no object'}; IoU of each object's best box "
                + ", ".join(f"{best:.2f}" for best in claimed.max(axis=0)),
                good=right,
            )
        )
    return [*good[:GOOD], *bad[:BAD]]
