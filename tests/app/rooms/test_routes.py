"""What browsers ask of rooms, and what strangers hear."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from httpx2 import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse

from app.rooms import hub
from app.rooms.database import AWAY
from app.rooms.routes import KEY, LARGEST_BODY, UNCOUNTED, routes
from app.rooms.store import Store
from tests.app.rooms.rooms import Opened, Unsteady
from tests.app.rooms.test_hub import run

OWN = {"host": "127.0.0.1:8501"}
EVIL = {"origin": "http://evil.example.org"}


@asynccontextmanager
async def browser(opened: Opened) -> AsyncIterator[AsyncClient]:
    app = Starlette(routes=routes(store=lambda: opened.store))
    transport = ASGITransport(app=app)
    async with AsyncClient(transport=transport, base_url="http://127.0.0.1:8501") as asking:
        yield asking


def stream(opened: Opened, key: str) -> AsyncIterator[str]:
    (events, *_) = routes(store=lambda: opened.store)
    headers = [(name.encode(), value.encode()) for name, value in OWN.items()]
    scope = {"type": "http", "query_string": f"key={key}".encode(), "headers": headers}

    async def told() -> AsyncIterator[str]:
        answer = await events.endpoint(Request(scope))
        assert isinstance(answer, StreamingResponse)
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-type"].startswith("text/event-stream")
        async for part in answer.body_iterator:
            yield cast("str", part)

    return told()


def data(part: str) -> dict[str, Any]:
    assert part.startswith("data: ")
    assert part.endswith("\n\n")
    return json.loads(part.removeprefix("data: "))


def test_a_student_hears_of_every_change():
    opened = Opened()

    async def story() -> None:
        told = stream(opened, opened.store.join(opened.code))
        assert (await anext(told)).startswith("retry: ")
        assert data(await anext(told)) == {
            "version": 0, "away": False, "ended": False, "spread": 0.0,
        }  # fmt: skip
        opened.store.show(opened.code, "attention", {"text": "a secret of the teacher's"})
        assert data(await anext(told))["version"] == 1
        opened.store.close(opened.code)
        assert data(await anext(told))["ended"] is True
        assert [part async for part in told] == []

    run(story())


@pytest.mark.parametrize("key", ["", "KX4PQ", "teacher", "forged", "other room"])
def test_who_has_no_student_s_key_hears_that_it_has_ended_and_no_more(key: str):
    opened = Opened()
    other, _ = opened.store.open()
    mine = opened.store.join(opened.code)
    key = {
        "teacher": opened.teacher,
        "forged": mine[:-4] + "0000",
        "other room": mine.replace(opened.code, other),
    }.get(key, key)

    async def story() -> None:
        told = [part async for part in stream(opened, key)]
        assert len(told) == 2
        assert data(told[1])["ended"] is True

    run(story())


def test_a_vote_counts_and_the_teacher_sees_it():
    opened = Opened()
    opened.store.polls.ask(opened.code, "a.1", 2)
    mine = opened.store.join(opened.code)

    async def story() -> None:
        async with browser(opened) as asking:
            vote = {"key": mine, "poll": "a.1", "option": 1}
            done = await asking.post("/rooms/vote", json=vote)
            assert (done.status_code, done.content) == (204, b"")
            asked = {"headers": {KEY: opened.teacher}, "params": {"poll": "a.1"}}
            seen = await asking.get("/rooms/desk", **asked)  # type: ignore[arg-type]
            assert seen.json() == {"here": 0, "votes": [0, 1]}
            for key in (mine, "", opened.teacher[:-1]):
                refused = await asking.get("/rooms/desk", headers={KEY: key})
                assert refused.status_code == 404
            opened.store.polls.end(opened.code, "a.1")
            late = await asking.post("/rooms/vote", json=vote)
            assert late.status_code == 409
            assert "votes count no more" in late.json()["told"]
            opened.store.close(opened.code)
            gone = await asking.post("/rooms/vote", json=vote)
            assert (gone.status_code, gone.json()) == (404, {"told": "This room has ended."})

    run(story())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 900,
        b"[]",
        b'{"key": 1, "poll": "a", "option": 0}',
        b'{"key": "a", "poll": "a", "option": "0"}',
        b"\xff\xfe",
        rb'{"key": "MINE", "poll": "\ud800", "option": 0}',
        b'{"key": "' + b"a" * LARGEST_BODY + b'", "poll": "a", "option": 0}',
    ],
)
def test_what_is_no_vote_is_refused(body: bytes):
    opened = Opened()
    given = body.replace(b"MINE", opened.store.join(opened.code).encode())

    async def story() -> None:
        async with browser(opened) as asking:
            headers = {"content-type": "application/json"}
            done = await asking.post("/rooms/vote", content=given, headers=headers)
            assert (done.status_code, done.json()) == (400, {"told": "This is no vote."})

    run(story())


def test_a_form_of_another_site_is_no_vote_and_its_scripts_ask_nothing():
    opened = Opened()

    async def story() -> None:
        async with browser(opened) as asking:
            form = await asking.post("/rooms/vote", data={"key": "a"})
            assert form.status_code == 400
            assert (await asking.post("/rooms/vote", json={}, headers=EVIL)).status_code == 403
            for path in ("/rooms/events", "/rooms/desk"):
                assert (await asking.get(path, headers=EVIL)).status_code == 403
            assert (await asking.get("/rooms/vote")).status_code == 405

    run(story())


def test_a_full_room_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "MOST_LISTENERS", 0)
    opened = Opened()

    async def story() -> None:
        async with browser(opened) as asking:
            key = opened.store.join(opened.code)
            full = await asking.get("/rooms/events", params={"key": key})
            assert full.status_code == 503

    run(story())


def test_they_stand_below_the_app_s_own_path():
    assert [route.path for route in routes("a")] == [
        "/a/rooms/events",
        "/a/rooms/vote",
        "/a/rooms/desk",
    ]


def test_while_the_rooms_are_away_browsers_are_told_to_come_again():
    opened = Opened()
    base = Unsteady(opened.store._base)
    opened.store = Store(base)
    opened.store.polls.ask(opened.code, "a.1", 2)
    mine = opened.store.join(opened.code)
    base.is_away = True

    async def story() -> None:
        told = [part async for part in stream(opened, mine)]
        assert [part[:7] for part in told] == ["retry: "]  # and no error, which would be the last
        async with browser(opened) as asking:
            vote = {"key": mine, "poll": "a.1", "option": 1}
            lost = await asking.post("/rooms/vote", json=vote)
            assert (lost.status_code, lost.json()) == (503, {"told": UNCOUNTED})
            seen = await asking.get("/rooms/desk", headers={KEY: opened.teacher})
            assert (seen.status_code, seen.json()) == (503, {"told": AWAY})
            base.is_away = False
            assert (await asking.post("/rooms/vote", json=vote)).status_code == 204

    run(story())
