"""Picture models, family by family: maps against timm's own attention, and what they answer."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core import (
    DropPositions,
    HidePatches,
    InputError,
    PatchGrid,
    PermutePositions,
    SilenceHead,
)
from core.engine import EmbeddedEngine, Request
from core.models.vision.classifier import VisionModel
from core.models.vision.patch_grid import prefix_of
from core.outputs import families
from core.outputs.vision import PatchLogits
from core.targets import ClassTarget
from core.trace import AttentionKind
from tests.tiny_pictures import CLASSES, save_picture_model

TOLERANCE = 1e-5
PREFIXES = {
    "vit": ("[CLS]",),
    "wide": ("[CLS]",),
    "gap": (),
    "distilled": ("[CLS]", "distillation"),
    "registers": ("[CLS]", "register 1", "register 2", "register 3", "register 4"),
    "register-gap": ("register 1",),
    "beit": ("[CLS]",),
    "eva02": ("[CLS]",),
    "siglip": (),
}
Opened = Callable[[str], VisionModel]


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Opened:
    made: dict[str, VisionModel] = {}

    def model(name: str) -> VisionModel:
        if name not in made:
            loaded = core.load(save_picture_model(name, tmp_path_factory.mktemp(name)))
            assert isinstance(loaded, VisionModel)
            made[name] = loaded
        return made[name]

    return model


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    colours = np.random.default_rng(0).integers(0, 256, (50, 70, 3), dtype=np.uint8)
    return Image.fromarray(colours)


def pixels_of(model: VisionModel, picture: Image.Image) -> torch.Tensor:
    return model.transform(picture)[None]


def eager_maps(model: VisionModel, pixels: torch.Tensor) -> list[np.ndarray]:
    """timm's own code path without the fused kernel: what its dropout of weights is given."""
    maps: list[np.ndarray] = []
    attentions = [m for m in model.module.modules() if hasattr(m, "attn_drop")]
    hooks = [
        m.attn_drop.register_forward_hook(lambda _m, given, _made: maps.append(given[0][0].numpy()))
        for m in attentions
    ]
    for attention in attentions:
        attention.fused_attn = False
    try:
        with torch.no_grad():
            model.module(pixels)
    finally:
        for hook, attention in zip(hooks, attentions, strict=True):
            hook.remove()
            attention.fused_attn = True
    return maps


