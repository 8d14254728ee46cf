"""What is asked in this view, as it stands in links."""

from typing import Final

from app.ui.params import Choice, Scope
from app.views.vision.own_film import FilmParams
from core.explain.attribution.registry import CAMS, EVERY, EVIDENCE, EvidenceMethod

ANSWER: Final = -1  # the model's own answer, whatever the picture
NOBODY: Final = -1  # against no other class
NO_PATCH: Final = -1

HERE: Final = Scope("vision", "why")
METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in EVERY}
A_CAM: Final = CAMS[0].id  # in a link's method: whichever CAM is chosen
CLASS = HERE.whole("class", ANSWER, 99_999, ANSWER)
AGAINST = HERE.whole("against", NOBODY, 99_999, NOBODY)
METHOD: Final[Choice[str]] = HERE.choice("method", [method.id for method in EVIDENCE], "relevance")
CAM: Final[Choice[str]] = HERE.choice("cam", {method.id: method.title for method in CAMS})
PATCH = HERE.whole("patch", NO_PATCH, 99_999, NO_PATCH)
FILM: Final = FilmParams.of(Scope("vision", "why.film"))
PARAMS: Final = (CLASS, AGAINST, METHOD, CAM, PATCH, *FILM.every)


def names() -> tuple[str, ...]:
    """The methods side by side, with the chosen CAM among them."""
    return tuple(CAM.value if method.id == A_CAM else method.id for method in EVIDENCE)


def wanted() -> str:
    """The method that is looked at large."""
    return CAM.value if METHOD.value == A_CAM else METHOD.value


def want(name: str) -> None:
    METHOD.put(A_CAM if name in CAM.names else name)
