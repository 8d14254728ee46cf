"""A headless Chromium and a Streamlit server, for tests of real behaviour."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[3]
SECONDS_TO_START = 40
# Streamlit probes these under a deep link's own path first; they are the only 404s allowed.
ALLOWED = ("_stcore/health", "_stcore/host-config")


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The address of a Streamlit server that runs demo.py, or the test module's own DEMO."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = Path(__file__).with_name(getattr(request.module, "DEMO", "demo.py"))
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [
        sys.executable, "-m", "streamlit", "run", str(script),
        f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true",
    ]  # fmt: skip
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=10)


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the demo server did not start:\n{log.read_text()}")


@pytest.fixture
def page(chromium: Browser, server: str) -> Iterator[Page]:
    """A page that fails the test on console errors and on requests that leave this machine."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(f"page error: {error}"))
    opened.on(
        "console",
        lambda message: (
            problems.append(f"console: {message.text} {message.location.get('url')}")
            if message.type == "error" and not message.location.get("url", "").endswith(ALLOWED)
            else None
        ),
    )
    local = (server, server.replace("http", "ws"), "blob:", "data:", "file:")
    opened.on(
        "request",
        lambda request: (
            None if request.url.startswith(local) else problems.append(f"request: {request.url}")
        ),
    )
    yield opened
    context.close()
    assert problems == []
