"""What the sample pictures show: beside what a model says, a wrong answer must look like one."""

from collections.abc import Sequence
from typing import Final

SHOWS: Final = {  # scikit-image's samples: in words, and the word of a class that would be right
    "chelsea": ("a cat", "cat"),
    "astronaut": ("an astronaut", "astronaut"),
    "coffee": ("a cup of coffee", "cup"),
    "rocket": ("a rocket", "rocket"),
    "horse": ("a horse", "horse"),
    "camera": ("a man with a camera", "cameraman"),
}


def truth(picture: str, labels: Sequence[str]) -> str:
    """ "the picture shows a cat", and whether a model with these classes could say so.

    Empty for a picture that is no sample: nobody here knows what it shows.
    """
    if picture not in SHOWS:
        return ""
    shown, word = SHOWS[picture]
    said = f"the picture shows {shown}"
    if any(word in label.lower().replace(",", "").split() for label in labels):
        return said
    return f"{said}, which is not among its {len(labels)} classes"
