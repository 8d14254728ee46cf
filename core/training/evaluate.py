"""Measure a shipped model again, and say whether its card tells the same.

    python -m core.training.evaluate bert-mini --data DIR

A figure that differs from the card's by more than a tolerance makes the command fail.
"""

import argparse
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import InputError
from core.training.bert import evaluate as bert
from core.training.common.card import read_metrics
from core.training.detection import measure as detection
from core.training.gpt import evaluate as gpt
from core.training.minilm import evaluate as minilm
from core.training.minilm.causal import evaluate as causal
from core.training.translation import evaluate as translation
from core.training.vision import measure as vision

log = logging.getLogger("evaluate")
MODELS = Path("assets/models")
TOLERANCE = 0.002  # other machines round differently: a few answers in a thousand


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How one model's figures are measured: (model folder, data folder) -> figures."""

    id: str
    measure: Callable[[Path, Path], dict[str, float]]
    tolerance: float = TOLERANCE
    needs_data: bool = True


EVALUATIONS: Final = (
    Evaluation("transformer-en-de", translation.evaluate, tolerance=0.2),  # BLEU counts to 100
    Evaluation("bert-mini", bert.evaluate),
    Evaluation("minilm-mlm", minilm.evaluate),
    Evaluation("gpt-mini", gpt.evaluate),
    Evaluation("minilm-clm", causal.evaluate),
    Evaluation("mae-mini", vision.autoencoder_figures),
    Evaluation("vit-mini", vision.classifier_figures),
    Evaluation("swin-mini", vision.classifier_figures),
    Evaluation("detr-mini", detection.figures, needs_data=False),
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Reproduce the figures on a model's card.")
    parser.add_argument("model", choices=[evaluation.id for evaluation in EVALUATIONS])
    parser.add_argument("--data", type=Path, help="held-out data; detr-mini draws its own")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the model folders")
    options = parser.parse_args(arguments)
    if options.data is None and evaluation_of(options.model).needs_data:
        parser.error(f"{options.model} is measured on data: give its folder with --data")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        return 0 if agrees(options.model, options.models, options.data or Path()) else 1
    except InputError as error:
        log.error("%s", error)
        return 1


def evaluation_of(model: str) -> Evaluation:
    return next(entry for entry in EVALUATIONS if entry.id == model)


def agrees(model: str, models: Path, data: Path) -> bool:
    """Measure, log each figure beside the card's, and compare."""
    evaluation = evaluation_of(model)
    card = read_metrics(models / model)
    measured = evaluation.measure(models / model, data)
    for name, value in measured.items():
        log.info("%-24s %.4f   on the card %s", name, value, card.get(name, "nothing"))
    return all(
        abs(value - card.get(name, -1.0)) <= evaluation.tolerance
        for name, value in measured.items()
    )


if __name__ == "__main__":
    sys.exit(main())
