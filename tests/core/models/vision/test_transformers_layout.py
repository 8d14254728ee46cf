"""The hub's most used picture models in transformers' layout: its own maps, answers, pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from PIL import Image

import core
from core.models.vision.classifier import VisionModel
from core.trace import AttentionKind
from tests.tiny_transformers_pictures import (
    CLASSES,
    DECLINED,
    PICTURES,
    save_transformers_pictures,
)

TOLERANCE = 1e-5
REGISTERS = ("[CLS]", "register 1", "register 2")
PREFIXES = {
    **dict.fromkeys(PICTURES, ("[CLS]",)),
    **dict.fromkeys(("deit", "distilled"), ("[CLS]", "distillation")),
    **dict.fromkeys(("swin", "swinv2", "ijepa", "siglip-vision"), ()),
    "dinov3": REGISTERS,
    "registers": (*REGISTERS, "register 3", "register 4"),
}
HEADLESS = ("registers", "dinov3", "mae", "clip", "clip-vision", "siglip-vision")
WINDOWED = ("swin", "swinv2")
WITH_CLASSES = [name for name in PICTURES if name not in HEADLESS]
Opened = Callable[[str], VisionModel]


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Opened:
    made: dict[str, VisionModel] = {}

    def model(name: str) -> VisionModel:
        if name not in made:
            folder = save_transformers_pictures(name, tmp_path_factory.mktemp(name))
            loaded = core.load(folder, device="cpu")
            assert isinstance(loaded, VisionModel)
            made[name] = loaded
        return made[name]

    return model


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    colours = np.random.default_rng(0).integers(0, 256, (50, 70, 3), dtype=np.uint8)
    return Image.fromarray(colours)


def own_answer(model: VisionModel, picture: Image.Image) -> tuple[list[np.ndarray], Any]:
    """The eager maps of transformers' own model, layer by layer, and its output."""
    own: Any = model.module.model
    kind, folder, config = type(own), model.card.id, own.config
    given = {} if config.model_type == "clip" else {"config": config}
    eager = kind.from_pretrained(folder, attn_implementation="eager", **given).eval()
    maps: list[np.ndarray] = []
    for path, part in eager.named_modules():
        if path.rpartition(".")[0].rpartition(".")[2].isdigit() and path.endswith(
            (".attention", ".self_attn")
        ):
            part.register_forward_hook(lambda _m, _g, made: maps.append(made[1].numpy()))
    processor = hf.AutoImageProcessor.from_pretrained(folder)
    pixels = processor(images=picture, return_tensors="pt")["pixel_values"]
    noise = {"noise": torch.arange(16.0)[None]} if config.model_type == "vit_mae" else {}
    with torch.inference_mode():
        output = eager(pixel_values=pixels, output_hidden_states=True, output_attentions=True,
                       **noise)  # fmt: skip
    return maps, output


