"""What is asked in this view, as it stands in links."""

from typing import Final

from app.ui.params import Choice, Scope
from core.explain.attribution.registry import EVIDENCE, EvidenceMethod

ANSWER: Final = -1  # the model's own answer, whatever the picture
NOBODY: Final = -1  # against no other class
NO_PATCH: Final = -1

HERE: Final = Scope("vision", "why")
METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in EVIDENCE}
CLASS = HERE.whole("class", ANSWER, 99_999, ANSWER)
AGAINST = HERE.whole("against", NOBODY, 99_999, NOBODY)
METHOD: Final[Choice[str]] = HERE.choice("method", list(METHODS), "relevance")
PATCH = HERE.whole("patch", NO_PATCH, 99_999, NO_PATCH)
PARAMS: Final = (CLASS, AGAINST, METHOD, PATCH)
