"""Two web processes whose rooms are in Redis, which goes away and comes back."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

import httpx2
import pytest

from app.rooms.database import AWAY
from app.rooms.in_redis import REST
from app.rooms.routes import KEY, UNCOUNTED
from app.services.settings import ROOMS_SETTING
from tests.app.test_procfile import free_port, health
from tests.load.own_loop import run
from tests.load.session import Session
from tests.redis_server import RedisServer
from tests.serving.test_nginx import ROOT, reading

Served = tuple[RedisServer, list[str]]


@pytest.fixture(scope="module")
def served(redis_command: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Redis, and where the web processes listen; they are there before it is."""
    redis = RedisServer(redis_command, tmp_path_factory.mktemp("redis"), free_port())
    ports = [free_port(), free_port()]
    with ExitStack() as stack:
        stack.callback(redis.stop)
        for port in ports:
            command = [
                *(sys.executable, "-m", "app.web.start", "--server.headless=true"),
                *(f"--server.port={port}", "--server.address=127.0.0.1"),
            ]
            environment = os.environ | {ROOMS_SETTING: redis.address}
            web = stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=environment))
            stack.callback(web.terminate)
            assert health(port, web) == "ok"
        yield redis, [f"127.0.0.1:{port}" for port in ports]


def notices(session: Session) -> str:
    boxes = (one.proto.body for one in session.elements if one.kind == "alert")
    return " ".join(boxes).replace("\\", "")


async def told(lines: AsyncIterator[str]) -> dict[str, object]:
    """The next event."""
    async for line in lines:
        if line.startswith("data: "):
            return json.loads(line.removeprefix("data: "))
    raise AssertionError("the stream ended")


def test_a_room_is_one_on_both_and_nothing_breaks_while_redis_is_gone(served: Served):
    redis, (one, other) = served

    async def ask() -> None:
        browser = httpx2.AsyncClient(base_url=f"http://{other}", trust_env=False, timeout=60)
        async with browser, reading(one, "1") as teacher, reading(other, "2") as student:
            await teacher.go("attention", {"text": "The cat sat."})
            await teacher.press(teacher.named("attention.open-room"))
            assert AWAY in notices(teacher)
            redis.start()
            await asyncio.sleep(REST)
            await teacher.press(teacher.named("attention.open-room"))
            assert AWAY not in notices(teacher)
            line = teacher.named("room-stream").figure[0]
            await student.go("attention", {"room": line["code"]})
            key = student.named("room-stream").figure[0]["key"]
            listens = browser.stream("GET", "/rooms/events", params={"key": key})
            async with listens as stream:
                lines = stream.aiter_lines()
                assert (await told(lines))["version"] == 1
                area = teacher.named("attention.text")
                await teacher.change(area, string_value="The dog sat.")
                assert (await told(lines))["version"] == 2
                with redis.held():  # as if the network had lost it
                    await teacher.change(area, string_value="The owl sat.")
                    assert AWAY in notices(teacher)
                    assert teacher.link["text"] == "The owl sat."
                    await student.go("attention", {"room": line["code"]})
                    assert AWAY in notices(student)
                    vote = {"key": key, "poll": "attention.1", "option": 0}
                    voted = await browser.post("/rooms/vote", json=vote)
                    assert (voted.status_code, voted.json()["told"]) == (503, UNCOUNTED)
                    desk = await browser.get("/rooms/desk", headers={KEY: line["key"]})
                    assert desk.status_code == 503
                    again = await browser.get("/rooms/events", params={"key": key})
                    assert (again.status_code, again.text[:7]) == (200, "retry: ")
                await asyncio.sleep(REST)
                await teacher.change(area, string_value="The owl slept.")
                assert (await told(lines))["version"] == 3
                assert AWAY not in notices(teacher)
                redis.stop()
                redis.start()  # it has kept nothing
                assert (await told(lines))["ended"] is True
            await student.go("attention", {"room": line["code"]})
            assert f"Room {line['code']} has ended" in notices(student)

    run(ask())