@pytest.mark.parametrize("name", PICTURES)
class TestEveryFamily:
    def test_maps_are_transformers_own(self, name: str, opened: Opened, picture: Image.Image):
        model = opened(name)
        trace = model.trace(picture)
        expected, output = own_answer(model, picture)
        assert len(expected) == trace.n_layers() == model.card.layers
        for layer, own in zip(trace.layers[AttentionKind.ENCODER], expected, strict=True):
            found = layer.windows.weights if name in WINDOWED else layer.weights[None]
            np.testing.assert_allclose(found, own, atol=TOLERANCE)
            assert own.std() > 1e-3  # far from uniform: a mix-up would show
        if name not in WINDOWED:
            assert len(output.attentions) == len(expected)

    def test_they_lie_on_the_true_grid(self, name: str, opened: Opened, picture: Image.Image):
        trace = opened(name).trace(picture)
        side = 16 if name in WINDOWED else 4
        assert trace.patches == core.trace.PatchGrid(side, side, len(PREFIXES[name]))
        first = trace.attention(0)
        assert first.query_grid == first.key_grid == trace.patches
        assert opened(name).seen(picture).prefix == PREFIXES[name]

    def test_states_are_transformers_own(self, name: str, opened: Opened, picture: Image.Image):
        states = opened(name).trace(picture).hidden_states()
        expected = own_answer(opened(name), picture)[1].hidden_states
        assert len(states) == opened(name).card.layers + 1
        if name in WINDOWED:  # transformers' are after the stages' merging
            np.testing.assert_allclose(states[0], expected[0][0], atol=TOLERANCE)
            return
        for found, own in zip(states, expected, strict=True):
            np.testing.assert_allclose(found, own[0], atol=TOLERANCE)

    def test_the_picture_is_the_processors(self, name: str, opened: Opened, picture: Image.Image):
        seen = opened(name).seen(picture)
        small = np.asarray(picture.resize((32, 32), Image.Resampling.BILINEAR))
        assert seen.picture.shape == (32, 32, 3)
        assert np.abs(seen.picture.astype(int) - small).max() <= 1

    def test_a_silenced_head_and_a_hidden_patch_change_it(self, name, opened: Opened, picture):
        before = opened(name).trace(picture)
        for change in (core.SilenceHead(0, 1), core.HidePatches((2, 3))):
            after = opened(name).trace(picture, interventions=[change])
            assert np.abs(after.hidden_states()[-1] - before.hidden_states()[-1]).max() > 1e-3


@pytest.mark.parametrize("name", WITH_CLASSES)
def test_classes_are_the_models_logits(name: str, opened: Opened, picture: Image.Image):
    model = opened(name)
    logits = own_answer(model, picture)[1].logits[0]
    made = model.classify(picture)
    expected = logits.softmax(-1)
    assert {one.label for one in made} == set(CLASSES)
    for one in made:
        assert one.probability == pytest.approx(float(expected[CLASSES.index(one.label)]), abs=1e-5)
    np.testing.assert_allclose(model.trace(picture).logits, logits, atol=TOLERANCE)


@pytest.mark.parametrize("name", HEADLESS)
def test_without_a_head_there_are_no_classes(name: str, opened: Opened, picture: Image.Image):
    assert opened(name).card.labels == ()
    with pytest.raises(core.InputError, match="knows no classes"):
        opened(name).classify(picture)


class TestQuestions:
    """What a page asks: answered as of timm's models, or declined with words."""

    @pytest.mark.parametrize("name", ["vit", "deit", "distilled", "beit", "msn", "ijepa"])
    @pytest.mark.parametrize(
        "method", ["rollout", "relevance", "lrp", "gradcam", "legrad", "occlusion"]
    )
    def test_evidence_and_lens(self, name: str, method: str, opened: Opened, picture):
        found = opened(name).evidence(picture, method, core.ClassTarget(1))
        assert found.shape == (4, 4)
        lens = opened(name).patch_logits(picture)  # checks itself against the model's logits
        assert lens.tokens.shape[0] == 3

    def test_declined(self, opened: Opened, picture: Image.Image):
        with pytest.raises(core.InputError, match="pools its tokens in another way"):
            opened("dinov2").evidence(picture, "rollout", core.ClassTarget(1))
        with pytest.raises(core.InputError, match="more between its last layer and its classes"):
            opened("dinov2").patch_logits(picture)
        with pytest.raises(core.InputError, match="looks within windows, on grids that shrink"):
            opened("swin").evidence(picture, "relevance", core.ClassTarget(1))
        with pytest.raises(core.InputError, match="adds no relative position bias"):
            opened("swin").relative_biases()
        with pytest.raises(core.InputError, match="no positions that can be changed"):
            opened("mae").trace(picture, interventions=[core.DropPositions()])
        assert opened("swin").evidence(picture, "gradcam", core.ClassTarget(1)).shape == (16, 16)

    @pytest.mark.parametrize("name", ["vit", "distilled", "registers", "clip-vision"])
    def test_the_table_of_positions(self, name: str, opened: Opened, picture: Image.Image):
        table = opened(name).position_table()
        assert table.prefix_tokens == {"distilled": 2}.get(name, 1)
        assert table.grid == core.trace.PatchGrid(4, 4, len(PREFIXES[name]))
        embedded = opened(name).patch_embedding(picture)
        assert embedded.positions is not None
        states = opened(name).trace(picture).hidden_states()[0][len(PREFIXES[name]) :]
        if name != "clip-vision":  # which norms the sum
            total = embedded.embedded + embedded.positions
            np.testing.assert_allclose(total, states, atol=1e-4)

    @pytest.mark.parametrize("name", ["vit", "distilled", "dinov2"])
    def test_positions_can_be_dropped(self, name: str, tmp_path: Path, picture: Image.Image):
        model = core.load(save_transformers_pictures(name, tmp_path), core.VisionModel)
        dropped = model.trace(picture, interventions=[core.DropPositions()])
        own: Any = model
        own.module.embeddings.position_embeddings.zero_()
        np.testing.assert_allclose(dropped.logits, model.trace(picture).logits, atol=TOLERANCE)


