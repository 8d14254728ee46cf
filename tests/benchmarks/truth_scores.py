"""One photograph's or one collage's scores for every method, as rows of numbers in percent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float32
from PIL import Image

from core.data.explanation_benchmark import curve_id
from core.data.pointing_game import Layout, collage, half
from core.explain.attribution.localization import mass_inside, pointing
from core.explain.attribution.perturbation_curves import FRACTIONS, Hidden, perturb
from core.explain.attribution.registry import EVIDENCE
from core.explain.flow.gradient_rollout import gradient_rollout_row
from core.interventions import HidePatches
from core.models.vision.classifier import VisionModel
from core.models.vision.pooling import answer_weights
from core.targets import ClassTarget
from core.trace import AttentionKind
from tests.benchmarks.truth_photos import TestPhoto, pet_cover

REVERSED = "gradient-rollout-reversed"
STEPS = {"mean": FRACTIONS, "blur": FRACTIONS[::3]}  # the second fill is a check on the first
LIKELIEST = 5  # both objects of a collage must be among so many classes
Map = Float32[np.ndarray, "row column"]
Scores = Mapping[str, Mapping[str, float]]  # method: figure: percent
Ask = Callable[[VisionModel, Image.Image, ClassTarget], Map]


def methods_of(model: VisionModel) -> dict[str, tuple[str, Ask]]:
    """Title and map of every method that this model can be asked with; the broken one last."""
    if not hasattr(model.module, "blocks"):  # Swin's windows
        usable = [method for method in EVIDENCE if not method.needs_attention]
        return {m.id: (m.title, _asker(m.id)) for m in usable}
    asked: dict[str, tuple[str, Ask]] = {m.id: (m.title, _asker(m.id)) for m in EVIDENCE}
    return asked | {REVERSED: ("Gradient rollout, layers reversed (a known bug)", _reversed)}


def curve_scores(
    model: VisionModel,
    image: Image.Image,
    predicted: int,
    maps: Mapping[str, Map],
    seed: int,
) -> dict[str, dict[str, float]]:
    """Areas and gaps of every map: both fills, prediction kept and probability."""
    return {
        method: _areas(model, image, predicted, evidence, seed) for method, evidence in maps.items()
    }


def pet_scores(model: VisionModel, photo: TestPhoto, maps: Mapping[str, Map]) -> Scores:
    """Pointing and mass in the trimap."""
    if photo.trimap is None:
        raise ValueError(f"{photo.name} has no trimap")
    pet, counted = pet_cover(model, photo.trimap)
    return {
        method: {
            "pointing": 100 * pointing(evidence, pet),
            "mass": 100 * mass_inside(evidence, pet, counted),
        }
        for method, evidence in maps.items()
    }


def collage_scores(
    model: VisionModel, photos: Sequence[TestPhoto], layout: Layout, methods: Mapping[str, Ask]
) -> list[Scores]:
    """The asked object's share, for each of two objects that the model sees in the collage."""
    image = collage(photos[0].picture, photos[1].picture, layout)
    likeliest = model.probabilities(image, [()])[0].argsort()[::-1][:LIKELIEST]
    if not {photo.label for photo in photos} <= set(likeliest.tolist()):
        return []
    found: list[Scores] = []
    for number, photo in enumerate(photos):
        target = ClassTarget(photo.label)
        maps = {method: ask(model, image, target) for method, ask in methods.items()}
        rows, columns = next(iter(maps.values())).shape
        cover = half(rows, columns, layout, first=number == 0)
        found.append({m: {"share": 100 * mass_inside(e, cover)} for m, e in maps.items()})
    return found


def _areas(
    model: VisionModel, image: Image.Image, predicted: int, evidence: Map, seed: int
) -> dict[str, float]:
    found: dict[str, float] = {}
    for fill, fractions in STEPS.items():
        answers: dict[Hidden, np.ndarray] = {}

        def kept(variants: Sequence[Hidden], fill=fill, answers=answers) -> np.ndarray:
            given = model.probabilities(image, [(HidePatches(one, fill),) for one in variants])
            answers.update(zip(variants, given, strict=True))
            return (given.argmax(axis=-1) == predicted).astype(float)

        def probability(variants: Sequence[Hidden], answers=answers) -> np.ndarray:
            return np.array([answers[one][predicted] for one in variants], dtype=float)

        for quantity, measure in (("kept", kept), ("probability", probability)):
            curves = perturb(evidence, measure, fractions=fractions, seed=seed)
            for name, value in (
                ("negative", curves.negative_area),
                ("positive", curves.positive_area),
                ("gap", curves.gap),
            ):
                found[curve_id(name, fill, quantity)] = 100 * value
    return found


def _asker(method: str) -> Ask:
    return lambda model, image, target: model.evidence(image, method, target)


def _reversed(model: VisionModel, image: Image.Image, target: ClassTarget) -> Map:
    """Each layer's map meets the gradient of the layer on the other side: vit-explain's bug."""
    trace = model.trace(image, gradient_of=target)
    layers = trace.layers[AttentionKind.ENCODER]
    wrong = tuple(
        replace(layer, gradients=other.gradients)
        for layer, other in zip(layers, reversed(layers), strict=True)
    )
    grid = trace.patches
    start = None if grid is None else answer_weights(model.card.title, model.module, grid)
    if grid is None or start is None:
        raise ValueError("the reversed rollout is for models that read tokens out")
    row = gradient_rollout_row(replace(trace, layers={AttentionKind.ENCODER: wrong}), start)
    return row[grid.prefix_tokens :].reshape(grid.rows, grid.columns)
