"""Questions that a reader predicts the answer of: a model answers them, nobody writes them down.

A lesson names one of `QUESTIONS`, and what it is asked about stands in the step's link or beside
the name. A view asks about what it shows (app/ui/prediction).
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Final

from app.services.questions.answers import Answers, Grid, Question, Wait
from app.services.questions.circuits import PushedToken
from app.services.questions.heads import AttendedToken, CostliestHead, LookingHead, Silenced
from app.services.questions.merges import NextMerge
from app.services.questions.numbers import Number
from app.services.questions.pictures import NeededPatch, PatchFor, TellingMap
from app.services.questions.translations import NextTranslated
from app.services.questions.words import LikeliestWord, WordAt
from core.errors import InputError

__all__ = [
    "QUESTIONS",
    "Answers",
    "AttendedToken",
    "Grid",
    "PatchFor",
    "PushedToken",
    "Question",
    "Silenced",
    "Wait",
    "WordAt",
    "question",
]

QUESTIONS: Final[Mapping[str, Callable[..., Question]]] = {
    "attended token": AttendedToken,
    "looking head": LookingHead,
    "likeliest word": LikeliestWord,
    "costliest head": CostliestHead,
    "next merge": NextMerge,
    "needed patch": NeededPatch,
    "telling map": TellingMap,
    "next translated": NextTranslated,
    "number": Number,
}


def question(ask: str, said: Mapping[str, str], link: Mapping[str, str]) -> Question:
    """What is asked: what is `said` of it, the rest as the link has it. Raises InputError."""
    made = QUESTIONS.get(ask)
    if made is None:
        raise InputError(f"There is no question “{ask}”; {', '.join(QUESTIONS)} go.")
    known = fields(made)  # type: ignore[arg-type]
    names = [field.name for field in known]
    for name in said:
        if name not in names:
            raise InputError(f"“{ask}” has no field “{name}”; {', '.join(names)} go.")
    given = {name: link[name] for name in names if name in link} | dict(said)
    for field in known:
        if field.name not in given and field.default is MISSING:
            raise InputError(f"“{ask}” needs “{field.name}”, here or in the step's link.")
    return made(**given)
