"""The same engine in replicas of Ray Serve, each a process that opens models and answers.

    serve deploy .deploy/serve.yaml

Nothing else imports Ray: who asks speaks HTTP (core/engine/remote.py).
"""

# Ray's decorators are partly untyped.
# pyright: reportUnknownMemberType=false, reportUntypedFunctionDecorator=false

import asyncio
import logging
from collections.abc import AsyncIterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Final

from ray import serve
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from core.engine import replica_log
from core.engine.engine import MEMORY
from core.engine.events import Batches
from core.engine.in_process import EmbeddedEngine
from core.engine.news import Answered, CancelDownload, News, framed
from core.engine.requests import Request
from core.engine.sealed import SealError, seal, secret, unseal
from core.errors import BusyError, InputError, ModelUnavailableError

TELL: Final = 0.5  # seconds between two news
READERS: Final = (InputError, ModelUnavailableError, BusyError)  # errors that they may read
LOG: Final = logging.getLogger(__name__)


# What a replica takes at once is what its engine batches: the next goes to another replica, which
# then opens the model, too.
@serve.deployment(num_replicas=2, max_ongoing_requests=16, max_queued_requests=256)
class Replica:
    """Answers sealed requests with a stream of sealed news, and the answer at its end."""

    def __init__(self, memory: int = MEMORY) -> None:
        replica_log.begin()
        self._engine = EmbeddedEngine(memory=memory)
        self._secret = secret()
        self._batches = Batches()

    async def __call__(self, http: HttpRequest) -> Response:
        try:
            asked = unseal(await http.body(), self._secret)
        except SealError as error:
            return Response(str(error), status_code=403)
        await self._opens(asked.model_id)  # pyright: ignore[reportCallIssue]
        if isinstance(asked, CancelDownload):
            self._engine.cancel_download(asked.model_id)
            return Response()
        return StreamingResponse(self._stream(asked), media_type="application/octet-stream")

    @serve.multiplexed(max_num_models_per_replica=64)  # the engine itself counts their bytes
    async def _opens(self, model_id: str) -> str:
        """Tells Serve that requests for this model had best come here."""
        return model_id

    async def _stream(self, request: Request[Any]) -> AsyncIterator[bytes]:
        try:
            with self._engine.wanted({"it": request}) as futures:  # who goes away withdraws it
                waited = asyncio.wrap_future(futures["it"])
                while not (await asyncio.wait({waited}, timeout=TELL))[0]:
                    yield framed(seal(self._news(request), self._secret))
            answered = replace(_answered(request, futures["it"]), batches=self._batches.taken())
            yield framed(seal(answered, self._secret))
        except ValueError as error:  # no question, or an answer that can't travel: a bug
            LOG.exception("%s %s", request.model_id, request.name)
            yield framed(seal(Answered(error=RuntimeError(str(error))), self._secret))

    def _news(self, request: Request[Any]) -> News:
        return News(
            self._engine.place(request),
            self._engine.download_progress(request.model_id),
            self._engine.is_loaded(request.model_id),
            self._engine.hitch(request),
            self._batches.taken(),
        )


def _answered(request: Request[Any], future: Future[Any]) -> Answered:
    error = future.exception()
    if error is None:
        return Answered(request.needed(future.result()))
    if not isinstance(error, READERS):  # a bug, which the engine has logged
        error = RuntimeError(f"{type(error).__name__}: {error}")
    return Answered(error=error)


def app(args: dict[str, str]) -> serve.Application:
    """The application, as a configuration's `import_path` names it. args: `memory`, in bytes."""
    return Replica.bind(int(args.get("memory", MEMORY)))
