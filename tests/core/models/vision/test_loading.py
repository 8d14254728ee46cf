"""Picture models of the hub: what the catalog says of them, and timm's own layout opened."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import timm
import torch
import transformers
from timm.models import get_pretrained_cfg, save_for_hf

from core.catalog import CATALOG, Family, Origin, card_of
from core.catalog.hub import _is_whole
from core.models.vision.loading import load_vision_model
from core.models.vision.patch_grid import prefix_of

PICTURES = [card for card in CATALOG if card.family == Family.VISION and card.origin == Origin.HUB]
HUB = [card for card in PICTURES if card.repository.startswith("timm/")]
OF_TRANSFORMERS = {"vit-base-16-google": ("ViTForImageClassification", "ViTConfig")}
PREFIXES = {"vit-base-16": 1, "deit-base-distilled": 2, "dino-small-16": 1}
PREFIXES |= {"dinov2-small-registers": 5, "siglip-base-16": 0, "swin-tiny": 0}


@pytest.mark.parametrize("card", HUB, ids=lambda card: card.id)
def test_the_catalog_says_what_timm_builds(card):
    _, name = card.repository.split("/")
    with torch.device("meta"):  # no memory: B-sized models are only counted
        module = timm.create_model(name, pretrained=False)
    known = get_pretrained_cfg(name)
    assert known is not None
    assert known.license == card.licence.lower()
    assert sum(parameter.numel() for parameter in module.parameters()) == card.parameters
    attentions = [part for path, part in module.named_modules() if path.endswith("attn")]
    assert (len(attentions), attentions[0].num_heads) == (card.layers, card.heads)
    assert module.num_features == card.d_model
    assert len(prefix_of(module)) == PREFIXES[card.id]
    assert ("no classes" in card.task) == (module.num_classes == 0)


def test_the_catalog_says_what_transformers_builds():
    others = {card.id: card for card in PICTURES if card not in HUB}
    assert others.keys() == OF_TRANSFORMERS.keys()
    for model_id, (kind, config) in OF_TRANSFORMERS.items():
        card, shape = others[model_id], getattr(transformers, config)(num_labels=1000)
        with torch.device("meta"):
            module = getattr(transformers, kind)(shape)
        assert sum(parameter.numel() for parameter in module.parameters()) == card.parameters
        assert (shape.num_hidden_layers, shape.num_attention_heads) == (card.layers, card.heads)
        assert shape.hidden_size == card.d_model


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> tuple[Path, torch.nn.Module]:
    """A folder as timm pushes it to the hub; its older ones tell no model_args."""
    folder = tmp_path_factory.mktemp("repository")
    torch.manual_seed(0)
    module = timm.create_model("vit_tiny_patch16_224", num_classes=1000).eval()
    save_for_hf(module, folder, safe_serialization=True)
    config = json.loads((folder / "config.json").read_text())
    config.pop("model_args", None)
    (folder / "config.json").write_text(json.dumps(config))
    return folder, module


def test_a_repository_of_timms_is_opened_with_imagenets_names(repository):
    folder, module = repository
    card = card_of("vit-base-16")
    assert card is not None
    model = load_vision_model(card, folder, torch.device("cpu"))
    pixels = torch.randn(1, 3, 224, 224)
    with torch.no_grad():
        torch.testing.assert_close(model.module(pixels), module(pixels))
    assert model.labels[:3] == ("tench", "goldfish", "great white shark")
    assert len(model.labels) == model.n_classes == 1000
    assert len(set(model.labels)) == 999  # ImageNet has two cranes: the bird, the machine


def test_a_readers_thousand_classes_are_not_taken_for_imagenets(repository):
    folder, _ = repository
    card = card_of("vit-base-16")
    assert card is not None
    own = replace(card, origin=Origin.DIRECTORY, repository="")
    assert load_vision_model(own, folder, torch.device("cpu")).labels[:2] == ("0", "1")


def test_a_picture_models_cache_is_whole_without_a_tokenizer(repository, tmp_path: Path):
    folder, _ = repository
    assert _is_whole(folder, Family.VISION)
    assert not _is_whole(folder, Family.TEXT_ENCODER)
    assert not _is_whole(tmp_path, Family.VISION)
