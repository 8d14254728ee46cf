"""Ten outputs of a shipped model for its card, good and bad ones."""

from collections.abc import Sequence

import numpy as np

from core.training.common.card import Example
from core.training.vision.classes import LABELS
from core.training.vision.measure import Answer, Painting

RIGHT, WRONG = 6, 4  # examples of a classifier, where it has so many
PAINTINGS = 10
SHOWN = 3  # classes of an answer


def classified_examples(answers: Sequence[Answer]) -> list[Example]:
    """The first right and the first wrong answers, each of another class."""
    right = _of_different_classes([answer for answer in answers if answer.rank == 0])
    wrong = _of_different_classes([answer for answer in answers if answer.rank > 0])
    return [_example(answer) for answer in (*right[:RIGHT], *wrong[:WRONG])]


def painted_examples(paintings: Sequence[Painting]) -> list[Example]:
    """From the best painted photograph to the worst, at equal distances."""
    ordered = sorted(paintings, key=lambda painting: painting.error)
    places = np.linspace(0, len(ordered) - 1, min(PAINTINGS, len(ordered))).round().astype(int)
    return [
        Example(
            f"{painting.name}, 75 % hidden with seed {painting.seed}",
            f"{_decibels(painting.error):.1f} dB; in the mean colour of the visible patches "
            f"{_decibels(painting.mean_colour_error):.1f} dB",
            good=painting.error < painting.mean_colour_error / 2,
        )
        for painting in (ordered[place] for place in places)
    ]


def _example(answer: Answer) -> Example:
    told = ", ".join(f"{p.label} {p.probability:.2f}" for p in answer.predictions[:SHOWN])
    question = f"{answer.photo.name} ({LABELS[answer.photo.label]})"
    return Example(question, told, good=answer.rank == 0)


def _of_different_classes(answers: Sequence[Answer]) -> list[Answer]:
    first: dict[int, Answer] = {}
    for answer in answers:
        first.setdefault(answer.photo.label, answer)
    return list(first.values())


def _decibels(error: float) -> float:
    return -10.0 * float(np.log10(error))
