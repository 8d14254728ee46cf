"""Who reaches a port of the cluster's without its token gets nothing."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2

from core.engine import Request
from core.engine.sealed import seal
from core.outputs.families import TextModel
from tests.serving.cluster import REPLICA, Cluster

LISTENS = "0A"  # /proc/net/tcp's word for it
JOIN = "import ray; ray.init(address='127.0.0.1:{}', _node_ip_address='127.0.0.1')"
SOON = 120  # seconds


def listening(port: int) -> Iterator[str]:
    """The addresses on which somebody listens at a port, in /proc's hexadecimal."""
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            address, _, number = local.partition(":")
            if state == LISTENS and int(number, 16) == port:
                yield address


def test_serve_listens_on_loopback_alone(running: Cluster):
    assert list(listening(running.port)) == ["0100007F"]


def test_a_message_with_another_seal_is_refused(running: Cluster):
    asked = seal(Request.of(TextModel.trace, "minilm-l6", "The cat sat."), b"1" * 32)
    for body in (asked, b"", b"GET me in"):
        answer = httpx2.post(f"http://{running.address}/", content=body, timeout=SOON)
        assert answer.status_code == 403


def test_nobody_joins_the_cluster_without_its_token(running: Cluster):
    """Ray's own ports listen on every interface, whatever it is told."""
    (gcs,) = running.processes("gcs_server")
    command = Path(f"/proc/{gcs}/cmdline").read_text()
    found = re.search(r"--gcs_server_port=(\d+)", command)
    port = found[1] if found and found[1] != "0" else gcs_port(running)
    stranger = os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "a stranger's"}
    tried = subprocess.run(
        [sys.executable, "-c", JOIN.format(port)],
        env=stranger,
        capture_output=True,
        text=True,
        timeout=SOON,
    )
    assert tried.returncode != 0
    assert "token" in tried.stderr.lower()


def gcs_port(running: Cluster) -> str:
    (raylet,) = running.processes("raylet/raylet")
    command = Path(f"/proc/{raylet}/cmdline").read_text()
    found = re.search(r"--gcs-address=[\d.]+:(\d+)", command)
    assert found
    return found[1]


def test_two_replicas_share_a_graphics_card(running: Cluster):
    assert len(running.processes(REPLICA)) == 2