class TestMaps:
    @pytest.mark.parametrize("name", PREFIXES)
    def test_equal_timms_own(self, name: str, opened: Opened, picture: Image.Image):
        model = opened(name)
        trace = model.trace(picture)
        expected = eager_maps(model, pixels_of(model, picture))
        assert len(expected) == trace.n_layers() == 2
        for layer, own in zip(trace.layers[AttentionKind.ENCODER], expected, strict=True):
            np.testing.assert_allclose(layer.weights, own, atol=TOLERANCE)
            assert own.std() > 1e-3  # far from uniform: a mix-up would show

    @pytest.mark.parametrize("name", PREFIXES)
    def test_lie_on_the_true_grid(self, name: str, opened: Opened, picture: Image.Image):
        trace = opened(name).trace(picture)
        rows, columns = (2, 5) if name == "wide" else (4, 4)
        assert trace.patches == PatchGrid(rows, columns, len(PREFIXES[name]))
        for layer in trace.layers[AttentionKind.ENCODER]:
            assert layer.query_grid == layer.key_grid == trace.patches
            assert layer.weights.shape[1] == rows * columns + len(PREFIXES[name])

    def test_pooled_keys_have_a_grid_of_their_own(self, opened: Opened, picture: Image.Image):
        model = opened("pvt")
        first, second = model.trace(picture).layers[AttentionKind.ENCODER]
        assert first.weights.shape == (1, 256, 64)
        assert (first.query_grid, first.key_grid) == (PatchGrid(16, 16, 0), PatchGrid(8, 8, 0))
        assert second.query_grid == second.key_grid == PatchGrid(8, 8, 0)
        for layer, own in zip(
            (first, second), eager_maps(model, pixels_of(model, picture)), strict=True
        ):
            np.testing.assert_allclose(layer.weights, own, atol=TOLERANCE)

    def test_a_pooling_is_kept_beside_the_layers(self, opened: Opened, picture: Image.Image):
        model = opened("siglip")
        trace = model.trace(picture)
        assert trace.kinds == (AttentionKind.ENCODER,)
        assert trace.pool is not None
        assert trace.pool.weights.shape == (3, 1, 16)
        assert trace.pool.key_grid == trace.patches
        pool = model.module.attn_pool
        states = trace.hidden_states()[-1]
        with torch.no_grad():
            kept = model.module.norm(torch.tensor(states)[None])
            keys = pool.kv(kept).reshape(16, 2, 3, 8)[:, 0].permute(1, 0, 2)
            query = pool.q(pool.latent)[0].reshape(3, 1, 8)
            own = (query @ keys.mT * 8**-0.5).softmax(-1)
        np.testing.assert_allclose(trace.pool.weights, own.numpy(), atol=TOLERANCE)
        assert opened("vit").trace(picture).pool is None

    def test_silencing_a_head_leaves_the_pooling_alone(self, opened: Opened, picture):
        model = opened("siglip")
        before, after = (
            model.trace(picture),
            model.trace(picture, interventions=[SilenceHead(0, 1)]),
        )
        with torch.no_grad():
            attention = model.module.blocks[0].attn
            attention.proj.weight[:, 8:16], kept = 0, attention.proj.weight[:, 8:16].clone()
            expected = model.module(pixels_of(model, picture))[0].numpy()
            attention.proj.weight[:, 8:16] = kept
        np.testing.assert_allclose(after.logits, expected, atol=1e-5)
        assert np.abs(after.logits - before.logits).max() > 1e-3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("xcit", "attends over channels, not over patches"),
        ("cait", "mixes its heads again after the softmax"),
        ("maxvit", "within blocks and along grids"),
        ("poolformer", "makes no attention map over patches"),
    ],
)
def test_models_without_maps_over_patches_are_declined(name, reason, opened: Opened, picture):
    model = opened(name)
    with pytest.raises(InputError, match=reason):
        model.trace(picture)
    assert len(model.classify(picture)) == len(CLASSES)  # its answers can be had all the same


class TestSeen:
    @pytest.mark.parametrize("name", PREFIXES)
    def test_prefix_tokens_are_named(self, name: str, opened: Opened, picture: Image.Image):
        seen = opened(name).seen(picture)
        assert seen.prefix == PREFIXES[name] == prefix_of(opened(name).module)
        assert seen.grid.prefix_tokens == len(seen.prefix)
        assert seen.patch_pixels == (8, 8)

    def test_is_the_crop_itself(self, opened: Opened):
        colours = np.random.default_rng(1).integers(0, 256, (32, 32, 3), dtype=np.uint8)
        np.testing.assert_array_equal(
            opened("vit").seen(Image.fromarray(colours)).picture, colours
        )  # already the model's size: nothing is resized, the normalisation is undone exactly

    def test_of_a_wide_picture_the_middle(self, opened: Opened):
        colours = np.random.default_rng(1).integers(0, 256, (32, 48, 3), dtype=np.uint8)
        np.testing.assert_array_equal(
            opened("vit").seen(Image.fromarray(colours)).picture, colours[:, 8:40]
        )

    def test_models_of_a_wide_picture_see_it_wide(self, opened: Opened):
        colours = np.random.default_rng(1).integers(0, 256, (16, 40, 3), dtype=np.uint8)
        seen = opened("wide").seen(Image.fromarray(colours))
        np.testing.assert_array_equal(seen.picture, colours)
        assert (seen.grid.rows, seen.grid.columns) == (2, 5)


