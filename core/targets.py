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


@dataclass(frozen=True)
class LogitContrast:
    """A token's logit at one position, less that of another token: ln of how much likelier it is.

    against None: the logit itself, whose zero means nothing (a softmax minds only differences).
    """

    position: int
    token: int
    against: int | None = None


Measured = LogitTarget | LogitContrast  # what `measure` of a text gives: a probability, a logit
Target = ClassTarget | ClassContrast | LogitTarget
