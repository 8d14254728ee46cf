"""Models in other processes, maybe on other machines: replicas of `core.engine.ray`, over HTTP.

The app's process has no part in Ray's cluster, so nothing that happens there can end it. A replica
that dies is asked for once more, of another; while nobody listens, the request waits here. Every
wait has an end: who accepts and never answers counts as one that died.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

import httpx2

from core.engine.cache import ByteCache
from core.engine.engine import MEMORY, Engine
from core.engine.events import EVENTS, Together
from core.engine.jobs import Jobs
from core.engine.known_answers import KnownAnswers
from core.engine.news import Answered, CancelDownload, News, messages
from core.engine.requests import Request
from core.engine.sealed import SealError, seal, unseal
from core.engine.waiting import Waiting
from core.errors import BusyError
from core.long_work import Progress, WithdrawnError

LOG: Final = logging.getLogger(__name__)
LOOK: Final = 0.2  # seconds between two looks at whether anybody still waits
AGAIN: Final = 1.0  # seconds between two tries to reach anybody
PATIENCE: Final = 60.0  # seconds without anybody listening
CONNECT: Final = 5.0  # seconds until a host has accepted: else it is switched off
ACCEPTED: Final = 120.0  # seconds until a reply begins: far more than Serve's own queue takes
SILENCE: Final = 30.0  # seconds without news of a replica: it is gone
ALTOGETHER: Final = 900.0  # seconds, tries and news included: no page waits longer
RETRIES: Final = 1  # after a replica died
MODEL: Final = "serve_multiplexed_model_id"  # the header by which Serve chooses a replica
ID: Final = "X-Request-ID"  # by which a replica's log names a request: its model and question
FULL: Final = (429, 503)
NOT_YET: Final = 404  # Serve listens, and has not been told of any replica
GONE: Final = "What computed this has ended: asking another …"
NOBODY: Final = "Nothing that computes can be reached: trying again …"
NOBODY_THERE: Final = (httpx2.ConnectError, httpx2.ConnectTimeout)
DIED: Final = (httpx2.HTTPError, SealError, EOFError, TimeoutError)
Refuse = Callable[[str], object]


class _NobodyYetError(Exception):
    """Where replicas are to be, none was begun."""


class RayEngine(Engine):
    """An `Engine` whose models are opened by replicas of Ray Serve."""

    def __init__(
        self,
        address: str,
        secret: bytes,
        refuse: Refuse,
        memory: int = MEMORY,
        known: KnownAnswers | None = None,
    ) -> None:
        """address: host and port. refuse: raises InputError for a model that is not offered."""
        super().__init__(partial(Remote, address, secret, refuse), memory, known)


class Remote:
    """Fulfils requests in `cache` with what replicas answer."""

    def __init__(
        self,
        address: str,
        secret: bytes,
        refuse: Refuse,
        cache: ByteCache,
        _: Jobs,
        waiters: Waiting,
    ) -> None:
        self._url, self._secret, self._refuse = f"http://{address}/", secret, refuse
        self._cache, self._waiters = cache, waiters
        self._news: dict[Request[Any], News | None] = {}  # None: nothing was heard yet
        self._open: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="remote", daemon=True)
        self._thread.start()
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=32)
        waits = httpx2.Timeout(None, connect=CONNECT)
        self._client = httpx2.AsyncClient(limits=limits, timeout=waits, trust_env=False)

    @property
    def line(self) -> "Remote":
        return self

    def put(self, request: Request[Any]) -> None:
        self._news[request] = None
        asyncio.run_coroutine_threadsafe(self._fulfil(request), self._loop)

    def __len__(self) -> int:
        return len(self._news)

    def before(self, request: Request[Any]) -> int | None:
        """Those of this process that came before, until a replica tells its own place."""
        if (told := self._news.get(request)) is not None:
            return None if told.place is None else told.place - 1
        unheard = [one for one, news in tuple(self._news.items()) if news is None]
        return unheard.index(request) if request in unheard else None

    def hitch(self, request: Request[Any]) -> str | None:
        told = self._news.get(request)
        return told and told.hitch

    def is_open(self, model_id: str) -> bool:
        return model_id in self._open

    def download(self, model_id: str) -> Progress | None:
        told = (news for one, news in tuple(self._news.items()) if one.model_id == model_id)
        return next((news.download for news in told if news and news.download), None)

    def cancel_download(self, model_id: str) -> None:
        coroutine = self._post(CancelDownload(model_id), model_id)
        asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def close(self) -> None:
        """When all is answered; nothing may be put any more."""
        while self._news:
            time.sleep(LOOK)
        asyncio.run_coroutine_threadsafe(self._client.aclose(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _fulfil(self, request: Request[Any]) -> None:
        key = request.key
        while True:
            asked = asyncio.create_task(self._bounded(request))
            while not (await asyncio.wait({asked}, timeout=LOOK))[0]:
                if self._waiters.unwanted(key):
                    asked.cancel()
            if not asked.cancelled():
                break
            if self._waiters.withdraw(key, lambda: self._abandon(request, WithdrawnError())):
                return
        error = asked.exception()
        if error is not None:
            self._abandon(request, error)
        else:
            self._open.add(request.model_id)
            del self._news[request]
            self._cache.fulfil(key, asked.result())
        self._waiters.answered(key)

    def _abandon(self, request: Request[Any], error: BaseException) -> None:
        del self._news[request]
        self._cache.abandon(request.key, error)

    async def _bounded(self, request: Request[Any]) -> Any:
        try:
            async with asyncio.timeout(ALTOGETHER):
                return await self._asked(request)
        except TimeoutError:
            LOG.warning("%s %s took too long", request.model_id, request.name)
            raise BusyError(
                f"This was not answered within {ALTOGETHER / 60:.0f} minutes. Your page is kept: "
                "try again in a minute, or with something smaller."
            ) from None

    async def _asked(self, request: Request[Any]) -> Any:
        """Again where nobody listens, and once more where who listened died."""
        self._refuse(request.model_id)
        died, since = 0, time.monotonic()
        while True:
            try:
                return await self._heard(request)
            except (*NOBODY_THERE, _NobodyYetError):
                if time.monotonic() - since > PATIENCE:
                    raise BusyError(
                        "Nothing that computes can be reached. Your page is kept: try again in a "
                        "minute."
                    ) from None
                self._keeps(request, NOBODY)
                await asyncio.sleep(AGAIN)
            except DIED as error:
                LOG.warning("%s %s: %r", request.model_id, request.name, error)
                died, since = died + 1, time.monotonic()
                if died > RETRIES:
                    raise BusyError(
                        "What computed this has ended, and so did a second try. Your page is kept: "
                        "try again in a minute, or with something smaller."
                    ) from None
                self._keeps(request, GONE)

    async def _heard(self, request: Request[Any]) -> Any:
        """The answer of one replica; its news are kept meanwhile."""
        asked = replace(request, asker=repr(request.asker))
        body, headers = self._message(asked, request.model_id, request.name)
        async with AsyncExitStack() as stack:
            stream = self._client.stream("POST", self._url, content=body, headers=headers)
            async with asyncio.timeout(ACCEPTED):
                reply = await stack.enter_async_context(stream)
            if reply.status_code in FULL:
                raise BusyError("All that computes is busy. Try again in a few seconds.")
            if reply.status_code == NOT_YET:
                raise _NobodyYetError
            reply.raise_for_status()
            heard = messages(reply.aiter_bytes())
            while True:
                async with asyncio.timeout(SILENCE):
                    told: Answered | News = unseal(await _next(heard), self._secret)
                for size in told.batches:
                    EVENTS.tell(Together(size))
                if isinstance(told, Answered):
                    if told.error is not None:
                        raise told.error
                    return told.value
                self._news[request] = told
                if told.is_open:
                    self._open.add(request.model_id)

    async def _post(self, value: Any, model_id: str) -> None:
        body, headers = self._message(value, model_id, type(value).__name__)
        async with asyncio.timeout(ACCEPTED):
            await self._client.post(self._url, content=body, headers=headers)

    def _message(self, value: Any, model_id: str, name: str) -> tuple[bytes, dict[str, str]]:
        identity = f"{quote(model_id, safe='')}.{name}.{uuid4().hex[:12]}"
        return seal(value, self._secret), {MODEL: quote(model_id), ID: identity}

    def _keeps(self, request: Request[Any], hitch: str) -> None:
        self._news[request] = News(hitch=hitch)


async def _next(stream: AsyncIterator[bytes]) -> bytes:
    try:
        return await anext(stream)
    except StopAsyncIteration:
        raise EOFError from None
