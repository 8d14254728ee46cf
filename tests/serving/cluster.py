"""A Ray of one's own, on this machine's loopback alone: `python -m tests.serving.cluster PORT {}`.

It deploys .deploy/serve.yaml, says "ready", and ends with its standard input. What stands in the
braces goes before the tests' own settings of the deployment.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.engine.remote import RayEngine
from core.engine.sealed import secret

ROOT: Final = Path(__file__).parents[2]
REPLICA: Final = "ray::ServeReplica"
TOKEN: Final = "a token of the tests, which nothing else takes"
# A queue that can be filled, and replicas that are missed soon.
SMALL: Final = {
    "autoscaling_config": None,
    "num_replicas": 2,
    "max_ongoing_requests": 4,
    "max_queued_requests": 8,
    "health_check_period_s": 1,
    "graceful_shutdown_timeout_s": 1,
    "ray_actor_options": {"num_cpus": 0.5, "num_gpus": 0.25},  # of a card that Ray is told of
}


@dataclass(frozen=True)
class Cluster:
    """What answers at an address."""

    port: int
    root: int  # the process that began all others

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def processes(self, name: str) -> list[int]:
        """Those of this cluster whose command has that name in it."""
        return [pid for pid, command in _family(self.root) if name in command]

    @property
    def logs(self) -> Path:
        """Where Serve's processes write, one file a replica."""
        said = " ".join(command for _, command in _family(self.root))
        session = re.search(r"/tmp/ray/session_[\w-]+", said)
        assert session, "Ray says nowhere where its session lies"
        return Path(session[0]) / "logs" / "serve"

    def kill(self, name: str) -> None:
        found = self.processes(name)
        assert found, f"there is no {name}"
        for pid in found:
            _kill(pid)

    def wait_for_replicas(self, number: int, *, most: int = 100, seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while not number <= len(self.processes(REPLICA)) <= most:
            assert time.monotonic() < until, "no replica came, or went"
            time.sleep(0.2)


@contextmanager
def cluster(port: int, settings: Mapping[str, object] | None = None) -> Iterator[Cluster]:
    """Its processes are gone afterwards, whatever happened to them."""
    environment = os.environ | {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": TOKEN,
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }
    command = [sys.executable, "-m", "tests.serving.cluster", str(port), json.dumps(settings or {})]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert said == "ready\n", said
            yield Cluster(port, process.pid)
        finally:
            for pid, _ in _family(process.pid):
                _kill(pid)


def _family(root: int) -> list[tuple[int, str]]:
    """A process and all that come from it, with their commands."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text()
            commands[int(entry.name)] = (entry / "cmdline").read_text(errors="ignore")
        except OSError:  # it has ended meanwhile
            continue
        parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = [root]
    for one in found:  # which grows
        found += [pid for pid, parent in parents.items() if parent == one]
    return [(pid, commands[pid]) for pid in found if pid in commands]


@contextmanager
def asking(running: Cluster) -> Iterator[RayEngine]:
    """An engine whose models are there; every model may be asked for."""
    engine = RayEngine(running.address, secret(), lambda _: None)
    yield engine
    engine.close()


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def config(port: int, settings: Mapping[str, object]) -> dict[str, Any]:
    """The project's, for this port and these tests."""
    import yaml

    told = yaml.safe_load((ROOT / ".deploy" / "serve.yaml").read_text())
    told["http_options"]["port"] = port
    told["applications"][0]["deployments"][0] |= SMALL | settings
    return told


def main(port: int, settings: Mapping[str, object]) -> None:
    import ray
    from ray import serve
    from ray.serve.schema import ServeDeploySchema

    ray.init(
        num_cpus=2,
        num_gpus=1,
        include_dashboard=False,
        object_store_memory=200_000_000,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    told = ServeDeploySchema.model_validate(config(port, settings))
    serve.start(proxy_location=told.proxy_location, http_options=told.http_options.model_dump())
    client = serve.context._get_global_client()
    client.deploy_apps(told, _blocking=True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]))
