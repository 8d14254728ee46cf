"""Models' own tables, and f(PX) = P f(X): true of encoders and ViT, false of masks and windows."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from PIL import Image
from safetensors.torch import save_file

import core
from core import DropPositions, InputError, PermutePositions, positions
from core.capture.mask_override import AddedMask, causal, windows
from core.models.positions.equivariance import permuted_patches
from core.positions import order_of
from core.trace import PatchGrid

TEXT = "the cat sat on a street ."
Checkpoint = Callable[[str], Path]
VIT = {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 3, "num_heads": 4}
SWIN = {
    "img_size": 32,
    "patch_size": 2,
    "embed_dim": 16,
    "depths": (2, 2),
    "num_heads": (2, 4),
    "window_size": 4,
}
ARCHITECTURES = {
    "vit": ("vit_tiny_patch16_224", VIT),
    "registers": ("vit_small_patch14_reg4_dinov2", VIT | {"init_values": 1.0}),
    "distilled": ("deit_tiny_distilled_patch16_224", VIT),
    "unplaced": ("vit_tiny_patch16_224", VIT | {"pos_embed": "none"}),
    "swin": ("swin_tiny_patch4_window7_224", SWIN),
}


@pytest.fixture(scope="module")
def vision(tmp_path_factory) -> Callable[[str], object]:
    """A tiny random picture model, saved in timm's layout and opened again."""
    opened = {}

    def model(name: str):
        if name not in opened:
            architecture, arguments = ARCHITECTURES[name]
            torch.manual_seed(0)
            module = timm.create_model(architecture, num_classes=5, **arguments).eval()
            with torch.no_grad():
                for parameter in module.parameters():
                    if parameter.ndim > 1:
                        parameter.normal_(0, 0.2)
            folder = tmp_path_factory.mktemp(name)
            save_file(module.state_dict(), folder / "model.safetensors")
            config = {
                "architecture": architecture,
                "num_classes": 5,
                "model_args": arguments,
                "pretrained_cfg": {"input_size": (3, 32, 32), "crop_pct": 1.0},
            }
            (folder / "config.json").write_text(json.dumps(config))
            opened[name] = core.load(folder, device="cpu")
        return opened[name]

    return model


@pytest.fixture(scope="module")
def image() -> Image.Image:
    noise = np.random.default_rng(0).integers(0, 255, (32, 32, 3), dtype=np.uint8)
    return Image.fromarray(noise)


def test_a_table_is_the_checkpoints_parameter(tiny_checkpoint: Checkpoint):
    gpt2 = core.load(tiny_checkpoint("gpt2"))
    table = gpt2.position_table()
    assert table.source == "transformer.wpe.weight"
    assert table.learned
    np.testing.assert_array_equal(table.vectors, gpt2.module.transformer.wpe.weight.numpy())


def test_rows_that_no_token_gets_are_left_out(tiny_checkpoint: Checkpoint):
    """RoBERTa's padding and BART's two rows of offset."""
    for family, reserved in (("roberta", 1), ("bart", 2)):
        model = core.load(tiny_checkpoint(family))
        table = model.position_table()
        weight = model.module.get_parameter(table.source)
        np.testing.assert_array_equal(table.vectors, weight[reserved:].numpy())


def test_marians_table_is_sinusoidal(tiny_checkpoint: Checkpoint):
    table = core.load(tiny_checkpoint("marian")).position_table()
    assert not table.learned
    expected = positions.sinusoidal(64, 32, layout=positions.Layout.CONCATENATED)
    np.testing.assert_allclose(table.vectors, expected, atol=1e-6)


def test_models_without_a_table_say_what_they_have_instead(tiny_checkpoint: Checkpoint, vision):
    with pytest.raises(InputError, match="no table of positions: it turns queries and keys"):
        core.load(tiny_checkpoint("llama")).position_table()
    with pytest.raises(InputError, match="it knows distances instead"):
        core.load(tiny_checkpoint("t5")).position_table()
    with pytest.raises(InputError, match="it knows distances instead"):
        vision("swin").position_table()
    with pytest.raises(InputError, match="none was found"):
        vision("unplaced").position_table()


@pytest.mark.parametrize(("name", "prefix"), [("vit", 1), ("registers", 0), ("distilled", 2)])
def test_prefix_tokens_are_data(vision, name, prefix):
    """DINOv2's registers have no position of their own; DeiT's distillation token has."""
    table = vision(name).position_table()
    assert table.prefix_tokens == prefix
    assert table.grid is not None
    assert len(table.patches) == table.grid.rows * table.grid.columns == 16


@pytest.mark.parametrize("name", ["vit", "registers", "distilled"])
def test_permuted_and_dropped_positions_of_a_vit_are_a_changed_parameter(vision, image, name):
    model = vision(name)
    table = model.position_table()
    order = order_of(16, seed=3)
    kept = model.module.pos_embed.clone()
    rows = kept.clone()
    first = table.prefix_tokens
    rows[0, first:] = kept[0, [first + place for place in order]]
    for change, weights in ((PermutePositions(order), rows), (DropPositions(), kept * 0)):
        with torch.no_grad():
            model.module.pos_embed.copy_(weights)
            expected = np.array(model.trace(image).logits)
            model.module.pos_embed.copy_(kept)
        changed = model.trace(image, interventions=[change]).logits
        np.testing.assert_allclose(changed, expected, atol=1e-5)
        assert np.abs(changed - model.trace(image).logits).max() > 1e-4


