"""Hub models against a server on loopback: what is fetched, refused, resumed and kept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hub_client import answered
from tests.hub_server import REPOSITORY, REVISION, HubServer
from tests.tiny import save_tiny

pytestmark = pytest.mark.slow
CLIENT = """
import json, sys, time
time.sleep = lambda seconds: None  # no pauses between attempts
import core.catalog.hub
from core.catalog import Family, ModelCard, Origin
from core.errors import ModelUnavailableError

wish = json.loads(sys.argv[1])
for name, value in wish["limits"].items():
    setattr(core.catalog.hub, name, value)
if wish["room"] is not None:  # bytes on the disk
    import errno
    import huggingface_hub.file_download as files
    get = files.http_get

    class Full:
        def __init__(self, file):
            self.file = file

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            wish["room"] -= len(data)
            if wish["room"] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self.file.write(data)

    files.http_get = lambda url, file, **more: get(url, Full(file), **more)
card = ModelCard("tiny", "Tiny BERT", Family.TEXT_ENCODER, "", 3, 4, 32, 0, "none", "",
                 Origin.HUB, repository=wish["repository"], revision=wish["revision"])
progress = []
try:
    folder = core.catalog.hub.fetch(card, lambda done, total: progress.append((done, total)))
    answer = {"folder": str(folder), "files": sorted(path.name for path in folder.iterdir())}
except ModelUnavailableError as error:
    answer = {"error": str(error)}
print(json.dumps(answer | {"progress": progress}))
"""

Fetch = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT beside files that a real repository also carries."""
    folder = save_tiny("bert", tmp_path_factory.mktemp("repository"))
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    (folder / "modeling_evil.py").write_text("raise SystemExit")
    (folder / "README.md").write_text("# Tiny")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.safetensors").write_bytes(b"not this one")
    return folder


@pytest.fixture
def hub(repository: Path) -> Iterator[HubServer]:
    with HubServer(repository).running() as server:
        yield server


@pytest.fixture
def fetch(tmp_path: Path) -> Fetch:
    """Ask for the model in a fresh process whose hub is at `url`; one cache a test."""

    def ask(
        url: str, *, revision: str | None = REVISION, room: int | None = None, **limits: int
    ) -> dict[str, Any]:
        wish = {"repository": REPOSITORY, "revision": revision, "limits": limits, "room": room}
        return answered(CLIENT, url, tmp_path, wish)

    return ask


def wanted(repository: Path) -> dict[str, int]:
    """The files at the top whose kind is allowed, with their sizes."""
    allowed = (".safetensors", ".json", ".txt", ".model", ".spm")
    return {p.name: p.stat().st_size for p in repository.iterdir() if p.suffix in allowed}


def test_download_asks_for_allowed_files_only_and_tells_its_progress(
    hub: HubServer, fetch: Fetch, repository: Path
):
    got = fetch(hub.url)
    files = wanted(repository)
    assert got["files"] == sorted(files)
    assert sorted(hub.downloaded()) == sorted(files)
    total = sum(files.values())
    done = [entry[0] for entry in got["progress"]]
    assert {entry[1] for entry in got["progress"]} == {total}
    assert done[0] == 0, "told, and can be cancelled, before the first bytes"
    assert done == sorted(done), "progress never goes back"
    assert done[-1] == total


def test_the_fetched_folder_is_a_model(hub: HubServer, fetch: Fetch):
    import core

    model = core.load(Path(fetch(hub.url)["folder"]))
    assert model.trace("the cat sat .").n_layers() == 3


def test_second_call_asks_nothing_and_works_without_a_network(fetch: Fetch, repository: Path):
    with HubServer(repository).running() as server:
        first = fetch(server.url)
        asked = len(server.requests)
        assert fetch(server.url)["folder"] == first["folder"]
        assert len(server.requests) == asked
    again = fetch(server.url)  # nobody listens there now
    assert again["folder"] == first["folder"]


def test_without_a_pinned_revision_the_current_one_comes(hub: HubServer, fetch: Fetch):
    got = fetch(hub.url, revision=None)
    assert Path(got["folder"]).name == REVISION


def test_no_network_is_said(fetch: Fetch):
    error = fetch("http://127.0.0.1:9")["error"]
    assert "Tiny BERT comes from the hub, which can't be reached now" in error
    assert "Connect to a network" in error


def test_refused_without_safetensors(tmp_path: Path, fetch: Fetch):
    folder = tmp_path / "pickled"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    with HubServer(folder).running() as server:
        assert "has no safetensors weights" in fetch(server.url)["error"]
        assert server.downloaded() == []


def test_too_large_is_refused_before_a_byte_of_it(hub: HubServer, fetch: Fetch):
    hub.claimed_sizes["model.safetensors"] = 3 * 10**9
    error = fetch(hub.url)["error"]
    assert "would download 3 GB; the limit is 2 GB" in error
    assert hub.downloaded() == []


def test_a_full_disk_is_refused_before_a_byte(hub: HubServer, fetch: Fetch):
    error = fetch(hub.url, FREE_SPACE_LEFT=10**18)["error"]
    assert "must stay free. Make room and try again" in error
    assert hub.downloaded() == []


def test_a_disk_that_runs_full_is_told_and_keeps_no_half_a_file(
    hub: HubServer, fetch: Fetch, repository: Path, tmp_path: Path
):
    files = wanted(repository)
    room = sum(files.values()) - files["model.safetensors"] // 2
    error = fetch(hub.url, room=room)["error"]
    assert error == "The disk ran full while Tiny BERT came. Make room and try again."
    kept = [path for path in (tmp_path / "hub").rglob("*") if path.is_file()]
    assert [path.name for path in kept if "incomplete" in path.name] == []
    assert sum(path.lstat().st_size for path in kept if not path.is_symlink()) < room
    assert not any(path.name == "model.safetensors" for path in kept)
    again = fetch(hub.url)
    assert _same_weights(again["folder"], repository)
    assert again["files"] == sorted(files)


def test_a_line_that_breaks_once_is_taken_up_where_it_broke(
    hub: HubServer, fetch: Fetch, repository: Path
):
    hub.cut_after["model.safetensors"] = 20_000
    got = fetch(hub.url)
    assert hub.downloaded().count("model.safetensors") == 2
    assert _same_weights(got["folder"], repository)
    assert got["progress"][-1][0] == got["progress"][-1][1]


def test_an_interrupted_download_is_told_and_can_be_tried_again(
    hub: HubServer, fetch: Fetch, repository: Path
):
    hub.refused.add("model.safetensors")
    assert "can't be reached now" in fetch(hub.url)["error"]
    hub.refused.clear()
    assert _same_weights(fetch(hub.url)["folder"], repository)


def test_a_line_that_goes_dead_for_good_is_told(hub: HubServer, fetch: Fetch):
    hub.dead_after["model.safetensors"] = 20_000
    assert "can't be reached now" in fetch(hub.url)["error"]


def test_a_folder_that_another_program_filled_in_part_is_completed(
    hub: HubServer, fetch: Fetch, repository: Path, tmp_path: Path
):
    """`AutoConfig.from_pretrained` leaves a snapshot with config.json and nothing else."""
    owner, name = REPOSITORY.split("/")
    snapshot = tmp_path / "hub" / f"models--{owner}--{name}" / "snapshots" / REVISION
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_bytes((repository / "config.json").read_bytes())
    assert _same_weights(fetch(hub.url)["folder"], repository)


def _same_weights(folder: str, repository: Path) -> bool:
    name = "model.safetensors"
    return (Path(folder) / name).read_bytes() == (repository / name).read_bytes()