class TestPreprocessing:
    def test_size_crop_and_colours_come_from_the_file(self, tmp_path: Path, picture: Image.Image):
        processor = hf.CLIPImageProcessor(
            size={"shortest_edge": 40}, crop_size={"height": 32, "width": 32}, resample=3
        )
        model: Any = core.load(save_transformers_pictures("clip-vision", tmp_path, processor))
        own = processor(images=picture, return_tensors="pt")["pixel_values"]
        np.testing.assert_array_equal(model._pixels(picture), own)
        shown = model.seen(picture).picture
        resized = picture.resize((56, 40), Image.Resampling.BICUBIC).crop((12, 4, 44, 36))
        assert np.abs(shown.astype(int) - np.asarray(resized)).max() <= 2

    def test_colours_that_are_not_scaled(self, tmp_path: Path, picture: Image.Image):
        processor = hf.ViTImageProcessor(size={"height": 32, "width": 32}, do_normalize=False)
        model: Any = core.load(save_transformers_pictures("vit", tmp_path, processor))
        assert float(model._pixels(picture).min()) >= 0
        assert model.seen(picture).picture.max() > 150

    def test_pictures_of_many_sizes_are_refused(self, tmp_path: Path):
        processor = hf.CLIPImageProcessor(size={"shortest_edge": 32}, do_center_crop=False)
        save_transformers_pictures("vit", tmp_path, processor)
        with pytest.raises(core.InputError, match="gives pictures of different sizes"):
            core.load(tmp_path)

    def test_without_its_file(self, tmp_path: Path):
        save_transformers_pictures("vit", tmp_path)
        (tmp_path / "preprocessor_config.json").unlink()
        with pytest.raises(core.InputError, match=r"has no preprocessor_config\.json"):
            core.load(tmp_path)


@pytest.mark.parametrize("name", DECLINED)
def test_others_are_declined_with_words(name: str, tmp_path: Path, picture: Image.Image):
    save_transformers_pictures(name, tmp_path)
    with pytest.raises(core.InputError, match=r"can't be (laid|shown)"):
        core.load(tmp_path, core.VisionModel).trace(picture)


def test_a_checkpoint_that_is_not_whole(tmp_path: Path):
    from safetensors.torch import load_file, save_file

    save_transformers_pictures("vit", tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    save_file({name: w for name, w in weights.items() if "classifier" not in name},
              tmp_path / "model.safetensors", metadata={"format": "pt"})  # fmt: skip
    with pytest.raises(core.InputError, match=r"lacks 2 weights of ViTForImageClassification"):
        core.load(tmp_path)


def test_a_language_model_of_the_same_kind_stays_one(tmp_path: Path):
    from tests.tiny import BERT_LIKE, tiny_tokenizer

    hf.CLIPTextModel(hf.CLIPTextConfig(**BERT_LIKE)).save_pretrained(tmp_path)
    tiny_tokenizer("bert").save_pretrained(tmp_path)
    assert core.load(tmp_path).card.family == core.catalog.Family.TEXT_ENCODER