class TestHiddenStates:
    @pytest.mark.parametrize("name", [*PREFIXES, "swin"])
    def test_the_last_ones_give_the_logits(self, name: str, opened: Opened, picture: Image.Image):
        model = opened(name)
        trace = model.trace(picture)
        states = trace.hidden_states()
        assert len(states) == trace.n_layers() + 1
        last = torch.tensor(states[-1])[None]
        if name == "swin":
            last = last.reshape(1, 8, 8, -1)
        with torch.no_grad():
            logits = model.module.forward_head(model.module.norm(last))
        np.testing.assert_allclose(logits[0].numpy(), trace.logits, atol=1e-5)

    def test_the_first_are_patches_with_their_positions(self, opened: Opened, picture):
        model = opened("vit")
        with torch.no_grad():
            patches = model.module.patch_embed(pixels_of(model, picture))
            first = model.module.cls_token + model.module.pos_embed[:, :1]
            expected = torch.cat([first, patches + model.module.pos_embed[:, 1:]], dim=1)[0]
        np.testing.assert_allclose(
            model.trace(picture).hidden_states()[0], expected.numpy(), atol=1e-6
        )

    def test_swins_stages_keep_their_own_sizes(self, opened: Opened, picture: Image.Image):
        shapes = [state.shape for state in opened("swin").trace(picture).hidden_states()]
        assert shapes == [(256, 12), (256, 12), (256, 12), (64, 24), (64, 24)]


class TestHidePatches:
    def test_is_filling_the_pixels_by_hand(self, opened: Opened, picture: Image.Image):
        model = opened("vit")
        pixels = pixels_of(model, picture).clone()
        pixels[0, :, 0:8, 24:32] = 0  # patch 3: row 0, column 3
        pixels[0, :, 16:24, 8:16] = 0  # patch 9: row 2, column 1
        with torch.no_grad():
            expected = model.module(pixels)[0].numpy()
        hidden = model.trace(picture, interventions=[HidePatches((3, 9))])
        np.testing.assert_allclose(hidden.logits, expected, atol=1e-6)
        assert np.abs(hidden.logits - model.trace(picture).logits).max() > 1e-3

    def test_patches_of_a_wide_grid_count_row_by_row(self, opened: Opened, picture: Image.Image):
        model = opened("wide")
        pixels = pixels_of(model, picture).clone()
        pixels[0, :, 8:16, 16:24] = 0  # patch 7 of 2 × 5: row 1, column 2
        with torch.no_grad():
            expected = model.module(pixels)[0].numpy()
        hidden = model.trace(picture, interventions=[HidePatches((7,))])
        np.testing.assert_allclose(hidden.logits, expected, atol=1e-6)

    @pytest.mark.parametrize("name", ["swin", "pvt", "poolformer"])
    def test_any_family_with_patches_hides_them(self, name: str, opened: Opened, picture):
        model = opened(name)
        if name == "poolformer":
            with pytest.raises(InputError, match="no attention map over patches"):
                model.classify(picture, interventions=[HidePatches((0,))])
            return
        before = model.classify(picture)[0].probability
        hidden = model.classify(picture, interventions=[HidePatches((0, 1, 2, 3))])[0].probability
        assert hidden != pytest.approx(before, abs=1e-5)

    def test_all_hidden_is_the_mean_colour_whatever_the_picture(self, opened: Opened, picture):
        model = opened("vit")
        everything = HidePatches(tuple(range(16)))
        other = Image.new("RGB", (64, 64), "red")
        np.testing.assert_array_equal(
            model.trace(picture, interventions=[everything]).logits,
            model.trace(other, interventions=[everything]).logits,
        )

    def test_nonsense_is_refused(self, opened: Opened, picture: Image.Image, tiny_checkpoint):
        with pytest.raises(InputError, match="no patch 16: the picture has 4 × 4 patches"):
            opened("vit").classify(picture, interventions=[HidePatches((3, 16))])
        with pytest.raises(InputError, match="reads text: it has no patches to hide"):
            core.load(tiny_checkpoint("bert")).trace("a cat", interventions=[HidePatches((0,))])


