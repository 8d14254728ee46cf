"""Two web processes behind nginx, as .deploy/nginx.conf has it."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager
from http.client import HTTPMessage
from pathlib import Path

import httpx2
import pytest
from websockets.asyncio.client import connect

from app.services.settings import ROOMS_SETTING
from tests.app.test_procfile import free_port, health
from tests.load.own_loop import run
from tests.load.session import Session
from tests.load.student import COOKIE

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / ".deploy" / "nginx.conf"
PORTS = ("8600", "8601", "8602")  # nginx, and the two behind it, as the file has them
NO_NGINX = "NO NGINX ON THIS MACHINE: ITS CONFIGURATION IS NOT TESTED"


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """Where nginx listens, and the web processes."""
    if shutil.which("nginx") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_NGINX)
    ours = [str(free_port()) for _ in PORTS]
    folder = tmp_path_factory.mktemp("nginx")
    text = CONFIG.read_text().replace("/tmp/glassformer-nginx", str(folder / "nginx"))
    for port, own in zip(PORTS, ours, strict=True):
        text = text.replace(port, own)
    (folder / "nginx.conf").write_text(text)
    with ExitStack() as stack:
        webs = [
            stack.enter_context(
                subprocess.Popen(
                    [
                        *(sys.executable, "-m", "app.web.start", "--server.headless=true"),
                        *(f"--server.port={port}", "--server.address=127.0.0.1"),
                    ],
                    cwd=ROOT,
                    env=os.environ | {ROOMS_SETTING: str(folder / "rooms.db")},
                )
            )
            for port in ours[1:]
        ]
        nginx = ["nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        webs_and_nginx = [*webs, stack.enter_context(subprocess.Popen(nginx))]
        try:
            for port, web in zip(ours[1:], webs, strict=True):
                assert health(int(port), web) == "ok"
            yield f"127.0.0.1:{ours[0]}", webs
        finally:
            for process in webs_and_nginx:
                process.terminate()


def get(address: str, path: str = "/", **headers: str) -> tuple[int, HTTPMessage, bytes]:
    asked = urllib.request.Request(
        f"http://{address}{path}", headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def put(address: str, place: str, at: str, nbytes: int) -> int:
    """The status of an upload, as a browser sends it that has the cookie."""
    with httpx2.Client(base_url=f"http://{address}", trust_env=False) as browser:
        browser.cookies.set("glassformer_at", at)
        token = browser.get("/_stcore/health").cookies[COOKIE]
        headers = {"X-Xsrftoken": token}
        return browser.put(place, files={"a.txt": b"a" * nbytes}, headers=headers).status_code


def websocket(address: str, at: str) -> connect:
    return connect(
        f"ws://{address}/_stcore/stream",
        subprotocols=["streamlit"],  # type: ignore[list-item]
        additional_headers={"Cookie": f"glassformer_at={at}"},
        origin=f"http://{address}",  # type: ignore[arg-type]
        max_size=None,
    )


@asynccontextmanager
async def reading(address: str, at: str) -> AsyncGenerator[Session]:
    async with websocket(address, at) as socket:
        yield Session(socket)


def places(headers: Iterable[tuple[str, str]]) -> list[str]:
    """Where an answer says that the reader's session is."""
    found = (re.match("glassformer_at=([^;]*);", value) for _, value in headers)
    return [match[1] for match in found if match]


def test_who_comes_through_it_opens_the_catalog_alone(front: tuple[str, list[subprocess.Popen]]):
    """Though the processes behind it listen on their own machine alone."""

    async def ask() -> None:
        async with reading(front[0], "1") as session:
            answer = await session.go("attention", {"model": str(ROOT)})
            assert any("shows its own models alone" in str(one.proto) for one in answer.drawn)

    run(ask())


def test_a_page_is_dressed_guarded_and_compressed(front: tuple[str, list[subprocess.Popen]]):
    status, headers, body = get(front[0], Accept_Encoding="gzip")
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    assert body[:2] == b"\x1f\x8b"
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Set-Cookie"].startswith("glassformer_at=")
    assert "HttpOnly" in headers["Set-Cookie"]


@pytest.mark.parametrize("path", ["/metrics", "/_stcore/metrics"])
def test_measurements_are_for_nobody(front: tuple[str, list[subprocess.Popen]], path: str):
    assert get(front[0], path)[0] == 404


@pytest.mark.parametrize("at", ["1", "2"])
def test_page_and_uploads_of_a_reader_stay_together(
    front: tuple[str, list[subprocess.Popen]], at: str
):
    """An upload at the process that has no such session is refused: the cookie decides."""
    address, other = front[0], str(3 - int(at))

    async def read() -> None:
        async with reading(address, at) as session:
            await session.go("", {})
            assert session.elements
            place = await session.file_address("a.txt")
            assert await asyncio.to_thread(put, address, place.upload_url, at, 1000) == 204
            assert await asyncio.to_thread(put, address, place.upload_url, other, 1000) == 400
            large = 12 * 2**20
            assert await asyncio.to_thread(put, address, place.upload_url, at, large) == 413

    run(read())


def test_a_room_is_one_on_both_and_its_stream_is_not_held_back(
    front: tuple[str, list[subprocess.Popen]],
):
    address = front[0]

    async def ask() -> None:
        browser = httpx2.AsyncClient(base_url=f"http://{address}", trust_env=False, timeout=60)
        async with browser, reading(address, "1") as teacher, reading(address, "2") as student:
            await teacher.go("attention", {"text": "The cat sat."})
            await teacher.press(teacher.named("attention.open-room"))
            code = teacher.named("room-stream").figure[0]["code"]
            await student.go("attention", {"room": code})
            key = student.named("room-stream").figure[0]["key"]
            at = {"Cookie": "glassformer_at=2"}
            asked = browser.stream("GET", "/rooms/events", params={"key": key}, headers=at)
            async with asked as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                assert "content-encoding" not in stream.headers
                lines = stream.aiter_lines()
                told = (json.loads(line[6:]) async for line in lines if line.startswith("data: "))
                assert (await anext(told))["version"] == 1
                area = teacher.named("attention.text")
                await teacher.change(area, string_value="The dog sat.")
                assert (await anext(told))["version"] == 2

    run(ask())


def test_who_is_elsewhere_takes_over_and_keeps_its_readers(
    front: tuple[str, list[subprocess.Popen]],
):
    """The last: a process ends. When it is back, no session of its former readers is there."""
    address, webs = front

    async def place(at: str) -> list[str]:
        async with websocket(address, at) as socket:
            assert socket.response
            return places(socket.response.headers.raw_items())

    assert run(place("1")) == ["1"]
    webs[0].terminate()
    webs[0].wait()
    for at in ("1", "2"):
        status, headers, body = get(address, "/_stcore/health", Cookie=f"glassformer_at={at}")
        assert (status, body) == (200, b"ok")
        assert places(headers.items()) == []  # a file's answer: the websocket may live on
        assert run(place(at)) == ["2"]
