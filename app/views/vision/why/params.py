"""What is asked in this view, as it stands in links."""

from typing import Final

from app.ui import params
from core.explain.attribution.registry import EVIDENCE, EvidenceMethod

ANSWER: Final = -1  # the model's own answer, whatever the picture
NOBODY: Final = -1  # against no other class
NO_PATCH: Final = -1
CLASS = params.number("whyclass", ANSWER, 99_999, ANSWER)
AGAINST = params.number("whyagainst", NOBODY, 99_999, NOBODY)
METHOD = params.choice("whymethod", [method.id for method in EVIDENCE], "relevance")
PATCH = params.number("whypatch", NO_PATCH, 99_999, NO_PATCH)
PARAMS = (CLASS, AGAINST, METHOD, PATCH)
METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in EVIDENCE}
