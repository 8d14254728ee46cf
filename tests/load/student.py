"""A student: joins, looks at a view, changes something, thinks, goes on to another view."""

import asyncio
import io
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np
from httpx2 import AsyncClient, HTTPError
from PIL import Image
from typing_extensions import override
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from core.data.sentences import sentences
from tests.load.first_visit import fetched
from tests.load.session import LARGEST, Session
from tests.load.shown import Answer, Shown, clickable, modules_of
from tests.pages.declared import Shown as View

EXAMPLES: Final = 5  # texts that a class has in common
OFTEN: Final = {"text": 7, "click": 8, "slider": 2, "view": 2, "upload": 1}  # of twenty changes
EXPLAINED: Final = "explained"  # long by intention, and no part of the class
COOKIE: Final = "_streamlit_xsrf"
PROTOCOL: Final = Subprotocol("streamlit")
ASSETS: Final = r'(?:src|href)="\.(/static/(?:js|css)/[^"]+)"'
Act = Callable[[], Awaitable[Answer]]


@dataclass(frozen=True)
class Habits:
    """What all students of a run have in common."""

    address: str  # http://…
    views: tuple[View, ...]
    think: float = 10.0  # seconds between an answer and the next change, in the mean
    examples: float = 0.0  # the share of texts and clicks that others chose, too


@dataclass
class Seen:
    """What the students met: by kind of change, when it was made and what came back."""

    answers: list[tuple[str, float, Answer]] = field(
        default_factory=list[tuple[str, float, Answer]]
    )
    failures: list[str] = field(default_factory=list[str])  # no answer came at all


class Student:
    """One of a class; the number makes what they do, the same in every run."""

    def __init__(self, number: int, habits: Habits, seen: Seen) -> None:
        self._number, self._habits, self._seen = number, habits, seen
        self._random = Random(number)
        self._texts = 0

    async def attend(self, late: float, until: float) -> None:
        """Join after `late` seconds, and work until the clock (`time.monotonic`) says `until`."""
        await asyncio.sleep(late)
        try:
            async with self._at_home() as (session, files):
                await self._do("joining", lambda: self._join(session))
                while await self._thought(until):
                    await self._do(*self._next(session, files))
        except (OSError, WebSocketException, HTTPError, TimeoutError) as error:
            self._seen.failures.append(f"{type(error).__name__}: {error}")

    async def rehearse(self) -> None:
        """Look at every view once, as a lecturer does before the class comes."""
        async with self._at_home() as (session, _):
            for view in self._habits.views:
                await session.go(view.path, view.link)

    @asynccontextmanager
    async def _at_home(self) -> AsyncGenerator[tuple[Session, AsyncClient]]:
        address = self._habits.address
        stream = address.replace("http", "ws", 1) + "/_stcore/stream"
        async with (
            AsyncClient(base_url=address, timeout=120) as files,
            connect(stream, subprotocols=[PROTOCOL], max_size=LARGEST) as socket,
        ):
            yield Session(socket), files

    async def _do(self, kind: str, act: Act) -> None:
        answer = await act()
        self._seen.answers.append((kind, time.monotonic(), answer))

    async def _thought(self, until: float) -> bool:
        """Think, and say whether there is time for one more change."""
        pause = self._random.uniform(0.5, 1.5) * self._habits.think
        await asyncio.sleep(min(pause, max(0.0, until - time.monotonic())))
        return time.monotonic() < until

    async def _join(self, session: Session) -> Answer:
        """The page, the files that it names, the first run, and its components' modules."""
        began, address = time.perf_counter(), self._habits.address
        page = await fetched(address, ["/"])
        named = await fetched(address, re.findall(ASSETS, page[0].decode()))
        answer = await self._visit(session)
        modules = await fetched(address, modules_of(answer.drawn))
        answer.seconds = time.perf_counter() - began
        answer.nbytes += sum(map(len, (*page, *named, *modules)))
        return answer

    async def _visit(self, session: Session) -> Answer:
        view = self._random.choice(self._habits.views)
        return await session.go(view.path, view.link)

    def _next(self, session: Session, files: AsyncClient) -> tuple[str, Act]:
        """One of the changes that what is shown allows."""
        acts = {"view": lambda: self._visit(session), **dict(self._possible(session, files))}
        kind = self._random.choices([*acts], [OFTEN[kind] for kind in acts])[0]
        return kind, acts[kind]

    def _possible(self, session: Session, files: AsyncClient) -> Iterator[tuple[str, Act]]:
        elements = session.elements
        if area := self._one(elements, lambda one: one.key.endswith(".text")):
            yield "text", lambda: session.change(area, string_value=self._text())
        if figure := self._one(elements, lambda one: bool(clickable(one))):
            yield "click", lambda: self._click(session, figure)
        if slider := self._one(
            elements, lambda one: one.kind == "slider" and not one.proto.options
        ):
            yield "slider", lambda: self._slide(session, slider)
        if field := self._one(elements, lambda one: ".picture:file:" in one.key):
            yield "upload", lambda: self._upload(session, field, files)

    def _one(self, elements: tuple[Shown, ...], fits: Callable[[Shown], bool]) -> Shown | None:
        fitting = [shown for shown in elements if fits(shown)]
        return self._random.choice(fitting) if fitting else None

    def _text(self) -> str:
        """The student's own, which nobody else types; or one that the class has in common."""
        if self._random.random() < self._habits.examples:
            return sentences()[self._random.randrange(EXAMPLES)]
        self._texts += 1
        return f"{self._random.choice(sentences())} {self._number} {self._texts}"

    async def _click(self, session: Session, figure: Shown) -> Answer:
        how, values = clickable(figure) or ("", [])
        common = self._random.random() < self._habits.examples
        value = values[len(values) // 2] if common else self._random.choice(values)
        return await (session.click if how == "click" else session.select)(figure, value)

    async def _slide(self, session: Session, slider: Shown) -> Answer:
        low, high, step = slider.proto.min, slider.proto.max, slider.proto.step
        value = low + step * self._random.randint(0, round((high - low) / step))
        return await session.change(slider, double_array_value={"data": [value]})

    async def _upload(self, session: Session, field: Shown, files: AsyncClient) -> Answer:
        """A picture of the student's own, as a browser puts it: to the address that it asks for."""
        name, began = f"{self._number}.png", time.perf_counter()
        picture = _picture(self._random.randrange(2**32))
        place = await session.file_address(name)
        token = (await files.get("/_stcore/health")).cookies.get(COOKIE) or files.cookies[COOKIE]
        done = await files.put(
            place.upload_url, files={name: picture}, headers={"X-Xsrftoken": token}
        )
        done.raise_for_status()
        answer = await session.uploaded(field, name, len(picture), place)
        answer.seconds = time.perf_counter() - began
        return answer


class Explainer(Student):
    """Has one new picture after another explained by every method there is, without a thought."""

    @override
    def _next(self, session: Session, files: AsyncClient) -> tuple[str, Act]:
        acts = dict(self._possible(session, files))
        return EXPLAINED, acts.get("upload", lambda: self._visit(session))


def _picture(seed: int) -> bytes:
    """PNG, 112 × 112 pixels of noise: about 38 kB."""
    pixels = np.random.default_rng(seed).integers(0, 256, (112, 112, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()
