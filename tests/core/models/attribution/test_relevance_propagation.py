"""LRP on whole ViTs, against the paper's steps written out in NumPy, and what it conserves."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import timm
import torch
from PIL import Image
from safetensors.torch import save_file

import core
from core import ClassTarget, InputError
from core.capture.recorder import Recorder
from core.capture.relevance_mode import RelevanceMode
from core.models.vision.classifier import VisionModel
from core.trace import AttentionKind
from tests.tiny_pictures import save_picture_model
from tests.tiny_transformers_pictures import save_transformers_pictures

CLASS = ClassTarget(2)
Opened = Callable[[str], VisionModel]
Array = np.ndarray


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Opened:
    def model(name: str) -> VisionModel:
        layout, _, name = name.rpartition(":")
        save = save_transformers_pictures if layout else save_picture_model
        loaded = core.load(save(name, tmp_path_factory.mktemp(name)))
        assert isinstance(loaded, VisionModel)
        return loaded

    return model


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (50, 70, 3), dtype=np.uint8))


class Reference:
    """A timm ViT with [CLS], forward and back in float64, one block's steps at a time."""

    def __init__(self, module: Any) -> None:
        self.of = {name: p.detach().double().numpy() for name, p in module.named_parameters()}
        self.heads = module.blocks[0].attn.num_heads
        self.depth = len(module.blocks)

    def linear(self, x: Array, name: str) -> Array:
        return x @ self.of[f"{name}.weight"].T + self.of[f"{name}.bias"]

    def norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        flat = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-6)
        return flat * self.of[f"{name}.weight"] + self.of[f"{name}.bias"]

    def linear_back(self, x: Array, name: str, given: Array) -> Array:
        """Σ_i R_i · x_j w_ij / Σ over those with x_j w_ij ≥ 0, term by term."""
        terms = x[:, None, :] * self.of[f"{name}.weight"][None]  # (token, unit, input)
        terms = np.where(terms >= 0, terms, 0)
        return np.einsum("tui,tu->ti", terms, given / terms.sum(-1))

    def sum_back(self, left: Array, right: Array, given: Array) -> tuple[Array, Array]:
        parts = [left * given / (left + right), right * given / (left + right)]
        sizes = [abs(part.sum()) for part in parts]
        first, second = (
            part * size / sum(sizes) * given.sum() / part.sum()
            for part, size in zip(parts, sizes, strict=True)
        )
        return first, second

    def split(self, x: Array) -> Array:
        return x.reshape(len(x), 3, self.heads, -1).transpose(1, 2, 0, 3)

    def block(self, x: Array, at: str) -> dict[str, Array]:
        normed = self.norm(x, f"{at}.norm1")
        q, k, v = self.split(self.linear(normed, f"{at}.attn.qkv"))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = weights @ v
        joined = mixed.transpose(1, 0, 2).reshape(x.shape)
        looked = self.linear(joined, f"{at}.attn.proj")
        middle = x + looked
        normed2 = self.norm(middle, f"{at}.norm2")
        hidden = self.linear(normed2, f"{at}.mlp.fc1")
        active = torch.nn.functional.gelu(torch.from_numpy(hidden)).numpy()
        answered = self.linear(active, f"{at}.mlp.fc2")
        return {key: value for key, value in locals().items() if isinstance(value, np.ndarray)}

    def block_back(self, s: dict[str, Array], at: str, given: Array) -> tuple[Array, Array]:
        """R of the block's input, and of its attention weights."""
        kept, new = self.sum_back(s["middle"], s["answered"], given)
        new = self.linear_back(s["active"], f"{at}.mlp.fc2", new)
        given = kept + self.linear_back(s["normed2"], f"{at}.mlp.fc1", new)
        kept, new = self.sum_back(s["x"], s["looked"], given)
        new = self.linear_back(s["joined"], f"{at}.attn.proj", new)
        mixed = self.split(np.tile(new, 3))[0] / s["mixed"]
        of_weights = s["weights"] * (mixed @ s["v"].transpose(0, 2, 1)) / 2
        of_values = s["v"] * (s["weights"].transpose(0, 2, 1) @ mixed) / 2
        scores = of_weights / (s["q"] @ s["k"].transpose(0, 2, 1))
        of_q = s["q"] * (scores @ s["k"]) / 2
        of_k = s["k"] * (scores.transpose(0, 2, 1) @ s["q"]) / 2
        packed = np.stack([of_q, of_k, of_values]).transpose(2, 0, 1, 3).reshape(len(new), -1)
        return kept + self.linear_back(s["normed"], f"{at}.attn.qkv", packed), of_weights

    def relevance(self, x: Array, index: int) -> tuple[list[Array], list[float]]:
        """R of every layer's weights, and ΣR at every block's input, the first layer first."""
        steps: list[dict[str, Array]] = []
        for layer in range(self.depth):
            steps.append(self.block(x, f"blocks.{layer}"))
            x = steps[-1]["middle"] + steps[-1]["answered"]
        normed = self.norm(x, "norm")
        given = np.zeros_like(x)
        one = np.zeros((1, len(self.of["head.bias"])))
        one[0, index] = 1
        given[:1] = self.linear_back(normed[:1], "head", one)
        maps, sums = [], []
        for layer in reversed(range(self.depth)):
            given, of_weights = self.block_back(steps[layer], f"blocks.{layer}", given)
            maps.insert(0, of_weights)
            sums.insert(0, float(given.sum()))
        return maps, sums


