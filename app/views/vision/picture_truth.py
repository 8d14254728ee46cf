"""What a sample picture shows, beside what a model says: a wrong answer must look like one."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from app.content.pictures import truth
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.answer import model_name
from app.views.vision.inputs import Chosen


def says(chosen: Chosen, labels: Sequence[str], probabilities: Float[np.ndarray, " class"]) -> str:
    """The model's answer with its probability, and the truth, if it is known: in Markdown."""
    best = int(probabilities.argmax())
    title = plain(model_name(chosen.card))
    said = f"{title} says **{plain(labels[best])}** with **{three(float(probabilities[best]))}**"
    shown = truth(chosen.picture.name, labels)
    return f"{said}; {shown}." if shown else f"{said}."