def test_dropped_offsets_of_a_swin_are_a_table_of_zeros(vision, image):
    model = vision("swin")
    tables = [p for n, p in model.module.named_parameters() if "relative_position_bias" in n]
    kept = [table.clone() for table in tables]
    with torch.no_grad():
        for table in tables:
            table.zero_()
        expected = np.array(model.trace(image).logits)
        for table, before in zip(tables, kept, strict=True):
            table.copy_(before)
    dropped = model.trace(image, interventions=[DropPositions()]).logits
    np.testing.assert_allclose(dropped, expected, atol=1e-5)
    with pytest.raises(InputError, match="they can be dropped, not permuted"):
        model.trace(image, interventions=[PermutePositions(order_of(16, 0))])


def test_a_vit_without_positions_has_none_to_drop(vision, image):
    with pytest.raises(InputError, match="brings in no positions that can be changed"):
        vision("unplaced").trace(image, interventions=[DropPositions()])


def test_patches_move_whole():
    pixels = torch.arange(2 * 4 * 6.0).reshape(1, 2, 4, 6)
    grid = PatchGrid(rows=2, columns=3, prefix_tokens=1)
    order = (4, 0, 1, 2, 3, 5)
    moved = permuted_patches(pixels, grid, order)
    for place, source in enumerate(order):
        (r, c), (i, j) = divmod(place, 3), divmod(source, 3)
        torch.testing.assert_close(
            moved[..., 2 * r : 2 * r + 2, 2 * c : 2 * c + 2],
            pixels[..., 2 * i : 2 * i + 2, 2 * j : 2 * j + 2],
        )


def test_without_positions_an_encoders_states_move_with_their_tokens(tiny_checkpoint: Checkpoint):
    for family in ("bert", "roberta", "distilbert", "albert", "t5"):
        model = core.load(tiny_checkpoint(family))
        given = {} if family == "t5" else {"pair": "a dog ran ."}
        found = model.permutation_test(TEXT, seed=1, **given)
        assert found.dropped.output < 1e-4 * found.scale, family
        assert found.kept.output > 1e-2 * found.scale, family
        assert found.masked is not None
        assert found.masked.output > 1e-2 * found.scale, family
        assert len(found.dropped.layers) == (2 if family == "t5" else 3) + 1


def test_segments_that_stay_behind_would_break_it(tiny_checkpoint: Checkpoint, monkeypatch):
    """The test of the test: the second sentence's segment belongs to its tokens."""
    from dataclasses import replace

    from core.models.positions import equivariance

    move = equivariance.permuted_tokens
    monkeypatch.setattr(
        equivariance,
        "permuted_tokens",
        lambda encoding, order: replace(move(encoding, order), segments=encoding.segments),
    )
    found = core.load(tiny_checkpoint("bert")).permutation_test(TEXT, pair="a dog ran .", seed=1)
    assert found.dropped.output > 1e-3 * found.scale


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_causal_mask_breaks_it(tiny_checkpoint: Checkpoint, family):
    found = core.load(tiny_checkpoint(family)).permutation_test(TEXT, seed=1)
    assert found.masked is None
    assert found.dropped.layers[0] == 0  # the embeddings alone still move
    assert found.dropped.output > 1e-2 * found.scale


@pytest.mark.parametrize("name", ["vit", "registers", "distilled"])
def test_without_positions_a_vits_answer_does_not_mind_the_order_of_patches(vision, image, name):
    found = vision(name).permutation_test(image, seed=2)
    assert found.dropped.output < 1e-4 * found.scale
    assert found.kept.output > 1e-3 * found.scale
    assert found.dropped.layers.max() < 1e-3 < found.kept.layers.max()
    assert found.mask == "windows of 2 × 2 patches"
    assert found.masked.output > 1e-3 * found.scale


def test_windows_break_it_even_without_their_bias(vision, image):
    found = vision("swin").permutation_test(image, seed=2)
    assert found.dropped.output > 1e-3 * found.scale
    assert len(found.dropped.layers) == 0


def test_an_added_causal_mask_is_gpt2s_own(tiny_checkpoint: Checkpoint):
    """Put on a causal model it changes nothing; on a BERT, no query sees what comes after it."""
    gpt2 = core.load(tiny_checkpoint("gpt2"))
    bare = gpt2.trace(TEXT).logits
    with AddedMask(causal(len(bare), gpt2.device)):
        np.testing.assert_allclose(gpt2.trace(TEXT).logits, bare, atol=1e-5)
    bert = core.load(tiny_checkpoint("bert"))
    n = len(bert.trace(TEXT).tokens)
    with AddedMask(causal(n, bert.device)):
        states = [bert.trace(text).hidden_states()[-1] for text in (TEXT, "the cat ran to a dog .")]
    np.testing.assert_allclose(states[0][:3], states[1][:3], atol=1e-5)  # [CLS] the cat
    assert np.abs(states[0][3] - states[1][3]).max() > 1e-2


def test_windows_hold_whole_neighbourhoods_and_prefix_tokens_see_all():
    allowed = windows(PatchGrid(rows=2, columns=4, prefix_tokens=1), 2, torch.device("cpu"))
    assert allowed[0].all()
    assert allowed[:, 0].all()
    assert torch.nonzero(allowed[1, 1:]).ravel().tolist() == [0, 1, 4, 5]
    assert torch.nonzero(allowed[4, 1:]).ravel().tolist() == [2, 3, 6, 7]


def test_an_order_is_never_the_old_one():
    assert order_of(1, 0) == (0,)
    for seed in range(20):
        assert order_of(2, seed) == (1, 0)
        assert order_of(9, seed) == order_of(9, seed)
