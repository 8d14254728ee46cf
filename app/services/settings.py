"""What the server's owner sets; app/web/start.py refuses nonsense before the server is there.

Every start waits for this check: it imports nothing heavy.
"""

import os
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import parse_qs, urlsplit

MEMORY_SETTING: Final = "GLASSFORMER_MEMORY"  # bytes for models, answers, trainings together
HUB_SETTING: Final = "GLASSFORMER_OPEN_HUB"  # 1: readers may open any model; 0: the catalog alone
FRAMES_SETTING: Final = "GLASSFORMER_FRAMES"  # whose pages may show it in a frame, besides its own
ENGINE_SETTING: Final = "GLASSFORMER_ENGINE"  # embedded, or what answers in its place
METRICS_SETTING: Final = "GLASSFORMER_METRICS"  # 1: /metrics for whoever comes; 0: for nobody
ROOMS_SETTING: Final = (
    "GLASSFORMER_ROOMS"  # the file, or the Redis, in which web processes share rooms
)
LOGS_SETTING: Final = "GLASSFORMER_LOGS"  # json or plain; else as it is written to no terminal
HERE: Final = "127.0.0.1:8000"  # where Ray Serve listens on this machine
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")  # the names of a machine to itself alone
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy's headers
REDIS: Final = "redis://", "rediss://"
TLS: Final = {
    "ssl_ca_certs",
    "ssl_certfile",
    "ssl_keyfile",
}  # files that a Redis's address may name
SITE: Final = re.compile(r"\*|https?://(\*\.)?[\w.-]+(:\d+)?")

Value = TypeVar("Value")


def memory() -> int | None:
    """The bytes that models, their answers and trainings may take together; None: not set."""
    return _told(_memory)


def open_hub() -> bool | None:
    """Whether readers may open any model of the hub, and any folder; None: not set."""
    return _told(lambda: _switch(HUB_SETTING))


def frames() -> str:
    """Sites whose pages may show this one in a frame, as a browser reads them; empty: none."""
    return _told(_frames)


def ray() -> str | None:
    """Host and port of the Ray Serve that answers; None: this process does."""
    return _told(_ray)


def metrics() -> bool | None:
    """Whether anybody may read the server's measurements; None: who asks from this machine."""
    return _told(lambda: _switch(METRICS_SETTING))


def rooms() -> Path | str | None:
    """The file that keeps rooms, or a Redis's address; None: this process's memory does."""
    return _told(_rooms)


def plain_logs() -> bool:
    """Lines for people; else one JSON object an event."""
    return _told(_plain_logs)


def _told(read: Callable[[], Value]) -> Value:
    try:
        return read()
    except ValueError as error:
        from core.errors import InputError

        raise InputError(str(error)) from None


def _memory() -> int | None:
    asked = os.environ.get(MEMORY_SETTING)
    if not asked:
        return None
    try:
        found = int(asked)
    except ValueError:
        found = 0
    if found <= 0:
        raise ValueError(
            f"{MEMORY_SETTING} is a whole number of bytes, such as {2**31}, not “{asked}”."
        )
    return found


def _switch(setting: str) -> bool | None:
    asked = os.environ.get(setting)
    if not asked:
        return None
    if asked not in ("0", "1"):
        raise ValueError(f"{setting} is 1 or 0, not “{asked}”.")
    return asked == "1"


def _plain_logs() -> bool:
    asked = os.environ.get(LOGS_SETTING) or ("plain" if sys.stderr.isatty() else "json")
    if asked not in ("plain", "json"):
        raise ValueError(f"{LOGS_SETTING} is plain or json, not “{asked}”.")
    return asked == "plain"


def _rooms() -> Path | str | None:
    asked = os.environ.get(ROOMS_SETTING)
    if not asked:
        return None
    if asked.startswith(REDIS):
        return _redis(asked)
    file = Path(asked)
    if not (file.parent.is_dir() and os.access(file.parent, os.W_OK)) or file.is_dir():
        raise ValueError(
            f"{ROOMS_SETTING} is a file in a folder that this process writes to, or redis://"
            f"host:port/0, not “{asked}”."
        )
    return file


def _redis(asked: str) -> str:
    try:
        at = urlsplit(asked)
        known = parse_qs(at.query, strict_parsing=True).keys() <= TLS if at.query else True
        right = at.hostname and at.port != 0 and re.fullmatch(r"(/\d*)?", at.path) and known
    except ValueError:  # such as a port that is none
        right = False
    if not right:
        raise ValueError(
            f"{ROOMS_SETTING} is redis://host:port/0, or rediss://user:password@host:port/0, "
            f"not “{re.sub(r'//.*@', '//…@', asked)}”."
        )
    if find_spec("redis") is None:
        raise ValueError(
            f"{ROOMS_SETTING} names a Redis, but its client for Python is not installed: "
            "`pip install redis` brings it."
        )
    return asked


def _frames() -> str:
    asked = os.environ.get(FRAMES_SETTING, "").split()
    for one in asked:
        if not SITE.fullmatch(one):
            raise ValueError(
                f"{FRAMES_SETTING} names sites, such as https://moodle.example.org, with spaces "
                f"between them, or * for all; not “{one}”."
            )
    return " ".join(asked)


def _ray() -> str | None:
    asked = os.environ.get(ENGINE_SETTING) or "embedded"
    if asked == "embedded":
        return None
    name, _, address = asked.partition(":")
    if name != "ray" or not (address == "auto" or re.fullmatch(r"[\w.-]+:\d+", address)):
        raise ValueError(
            f"{ENGINE_SETTING} is embedded, ray:auto ({HERE}) or ray:<host>:<port> of Ray Serve, "
            f"not “{asked}”."
        )
    return HERE if address == "auto" else address


def main() -> int:
    """2 after telling what is wrong, as a command's status."""
    try:
        _memory()
        _switch(HUB_SETTING)
        _switch(METRICS_SETTING)
        _plain_logs()
        _frames()
        _rooms()
        if _ray() is not None:
            from core.engine.sealed import secret

            secret()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
