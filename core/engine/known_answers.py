"""Answers that lie on the disk before anybody asks: no model is opened for a first sight.

They are what the models gave when the files were made; a test compares them with the models.
"""

import logging
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from core.engine.requests import Request
from core.errors import InputError
from core.explain.predictions.teacher_forcing import TokenLosses
from core.outputs.decoder import NextStep
from core.outputs.decoding import Decoding, NextToken
from core.outputs.encoder import EncoderProfile
from core.trace.archive import Archive
from core.trace.files import CLASSES

LOG = logging.getLogger(__name__)
ANSWERS: Final = Archive(
    "answer",
    "KnownAnswers.keep",
    (*CLASSES, EncoderProfile, NextStep, Decoding, NextToken, TokenLosses),
)


class KnownAnswers:
    """One file an answer, named by what was asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, request: Request[Any]) -> bool:
        """Whether there is a file for it."""
        return self._path(request).exists()

    def get(self, request: Request[Any]) -> Any:
        """The answer, or None where none is known (the model is asked then)."""
        if not self.has(request):
            return None
        path = self._path(request)
        try:
            answer, about = ANSWERS.open(path)
        except InputError as error:
            LOG.warning("%s", error)
            return None
        return answer if about.get("asked") == repr(request.whole.key) else None

    def keep(self, request: Request[Any], answer: Any) -> Path:
        """Raises TypeError for an answer of a class that is not listed above."""
        path = self._path(request)
        path.parent.mkdir(parents=True, exist_ok=True)
        ANSWERS.save(answer, path, {"asked": repr(request.whole.key)})
        return path

    def _path(self, request: Request[Any]) -> Path:
        asked = sha256(repr(request.whole.key).encode()).hexdigest()
        return self._folder / f"{Path(request.model_id).name}-{request.name}-{asked[:12]}.npz"
