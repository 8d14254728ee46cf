"""Which answer of a model is asked about: the number that gradients are taken of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClassTarget:
    """The logit of one class of a picture."""

    index: int


@dataclass(frozen=True)
class ClassContrast:
    """The logit of one class less that of another: what speaks for the one against the other."""

    index: int
    against: int


@dataclass(frozen=True)
class LogitTarget:
    """The logit of one token of the vocabulary at one position of a text, counted from 0."""

    position: int
    token: int


Target = ClassTarget | ClassContrast | LogitTarget