class TestMeasure:
    VARIANTS = (
        (),
        (HidePatches((0, 5)),),
        (SilenceHead(1, 1),),
        (HidePatches((7,)), SilenceHead(0, 0), SilenceHead(1, 1)),
        *((HidePatches((index,)),) for index in range(9)),
        (DropPositions(),),
    )

    @pytest.mark.parametrize("name", ["vit", "distilled", "gap", "beit", "eva02", "swin"])
    def test_is_classify_under_each_change(self, name: str, opened: Opened, picture: Image.Image):
        model = opened(name)
        for variants in (self.VARIANTS, self.VARIANTS[:-1]):  # with positions: one by one
            found = model.measure(picture, variants, ClassTarget(2))
            expected = [
                next(
                    given.probability
                    for given in model.classify(picture, interventions=changes)
                    if given.label == CLASSES[2]
                )
                for changes in variants
            ]
            np.testing.assert_allclose(found, expected, atol=1e-6)
            assert len(set(np.round(found, 6))) > 5

    def test_no_variant_and_no_class(self, opened: Opened, picture: Image.Image):
        assert opened("vit").measure(picture, (), ClassTarget(0)).shape == (0,)
        with pytest.raises(InputError, match=r"no class 5: .* has 5, counted from 0"):
            opened("vit").measure(picture, ((),), ClassTarget(5))

    def test_the_engine_is_asked_by_value(self, opened: Opened, picture: Image.Image):
        engine = EmbeddedEngine(loader=lambda *_, **__: opened("vit"))
        hashable = _Named(picture)
        variants = ((), (HidePatches((1, 2)),))
        question = families.VisionModel.measure
        asked = Request.of(question, "any", hashable, variants, ClassTarget(1))
        found = engine.submit(asked).result(60)
        np.testing.assert_array_equal(
            found, opened("vit").measure(picture, variants, ClassTarget(1))
        )
        seen = engine.submit(Request.of(families.VisionModel.seen, "any", hashable)).result(60)
        assert seen.grid == PatchGrid(4, 4, 1)


class TestLens:
    @pytest.mark.parametrize("name", [*PREFIXES, "swin"])
    def test_its_last_layer_is_the_model(self, name: str, opened: Opened, picture: Image.Image):
        model = opened(name)
        read, trace = model.patch_logits(picture), model.trace(picture)
        np.testing.assert_allclose(read.answers[-1], trace.logits, atol=1e-5)
        assert read.labels == CLASSES
        assert read.layers == ((3, 4) if name == "swin" else (0, 1, 2))
        patches = read.grid.rows * read.grid.columns
        assert read.tokens.shape == (len(read.layers), patches + len(read.prefix), len(CLASSES))

    def test_a_token_is_read_by_norm_and_head(self, opened: Opened, picture: Image.Image):
        model = opened("vit")
        read, states = model.patch_logits(picture), model.trace(picture).hidden_states()
        with torch.no_grad():
            expected = model.module.head(model.module.norm(torch.tensor(states[1])))
        np.testing.assert_allclose(read.tokens[1], expected.numpy(), atol=1e-5)
        np.testing.assert_allclose(read.answers[1], read.tokens[1, 0], atol=1e-5)  # [CLS]
        chances = np.exp(read.tokens[1, 1:]) / np.exp(read.tokens[1, 1:]).sum(-1, keepdims=True)
        np.testing.assert_allclose(read.patches(1, 3), chances[:, 3].reshape(4, 4), atol=1e-6)

    def test_deits_two_heads_read_their_own_token(self, opened: Opened, picture: Image.Image):
        model = opened("distilled")
        read, states = model.patch_logits(picture), model.trace(picture).hidden_states()
        with torch.no_grad():
            normed = model.module.norm(torch.tensor(states[2]))
            own, distilled = model.module.head(normed), model.module.head_dist(normed)
        np.testing.assert_allclose(read.tokens[2, 0], own[0].numpy(), atol=1e-5)
        np.testing.assert_allclose(read.tokens[2, 1], distilled[1].numpy(), atol=1e-5)
        np.testing.assert_allclose(read.tokens[2, 5], (own + distilled)[5].numpy() / 2, atol=1e-5)

    def test_a_mean_of_patches_is_the_mean_of_their_logits(self, opened: Opened, picture):
        """Without a norm after the mean (fc_norm) the head is linear in it."""
        model = opened("gap")
        read = model.patch_logits(picture)
        with torch.no_grad():
            states = torch.tensor(model.trace(picture).hidden_states()[-1])
            expected = model.module.head(model.module.fc_norm(states))
        np.testing.assert_allclose(read.tokens[-1], expected.numpy(), atol=1e-5)

    def test_first_choices_and_where_the_answer_is_decided(self):
        tokens = np.zeros((3, 3, 2), dtype=np.float32)  # [CLS] and 1 × 2 patches
        tokens[1, 2] = (0, np.log(3))  # 1/4 and 3/4
        answers = np.array([[1, 0], [0, 2], [0, 1]], dtype=np.float32)
        read = PatchLogits((0, 1, 2), tokens, answers, PatchGrid(1, 2, 1), ("[CLS]",), ("a", "b"))
        assert read.first.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
        np.testing.assert_allclose(read.probability[1], [0.5, 0.5, 0.75], atol=1e-6)
        np.testing.assert_allclose(read.patches(1, 1), [[0.5, 0.75]], atol=1e-6)
        ((first, p), (second, q)) = read.best(1, 1)
        assert (first, second) == (1, 0)
        np.testing.assert_allclose((p, q), (0.75, 0.25), atol=1e-6)
        assert read.answer_first.tolist() == [0, 1, 1]
        assert read.decided_at() == 1  # after layer 0, and from then on

    def test_changes_are_read_too(self, opened: Opened, picture: Image.Image):
        model = opened("vit")
        change = [HidePatches((0, 1)), SilenceHead(0, 1)]
        read = model.patch_logits(picture, interventions=change)
        expected = model.trace(picture, interventions=change).logits
        np.testing.assert_allclose(read.answers[-1], expected, atol=1e-5)

    def test_families_that_do_more_are_refused(self, opened: Opened, picture: Image.Image):
        with pytest.raises(InputError, match="more between its last layer and its classes"):
            opened("pvt").patch_logits(picture)


