"""The engine that computes in the app's own process, in one inference thread."""

from functools import partial

from typing_extensions import override

from core.engine.engine import MEMORY, Answer, Engine
from core.engine.inference import Inference, Loader
from core.engine.known_answers import KnownAnswers
from core.engine.requests import Request


class EmbeddedEngine(Engine):
    """An `Engine` whose models are opened here."""

    def __init__(
        self,
        loader: Loader | None = None,
        memory: int = MEMORY,
        known: KnownAnswers | None = None,
    ) -> None:
        from core.models.load import load

        super().__init__(partial(Inference, loader or load), memory, known)

    @override
    def computed(self, request: Request[Answer]) -> Request[Answer]:
        """Nothing travels: one answer serves those who need all of it and those who don't."""
        return request.whole
