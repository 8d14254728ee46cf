"""Any repository of the hub, against a server on loopback: what is told before its weights come."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.catalog.any_hub import is_hub_id
from tests.hub_client import answered
from tests.hub_server import REPOSITORY, HubServer
from tests.tiny import save_tiny

CLIENT = """
import json, sys, warnings
import core
from core.catalog.any_hub import look_up
from core.models.foreseen import refuse_unshowable

warnings.simplefilter("default")  # transformers' own
wish = json.loads(sys.argv[1])
try:
    if wish["load"]:
        model = core.load(wish["repository"], device="cpu")
        answer = {"layers": model.trace("the cat sat .").n_layers(), "id": model.card.id}
    else:
        found = look_up(wish["repository"])
        refuse_unshowable(found.card, found.folder)
        card = found.card
        answer = {"family": card.family, "licence": card.licence, "bytes": found.nbytes,
                  "kind": found.kind, "size": [card.layers, card.heads], "id": card.id}
except (core.InputError, core.ModelUnavailableError) as error:
    answer = {"error": str(error)}
print(json.dumps(answer))
"""

Look = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny("bert", tmp_path_factory.mktemp("repository"))


@pytest.fixture
def look(tmp_path: Path) -> Look:
    def ask(hub: HubServer | str, repository: str = REPOSITORY, *, load: bool = False):
        url = hub if isinstance(hub, str) else hub.url
        wish = {"repository": repository, "load": load}
        return answered(CLIENT, url, tmp_path / "home", wish)

    return ask


def changed(repository: Path, folder: Path, **config: object) -> Path:
    """The same files with another config.json."""
    folder.mkdir()
    for path in repository.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("tester/tiny-bert", True),
        ("google-bert/bert_1.0", True),
        ("gpt2", False),
        ("/home/me/model", False),
        ("../model", False),
        ("a/b/c", False),
        ("owner/..", False),
        ("öwner/name", False),
        ("", False),
    ],
)
def test_what_can_be_a_repository(text: str, is_one: bool):
    assert is_hub_id(text) == is_one


@pytest.mark.slow
def test_family_size_and_licence_are_told_before_a_weight_comes(look: Look, repository: Path):
    with HubServer(repository, licence="apache-2.0").running() as hub:
        told = look(hub)
        sent = sum(path.stat().st_size for path in repository.iterdir())
        assert told == {"family": "text-encoder", "licence": "apache-2.0", "bytes": sent,
                        "kind": "bert", "size": [3, 4], "id": REPOSITORY}  # fmt: skip
        assert hub.downloaded() == ["config.json"]


@pytest.mark.slow
def test_a_notebook_opens_it_by_its_name_and_again_without_a_network(look: Look, repository: Path):
    with HubServer(repository).running() as hub:
        assert look(hub, load=True) == {"layers": 3, "id": REPOSITORY}
    assert look("http://127.0.0.1:9", load=True) == {"layers": 3, "id": REPOSITORY}


@pytest.mark.slow
def test_what_cannot_be_had_is_said_in_words(look: Look, repository: Path, tmp_path: Path):
    with HubServer(repository).running() as hub:
        assert "The hub has no model “nobody/nothing”" in look(hub, "nobody/nothing")["error"]
        hub.gated = True
        assert f"{REPOSITORY} is gated" in look(hub)["error"]
        hub.gated = False
        hub.claimed_sizes["model.safetensors"] = 40 * 10**9
        assert "would download 40 GB; the limit is 2 GB" in look(hub)["error"]
        assert hub.downloaded() == []
    assert "can't be reached now" in look("http://127.0.0.1:9")["error"]
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "pytorch_model.bin").write_bytes(b"a pickle")
    with HubServer(bare).running() as hub:
        assert "no safetensors weights" in look(hub)["error"]
        (bare / "model.safetensors").write_bytes(b"")
        assert "has no config.json" in look(hub)["error"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "rwkv", "architectures": ["RwkvForCausalLM"]}, "no attention heads"),
        ({"model_type": "new", "auto_map": {"AutoModel": "m.New"}}, "code of its own"),
        ({"model_type": "resnet", "architectures": ["ResNetForImageClassification"]}, "patches"),
        ({"architecture": "made_up_vit"}, "does not know"),
        ({"model_type": "wav2vec2", "architectures": ["Wav2Vec2Model"]}, "reads sound"),
    ],
)
def test_a_family_that_cannot_be_shown_is_refused_before_its_weights_come(
    look: Look, repository: Path, tmp_path: Path, config: dict[str, object], said: str
):
    with HubServer(changed(repository, tmp_path / "other", **config)).running() as hub:
        assert said in look(hub)["error"]
        assert hub.downloaded() == ["config.json"]


@pytest.mark.slow
def test_a_download_that_broke_off_between_two_files_is_not_taken_for_whole(
    look: Look, repository: Path, tmp_path: Path
):
    config = json.loads((repository / "config.json").read_text("utf-8"))
    folder = changed(repository, tmp_path / "sharded", **config)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    (folder / "model-00002-of-00002.safetensors").write_bytes(b"late")
    shards = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    index = {"metadata": {}, "weight_map": shards}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with HubServer(folder, refused={"model-00002-of-00002.safetensors"}).running() as hub:
        assert "can't be reached now" in look(hub, load=True)["error"]
        assert "can't be reached now" in look(hub, load=True)["error"]
