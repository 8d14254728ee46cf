"""The app as a real server on a free port, with no network."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread, Timer
from typing import IO

from app.services.settings import LOGS_SETTING

ROOT = Path(__file__).parents[2]
START_LIMIT = 120  # seconds
USUAL = {"HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1", LOGS_SETTING: "plain"}
ADDRESS = re.compile(r"URL: (http://\S+)")


@dataclass(frozen=True)
class Server:
    """A running app, and what Linux says of its process."""

    address: str
    pid: int

    @property
    def cpu_seconds(self) -> float:
        """Of all its threads, so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """Bytes."""
        return self._kilobytes("VmRSS") * 1024

    @property
    def peak(self) -> int:
        """The most that it was resident with, in bytes."""
        return self._kilobytes("VmHWM") * 1024

    def _kilobytes(self, name: str) -> int:
        told = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s+(\d+)", told, re.MULTILINE)[1])  # type: ignore[index]


@contextmanager
def running_server(**settings: str) -> Iterator[str]:
    """The app's address, with `settings` in its environment; no traceback may enter its log."""
    with running_process(**settings) as server:
        yield server.address


@contextmanager
def running_process(**settings: str) -> Iterator[Server]:
    """The same as a process that can be measured."""
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "app.web.start"),
            *("--server.port=0", "--server.address=127.0.0.1", "--server.headless=true"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | USUAL | settings,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        log: list[str] = []
        try:
            address = _address(process, log)
            drain = Thread(target=log.extend, args=(process.stdout,))
            drain.start()
            yield Server(address, process.pid)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
        drain.join()
    text = "".join(log)
    assert "Traceback" not in text, text[-3000:]
    assert "external IP" not in text  # no stranger is asked


def _address(process: subprocess.Popen[str], log: list[str]) -> str:
    """What the server prints once it listens."""
    limit = Timer(START_LIMIT, process.kill)
    limit.start()
    output: IO[str] | None = process.stdout
    assert output is not None
    for line in output:
        log.append(line)
        if found := ADDRESS.search(line):
            limit.cancel()
            return found[1]
    limit.cancel()
    raise AssertionError(f"the app did not start within {START_LIMIT} s:\n{''.join(log)[-3000:]}")
