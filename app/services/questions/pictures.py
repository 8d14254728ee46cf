"""Questions on pictures: which patch does an answer need, and which map names such patches?"""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services import vision
from app.services.questions.answers import Answers, Grid, Wait, largest
from app.services.vision import SAMPLES, Picture
from core.errors import InputError
from core.explain.attribution.registry import EvidenceMethod, evidence_method
from core.interventions import HidePatches
from core.targets import ClassTarget

CLEARLY: Final = 0.5  # of the largest loss: another patch that mattered


@dataclass(frozen=True, slots=True)
class NeededPatch:
    """Which patch, hidden alone, takes most from the model's class? Half as much is right, too."""

    model: str
    picture: str

    def answers(self, wait: Wait) -> Answers:
        picture = sample(self.picture)
        best = int(np.argmax(shares(self.model, picture, wait)))
        return PatchFor(self.model, picture, best).answers(wait)


@dataclass(frozen=True, slots=True)
class PatchFor:
    """The same of any picture and any class: of a view's own state."""

    model: str
    picture: Picture
    index: int  # of the class

    def answers(self, wait: Wait) -> Answers:
        seen = wait(vision.seen(self.model, self.picture))
        rows, columns = seen.grid.rows, seen.grid.columns
        hidden = tuple((HidePatches((patch,)),) for patch in range(rows * columns))
        target = ClassTarget(self.index)
        found = wait(vision.measure(self.model, self.picture, ((), *hidden), target))
        return largest(
            [
                f"row {patch // columns}, column {patch % columns}"
                for patch in range(rows * columns)
            ],
            [float(found[0] - one) for one in found[1:]],
            "loss of probability",
            near=CLEARLY,
            grid=Grid(rows, columns, ("row", "column"), seen.picture),
        )


def sample(name: str) -> Picture:
    """Raises InputError where there is none of this name."""
    if name not in SAMPLES:
        raise InputError(f"There is no picture “{name}”; {', '.join(SAMPLES)} go.")
    return vision.sample(name)


def shares(model: str, picture: Picture, wait: Wait) -> np.ndarray:
    """Every class's probability."""
    return wait(vision.probabilities(model, picture, ((),)))[0]


@dataclass(frozen=True, slots=True)
class TellingMap:
    """Which method names patches that, hidden, take most from the model's class?"""

    model: str
    picture: str
    methods: str
    hidden: str = "30"  # per cent of the patches, those that the method names first

    def answers(self, wait: Wait) -> Answers:
        picture = sample(self.picture)
        if self.hidden not in map(str, range(1, 100)):
            raise InputError(f"hidden is {self.hidden}; whole per cents from 1 to 99 go.")
        methods = [evidence_method(name.strip()) for name in self.methods.split(",")]
        best = int(np.argmax(shares(self.model, picture, wait)))
        maps = [self._evidence(one, picture, best) for one in methods]
        named = [np.argsort(-wait(found), axis=None, kind="stable") for found in maps]
        most = [patches[: round(int(self.hidden) / 100 * len(patches))] for patches in named]
        sets = tuple((HidePatches(tuple(sorted(map(int, one)))),) for one in most)
        found = wait(vision.measure(self.model, picture, ((), *sets), ClassTarget(best)))
        return largest(
            [one.title for one in methods],
            [float(found[0] - one) for one in found[1:]],
            "loss of probability",
        )

    def _evidence(self, method: EvidenceMethod, picture: Picture, best: int) -> Future[np.ndarray]:
        target = ClassTarget(best if method.class_specific else 0)
        return vision.evidence(self.model, picture, method.id, target)