class TestNoHead:
    def test_features_are_no_classes(self, tmp_path, picture: Image.Image):
        model = core.load(save_picture_model("vit", tmp_path, n_classes=0))
        assert isinstance(model, VisionModel)
        trace = model.trace(picture)
        assert trace.logits is None
        assert trace.attention(1).weights.shape == (3, 17, 17)
        for ask in (
            lambda: model.classify(picture),
            lambda: model.measure(picture, ((),), ClassTarget(0)),
            lambda: model.patch_logits(picture),
        ):
            with pytest.raises(InputError, match=r"knows no classes|There is no class"):
                ask()


class TestPositions:
    def test_rotary_ones_are_dropped_and_moved_with_the_table(self, opened: Opened, picture):
        """EVA02 has both: without either, any order of patches gives the same answer."""
        found = opened("eva02").permutation_test(picture, seed=1)
        assert found.dropped.output < 1e-4 * found.scale
        assert found.kept.output > 1e-2 * found.scale

    def test_the_own_order_changes_nothing(self, opened: Opened, picture: Image.Image):
        model = opened("eva02")
        same = model.trace(picture, interventions=[PermutePositions(tuple(range(16)))])
        np.testing.assert_allclose(same.logits, model.trace(picture).logits, atol=1e-5)

    def test_patches_moved_with_their_positions_are_the_same(self, opened: Opened, picture):
        """f(P x with positions P) = f(x), for a class token that all patches reach alike."""
        from core.models.positions.equivariance import permuted_patches
        from core.positions import order_of

        model = opened("eva02")
        order = order_of(16, 3)
        moved = permuted_patches(pixels_of(model, picture), PatchGrid(4, 4, 1), order)
        recorder = model._recorder([[PermutePositions(order)]])
        with torch.no_grad(), recorder:
            logits = model.module(moved)
        np.testing.assert_allclose(logits[0].numpy(), model.trace(picture).logits, atol=1e-4)


class _Named(Image.Image):
    """A picture as a value, as the app hands it in."""

    __hash__ = object.__hash__

    def __init__(self, picture: Image.Image) -> None:
        super().__init__()
        self._picture = picture

    def convert(self, *args: Any, **_: Any) -> Image.Image:
        return self._picture.convert(*args)
