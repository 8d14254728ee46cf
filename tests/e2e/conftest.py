"""One real server and a real browser: what a reader meets, and what no reader may ever see."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

ROOT = Path(__file__).parent.parent.parent
START_LIMIT = 60  # seconds
# A deep link makes Streamlit ask for these below the page's path, in vain, once each.
EXPECTED_404 = ("/_stcore/health", "/_stcore/host-config")
OWN_FAMILIES = ("bert", "gpt2", "llama", "marian", "t5", "deberta")
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def own_checkpoints(tiny_checkpoint: Callable[[str], Path], tmp_path_factory) -> dict[str, Path]:
    """Tiny models that the test server offers, and a directory that is no checkpoint."""
    folders = {family: tiny_checkpoint(family) for family in OWN_FAMILIES}
    broken = tmp_path_factory.mktemp("broken")
    (broken / "config.json").write_text('{"model_type": "bert"}')
    (broken / "pytorch_model.bin").write_bytes(b"\x80\x04pickle")
    return folders | {"broken": broken}


@pytest.fixture(scope="session")
def server(own_checkpoints: dict[str, Path], tmp_path_factory) -> Iterator[str]:
    """The app with no network, offering the tiny models; yields its address."""
    with offering(own_checkpoints.values(), tmp_path_factory.mktemp("server")) as address:
        yield address


@contextmanager
def offering(checkpoints: Iterable[Path], folder: Path) -> Iterator[str]:
    """The app with no network, offering these directories; a module's own `server` uses it."""
    settings = {
        "HF_HUB_OFFLINE": "1",
        "GLASSFORMER_CHECKPOINTS": os.pathsep.join(map(str, checkpoints)),
    }
    with running_server(folder, settings) as address:
        yield address


@contextmanager
def running_server(folder: Path, settings: dict[str, str]) -> Iterator[str]:
    """The app on a free port; afterwards, no traceback may be in its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (folder / "log").open("w+b")
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app/main.py", f"--server.port={port}"],
        cwd=ROOT,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=os.environ | settings,
    )
    address = f"http://127.0.0.1:{port}"
    _wait_until_healthy(address, process)
    yield address
    process.terminate()
    process.wait(20)
    log.seek(0)
    text = log.read().decode("utf-8", "replace")
    log.close()
    assert "Traceback" not in text, text[-3000:]


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the app did not start within {START_LIMIT} s")


@dataclass
class App:
    """A browser page on the app, which keeps an eye on errors and on where requests go."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._on_request)

    def open(self, path: str = "", **params: str) -> Page:
        """Go to a page by its link and wait until it stands still."""
        query = f"?{urlencode(params)}" if params else ""
        self.page.goto(f"{self.address}/{path}{query}")
        return self.settled()

    def settled(self) -> Page:
        """Wait until the server has answered everything that was asked."""
        self.page.wait_for_timeout(250)  # widgets hold back their changes for a moment
        self.page.wait_for_selector(
            '[data-testid="stApp"][data-test-connection-state="CONNECTED"]'
            '[data-test-script-state="notRunning"]',
            timeout=60_000,
        )
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
        self.page.wait_for_timeout(150)
        return self.page

    def _on_console(self, message: ConsoleMessage) -> None:
        place = message.location.get("url", "")
        if message.type == "error" and not place.endswith(EXPECTED_404):
            self.errors.append(f"{message.text} ({place})")

    def _on_request(self, request: Request) -> None:
        local = (self.address, "data:", "blob:", "about:", self.address.replace("http", "ws"))
        if not request.url.startswith(local):
            self.strangers.append(request.url)


@pytest.fixture
def app(chromium: Browser, server: str, request: pytest.FixtureRequest) -> Iterator[App]:
    """A fresh reader. Whatever a test does, no console error and no foreign request."""
    options = getattr(request, "param", {}) or {}
    context = chromium.new_context(
        **({"viewport": {"width": 1440, "height": 900}, "accept_downloads": True} | options)
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    reader = App(context.new_page(), server)
    reader.watch()
    yield reader
    context.close()
    assert reader.errors == []
    assert reader.strangers == []
