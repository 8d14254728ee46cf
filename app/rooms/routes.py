"""What browsers ask of rooms: the stream of changes, a vote, what a teacher sees of the room.

Server-sent events (WHATWG HTML, 9.2): a browser that loses the connection comes again by itself.
Whoever asks has a key, which is given at the door (app/ui/room); a key that proves nothing hears
that its room has ended, and no more. Nothing here is kept, logged, or known by a cookie.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import asdict
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit.web.server.starlette.starlette_websocket import (
    _is_origin_allowed,  # pyright: ignore[reportPrivateUsage]
)

from app.rooms import here, keys
from app.rooms.database import AwayError, GoneError
from app.rooms.hub import Hub
from app.rooms.store import News
from core.errors import InputError

if TYPE_CHECKING:
    from starlette.requests import Request

    from app.rooms.store import Store

RANDOM: Final = SystemRandom()  # it shares no state with whoever seeds one
KEY: Final = "x-glassformer-key"
LARGEST_BODY: Final = 1000  # bytes
OFTEN: Final = (1.0, 3.0)  # seconds before a browser comes again: not all at once
UNBUFFERED: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
EVENTS: Final = "text/event-stream"
ENDED: Final = "This room has ended."
UNCOUNTED: Final = "Your vote could not be counted just now. Click again in a moment."


def routes(base: str = "", store: Callable[[], Store] = here.store) -> list[Route]:
    """base: what every path of the app begins with."""
    at = f"/{base}/rooms".replace("//", "/")
    asked = _Asked(store)
    return [
        Route(f"{at}/events", asked.events),
        Route(f"{at}/vote", asked.vote, methods=["POST"]),
        Route(f"{at}/desk", asked.desk),
    ]


class _Asked:
    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._hub: Hub | None = None

    async def events(self, request: Request) -> Response:
        """A student's stream."""
        if not _is_own(request):
            return _told(403, "Another site's page asked.")
        key = request.query_params.get("key", "")
        try:
            known = await run_in_threadpool(lambda: self._store().is_students(key))
        except AwayError:
            return StreamingResponse(_later(), media_type=EVENTS, headers=UNBUFFERED)
        self._hub = hub = self._hub or Hub(self._store())
        code = keys.code_of(key) if known else None
        if code is not None and hub.is_full(code):
            return _told(503, "The room is full.")
        stream = _stream(hub, code)
        return StreamingResponse(stream, media_type=EVENTS, headers=UNBUFFERED)

    async def vote(self, request: Request) -> Response:
        """A student's vote: {key, poll, option}; 204, or words for the student."""
        if not _is_own(request):
            return _told(403, "Another site's page asked.")
        match await _body(request):
            case {"key": str(key), "poll": str(poll), "option": int(option)}:
                pass
            case _:
                return _told(400, "This is no vote.")
        return await run_in_threadpool(self._voted, key, poll, option)

    def _voted(self, key: str, poll: str, option: int) -> Response:
        try:
            store = self._store()
            if not store.is_students(key):
                return _told(404, ENDED)
            store.polls.vote(key, poll, option)
        except AwayError:
            return _told(503, UNCOUNTED)
        except InputError as error:
            return _told(409, str(error))
        return Response(status_code=204)

    async def desk(self, request: Request) -> Response:
        """For the teacher, whose browser says so that it is there: students, votes."""
        key = request.headers.get(KEY, "")
        if not _is_own(request):
            return _told(403, "Another site's page asked.")
        return await run_in_threadpool(self._seen, key, request.query_params.get("poll"))

    def _seen(self, key: str, poll: str | None) -> Response:
        code = keys.code_of(key) or ""
        try:
            store = self._store()
            if not store.is_teachers(key):
                return _told(404, ENDED)
            store.teach(code)
            votes = [] if poll is None else store.polls.tally(code, poll)
            seen = {"here": store.present(code), "votes": votes}
        except GoneError:
            return _told(404, ENDED)
        except AwayError as error:
            return _told(503, str(error))
        return JSONResponse(seen, headers=UNBUFFERED)


async def _stream(hub: Hub, code: str | None) -> AsyncGenerator[str]:
    """Until the room has ended, or the browser goes."""
    yield _retry()
    if code is None:
        yield _event(News(ended=True), 0)
        return
    async with aclosing(hub.listen(code)) as listening:
        async for news in listening:
            yield ": still here\n\n" if news is None else _event(news, hub.spread(code))


async def _later() -> AsyncGenerator[str]:
    """It ends at once, and the browser comes again; an error's status would make it give up."""
    yield _retry()


def _retry() -> str:
    return f"retry: {RANDOM.uniform(*OFTEN) * 1000:.0f}\n\n"


def _event(news: News, spread: float) -> str:
    return f"data: {json.dumps(asdict(news) | {'spread': round(spread, 3)})}\n\n"


def _is_own(request: Request) -> bool:
    """A page of this server asks, under a name of its own; as Streamlit's websocket has it."""
    return _is_origin_allowed(request.headers.get("origin"), request.headers.get("host"))


async def _body(request: Request) -> Any:
    """A small JSON object; None for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return None
    given = b""
    async for part in request.stream():
        given += part
        if len(given) > LARGEST_BODY:
            return None
    try:
        told = cast("object", json.loads(given))
        json.dumps(told, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError):
        return None
    return told


def _told(status: int, words: str) -> Response:
    return JSONResponse({"told": words}, status, headers=UNBUFFERED)
