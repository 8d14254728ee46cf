"""What a start waits for, and what it does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.services.settings import (
    ENGINE_SETTING,
    FRAMES_SETTING,
    HUB_SETTING,
    MEMORY_SETTING,
    ROOMS_SETTING,
)
from app.web.start import FIRST

LATE = (
    "torch",
    "transformers",
    "timm",
    "plotly",
    "pandas",
    "pyarrow",
    "huggingface_hub",
    "prometheus_client",
    "redis",
    "tqdm",
    "app.views.vision",
)


NONSENSE = [
    (MEMORY_SETTING, "2G"),
    (HUB_SETTING, "yes"),
    (FRAMES_SETTING, "https://a.org;script-src"),
    (FRAMES_SETTING, "moodle"),
    (ROOMS_SETTING, "/no/such/folder/rooms.db"),
    (ROOMS_SETTING, "redis://"),
    (ROOMS_SETTING, "redis://host:port/0"),
    (ROOMS_SETTING, "redis://host/zero"),
    (ROOMS_SETTING, "redis://host:6379/0?socket_timeout=9"),
]


@pytest.mark.parametrize(("setting", "value"), NONSENSE)
def test_a_setting_that_is_nonsense_ends_it_with_a_sentence(setting: str, value: str):
    asked = [sys.executable, "-m", "app.web.start", "--server.port=0"]
    told = subprocess.run(
        asked, env=os.environ | {setting: value}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert f"not “{value}”" in told.stderr
    assert "Traceback" not in told.stderr


def test_nothing_that_the_first_screen_does_not_need_is_imported_before_it():
    first = (
        "import sys\n"
        "from app.web.start import _without\n"
        "with _without('plotly'):\n"
        "    import streamlit\n"
        "import app.main\n"
        f"for path in {FIRST}: app.main.navigation.page(path)\n"
        f"print([name for name in {LATE} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_ray_without_a_token_ends_it_before_a_page_breaks(tmp_path: Path):
    token = {"RAY_AUTH_TOKEN": "", "RAY_AUTH_TOKEN_PATH": str(tmp_path / "token")}
    asked = [sys.executable, "-m", "app.web.start", "--server.port=0"]
    told = subprocess.run(
        asked,
        env=os.environ | token | {ENGINE_SETTING: "ray:auto"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert told.returncode == 2
    assert f"neither RAY_AUTH_TOKEN nor {tmp_path / 'token'}" in told.stderr
    assert "Traceback" not in told.stderr


def test_numpy_takes_one_thread_unless_told_otherwise():
    begun = (
        "import os, sys\n"
        "from streamlit.web import cli\n"
        "from app.web import start\n"
        "cli.main = lambda *_, **__: None\n"
        "assert 'numpy' not in sys.modules\n"
        "start.main()\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'])\n"
    )
    usual = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for told, threads in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        asked = [sys.executable, "-c", begun]
        run = subprocess.run(asked, env=usual | told, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == threads


def test_what_a_connection_sends_leaves_at_once():
    first = (
        "import socket\n"
        "from streamlit.web import cli\n"
        "from streamlit.web.server.starlette import starlette_server\n"
        "from app.web import start\n"
        "cli.main = lambda *_, **__: None\n"
        "start.main()\n"
        "listening = starlette_server._bind_socket('127.0.0.1', 0, 1)\n"
        "listening.setblocking(True)\n"
        "client = socket.create_connection(listening.getsockname())\n"
        "ours, _ = listening.accept()\n"
        "print(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))\n"
    )
    run = subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True)
    assert int(run.stdout)
