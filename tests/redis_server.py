"""A Redis of a test's own, on a free port of this machine; nothing of it is kept."""

import signal
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

NO_REDIS = "NO REDIS-SERVER ON THIS MACHINE: ROOMS IN REDIS ARE NOT TESTED"


class RedisServer:
    """It may be ended, started again, and held still."""

    def __init__(self, command: str, folder: Path, port: int, *options: str) -> None:
        self.port = port
        usual = ("--bind", "127.0.0.1", "--dir", str(folder), "--save", "")
        self._command = (command, "--port", str(port), *usual, *options)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self, listens: int | None = None) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", listens or self.port), 1).close()
            except OSError:
                assert self._process.poll() is None, "redis-server has ended"
                assert time.monotonic() < until, "redis-server does not listen"
                time.sleep(0.01)
            else:
                return

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @contextmanager
    def held(self) -> Generator[None]:
        """It answers nobody, as if the network had lost it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)
