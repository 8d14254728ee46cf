"""The two ways to start it: a platform's line, and `make app`."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds: a platform gives that long


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_procfiles_line_answers_on_the_port_it_is_given():
    found = re.fullmatch(r"web: (.+)\n", (ROOT / "Procfile").read_text())
    assert found
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"PORT": str(port := free_port()), "PATH": path}
    with subprocess.Popen(["sh", "-c", f"exec {found[1]}"], cwd=ROOT, env=environment) as process:
        try:
            answer = health(port, process)
        finally:
            process.terminate()
    assert answer == "ok"


def health(port: int, process: "subprocess.Popen[bytes]") -> str:
    """Asked until it listens, while it runs."""
    address = f"http://127.0.0.1:{port}/_stcore/health"
    while process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                return answer.read().decode()
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.05)
    pytest.fail(f"it ended with {process.returncode}")


@pytest.mark.parametrize(
    ("asked", "address", "told"),
    [
        ((), "127.0.0.1", False),
        (("HOST=localhost",), "localhost", False),
        (("HOST=0.0.0.0",), "0.0.0.0", True),
    ],
)
def test_make_app_listens_on_this_machine_alone_unless_told(
    asked: tuple[str, ...], address: str, *, told: bool
):
    planned = subprocess.run(
        ["make", "--dry-run", "--always-make", "app", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"-m app.web.start --server.port=8501 --server.address={address}\n" in planned
    assert ("Everybody who reaches this machine's port 8501" in planned) == told
