"""What the heads of one kind do on one text: by their weights, and by what they write."""

from dataclasses import dataclass

from core.explain.attention.head_roles import RoleMasses


@dataclass(frozen=True, slots=True)
class HeadMeasures:
    """Two measures of the same maps."""

    weights: RoleMasses
    written: RoleMasses | None  # by α‖f(x)‖; None where the model hides its values or W^O

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes + (self.written.nbytes if self.written else 0)