def by_the_mode(model: VisionModel, picture: Image.Image) -> tuple[list[Array], list[float]]:
    """R of every map, and ΣR of what entered every block."""
    entered: list[torch.Tensor] = []
    blocks: Any = model.module.blocks
    hooks = [block.register_forward_pre_hook(lambda _, x: entered.append(x[0])) for block in blocks]
    recorder = Recorder(model.paths, lambda _: AttentionKind.ENCODER, explicit=True)
    try:
        with RelevanceMode("it", model.paths), recorder:
            logits = model.module(model.transform(picture)[None])
    finally:
        for hook in hooks:
            hook.remove()
    weights = [call.weights for call in recorder.calls]
    found = torch.autograd.grad(logits[0, CLASS.index], [*weights, *entered])  # pyright: ignore[reportArgumentType]
    maps = [each[0].numpy() for each in found[: len(weights)]]
    return maps, [float(each.sum()) for each in found[len(weights) :]]


class TestAgainstThePapersSteps:
    @pytest.mark.parametrize("name", ["vit", "wide"])
    def test_every_heads_relevance_and_the_map(self, name: str, opened: Opened, picture):
        model = opened(name)
        trace = model.trace(picture, gradient_of=CLASS)
        states = trace.hidden_states()[0].astype(np.float64)
        expected, sums = Reference(model.module).relevance(states, CLASS.index)
        found, entered = by_the_mode(model, picture)
        for mine, right in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, right, atol=2e-3 * np.abs(right).max())
        np.testing.assert_allclose(sums, 1, atol=1e-6)
        np.testing.assert_allclose(entered, 1, atol=1e-3)

        whole = np.eye(states.shape[0])
        for layer, right in zip(trace.layers[AttentionKind.ENCODER], expected, strict=True):
            assert layer.gradients is not None
            whole = whole + np.maximum(layer.gradients * right, 0).mean(0) @ whole
        row = whole[0, 1:]
        drawn = model.evidence(picture, "lrp", CLASS)
        np.testing.assert_allclose(drawn.ravel(), row, atol=2e-3 * row.max())

    def test_it_is_no_other_methods_map(self, opened: Opened, picture):
        model = opened("vit")
        found = model.evidence(picture, "lrp", CLASS).ravel()
        other = model.evidence(picture, "relevance", CLASS).ravel()
        assert np.corrcoef(found, other)[0, 1] < 0.99


class TestConservation:
    """Section 3: the relevance at every block's input sums to the answer's, which is 1."""

    @pytest.mark.parametrize("name", ["vit", "registers", "distilled", "hf:vit", "hf:distilled"])
    def test_every_layer_sums_to_one(self, name: str, opened: Opened, picture):
        _, entered = by_the_mode(opened(name), picture)
        np.testing.assert_allclose(entered, 1, atol=5e-3)

    def test_a_quarter_ends_in_a_pools_learned_query(self, opened: Opened, picture):
        """Half of R goes to the pool's map, half of that to its query, which is a parameter."""
        _, entered = by_the_mode(opened("siglip"), picture)
        np.testing.assert_allclose(entered, 0.75, atol=5e-3)

    @pytest.mark.parametrize("name", ["gap", "beit"])
    def test_a_mean_keeps_all_but_features_that_no_token_speaks_for(self, name, opened, picture):
        _, entered = by_the_mode(opened(name), picture)
        assert 0.5 < entered[0] <= 1.005
        np.testing.assert_allclose(entered, entered[-1], atol=5e-3)

    def test_the_forward_is_the_models_own(self, opened: Opened, picture):
        model = opened("vit")
        pixels = model.transform(picture)[None]
        with torch.no_grad():
            expected = model.module(pixels)
        recorder = Recorder(model.paths, lambda _: AttentionKind.ENCODER, explicit=True)
        with RelevanceMode("it", model.paths), recorder:
            found = model.module(pixels)
        np.testing.assert_allclose(found.detach(), expected, atol=1e-5)


class TestRefusals:
    @pytest.mark.parametrize(("name", "what"), [("eva02", "“neg” in blocks.0.attn")])
    def test_what_has_no_rule(self, name: str, what: str, opened: Opened, picture):
        with pytest.raises(InputError, match=f"computes {what} .*paper gives none"):
            opened(name).evidence(picture, "lrp", CLASS)

    def test_a_stem_of_convolutions_is_below_what_is_asked(self, picture, tmp_path):
        """R5+ViT: group norms and pooling before the patches have no rule, and need none."""
        torch.manual_seed(0)
        name, small = "vit_tiny_r_s16_p8_224", {"depth": 2, "img_size": 64}
        module = timm.create_model(name, num_classes=5, **small)
        save_file(module.state_dict(), tmp_path / "model.safetensors")
        config = {"architecture": name, "num_classes": 5, "model_args": small}
        config["pretrained_cfg"] = {"input_size": (3, 64, 64)}
        (tmp_path / "config.json").write_text(json.dumps(config))
        model = core.load(tmp_path)
        assert isinstance(model, VisionModel)
        _, entered = by_the_mode(model, picture)
        np.testing.assert_allclose(entered, 1, atol=5e-3)
        assert np.ptp(model.evidence(picture, "lrp", CLASS)) > 0

    def test_a_second_class(self, opened: Opened, picture):
        with pytest.raises(InputError, match="starts with relevance 1 on one class"):
            opened("vit").evidence(picture, "lrp", CLASS, ClassTarget(0))

    def test_windows(self, opened: Opened, picture):
        with pytest.raises(InputError, match="looks within windows"):
            opened("swin").evidence(picture, "lrp", CLASS)
