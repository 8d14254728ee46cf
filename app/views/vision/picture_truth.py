"""What a sample picture shows, beside what a model says: a wrong answer must look like one."""

from typing import Final

from app.style.markdown_escape import plain
from app.style.number_format import three
from app.views.vision.classes import Classes
from app.views.vision.inputs import Chosen

SHOWS: Final = {  # scikit-image's samples: in words, and the word of a class that would be right
    "chelsea": ("a cat", "cat"),
    "astronaut": ("an astronaut", "astronaut"),
    "coffee": ("a cup of coffee", "cup"),
    "rocket": ("a rocket", "rocket"),
    "horse": ("a horse", "horse"),
    "camera": ("a man with a camera", "cameraman"),
}


def says(chosen: Chosen, classes: Classes) -> str:
    """The model's answer with its probability, and the truth, if it is known: in Markdown."""
    best = classes.ranked[0]
    probability = three(float(classes.probabilities[best]))
    title = plain(chosen.card.title.removesuffix(" (trained here)"))
    said = f"{title} says **{plain(classes.labels[best])}** with **{probability}**"
    if chosen.picture.name not in SHOWS:
        return f"{said}."
    shown, word = SHOWS[chosen.picture.name]
    if any(word in label.lower().replace(",", "").split() for label in classes.labels):
        return f"{said}; the picture shows {shown}."
    return (
        f"{said}; the picture shows {shown}, which is not among its {len(classes.labels)} classes."
    )
