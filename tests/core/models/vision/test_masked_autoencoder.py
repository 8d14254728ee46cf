"""reconstruct: masks and seeds, what stays as it was, errors worked out; bad input is told."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import core
from core.models.vision.autoencoder_network import patches_of, pixels_of
from core.models.vision.masked_autoencoder import AutoencoderModel
from core.outputs.autoencoder import Reconstruction, random_mask
from core.targets import ClassTarget
from core.trace import PatchGrid
from tests.tiny_autoencoder import save_autoencoder

GRID = PatchGrid(4, 4, 1)
PICTURE = Image.fromarray(
    np.random.default_rng(0).integers(0, 256, (40, 48, 3)).astype(np.uint8), "RGB"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_autoencoder(tmp_path_factory.mktemp("mae"))


@pytest.fixture(scope="module")
def model(folder: Path) -> AutoencoderModel:
    opened = core.load(folder, device="cpu")
    assert isinstance(opened, AutoencoderModel)
    return opened


def test_patches_and_pixels_are_inverse_and_row_by_row() -> None:
    pixels = torch.arange(2 * 3 * 4 * 6, dtype=torch.float32).reshape(2, 3, 4, 6)
    patches = patches_of(pixels, 2)
    assert patches.shape == (2, 6, 12)
    torch.testing.assert_close(patches[0, 1, :3], pixels[0, :, 0, 2])  # second patch, first pixel
    torch.testing.assert_close(pixels_of(patches, (2, 3), 2), pixels)


@given(st.integers(0, 2**32 - 1), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_hides_the_same_patches_and_more(seed: int, a: float, b: float) -> None:
    less, more = (random_mask(PatchGrid(14, 14, 1), ratio, seed) for ratio in sorted((a, b)))
    assert not (less & ~more).any()
    assert more.sum() == round(max(a, b) * 196)


def test_visible_patches_stay_as_they_are(model: AutoencoderModel) -> None:
    made = model.reconstruct(PICTURE, ratio=0.75, seed=3)
    assert made.hidden.sum() == 12
    by_pixel = np.kron(made.hidden, np.ones((8, 8), dtype=bool))
    np.testing.assert_array_equal(made.pasted[~by_pixel], made.picture[~by_pixel])
    np.testing.assert_array_equal(made.pasted[by_pixel], made.predicted[by_pixel])
    assert not np.allclose(made.pasted[by_pixel], made.picture[by_pixel])


def test_the_picture_is_the_middle_square_in_colours(model: AutoencoderModel) -> None:
    picture = model.reconstruct(Image.new("RGB", (60, 40), (255, 51, 0))).picture
    assert picture.shape == (32, 32, 3)
    np.testing.assert_allclose(picture, np.broadcast_to([1.0, 0.2, 0.0], (32, 32, 3)), atol=1e-6)


def test_the_errors_are_mean_squares_of_each_patch(model: AutoencoderModel) -> None:
    made = model.reconstruct(PICTURE, seed=1)
    square = (made.predicted - made.picture) ** 2
    np.testing.assert_allclose(made.errors[1, 2], square[8:16, 16:24].mean(), rtol=1e-4)
    assert made.error == pytest.approx(made.errors[made.hidden].mean())


def test_what_is_hidden_has_no_influence(model: AutoencoderModel) -> None:
    mask = np.zeros((4, 4), dtype=bool)
    mask[1, 2] = True
    other = np.asarray(model.reconstruct(PICTURE, mask).picture * 255).round().astype(np.uint8)
    other = other.copy()
    before = model.reconstruct(Image.fromarray(other), mask)
    other[8:16, 16:24] = 0
    after = model.reconstruct(Image.fromarray(other), mask)
    np.testing.assert_array_equal(after.predicted, before.predicted)
    assert (after.errors != before.errors).sum() == 1
    other[0:8, 0:8] = 0
    now = model.reconstruct(Image.fromarray(other), mask)
    assert not np.array_equal(now.predicted, before.predicted)


def test_a_seed_gives_the_same_again_and_another_another(model: AutoencoderModel) -> None:
    first, again, other = (model.reconstruct(PICTURE, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first.hidden, again.hidden)
    np.testing.assert_array_equal(first.predicted, again.predicted)
    assert (first.hidden != other.hidden).any()


@pytest.mark.parametrize("ratio", [0.0, 1.0])
def test_nothing_or_everything_may_be_hidden(model: AutoencoderModel, ratio: float) -> None:
    made = model.reconstruct(PICTURE, ratio=ratio)
    assert made.hidden.sum() == 16 * ratio
    assert (made.error is None) == (ratio == 0.0)
    np.testing.assert_array_equal(made.pasted, made.predicted if ratio else made.picture)


def test_the_order_in_which_patches_are_visible_does_not_matter(model: AutoencoderModel) -> None:
    pixels = torch.randn(1, 3, 32, 32)
    order = torch.tensor([[3, 9, 0, 12]])
    with torch.inference_mode():
        one, other = (model.network(pixels, o) for o in (order, order.flip(1)))
    torch.testing.assert_close(one, other)


def test_an_encoder_that_sees_everything_is_timms(model: AutoencoderModel) -> None:
    pixels = torch.randn(2, 3, 32, 32)
    with torch.inference_mode():
        encoded = model.network.encode(pixels, torch.arange(16).expand(2, -1))
        expected = model.network.encoder.forward_features(pixels)
    torch.testing.assert_close(encoded, expected)


def test_it_can_be_traced_but_knows_no_classes(model: AutoencoderModel) -> None:
    trace = model.trace(PICTURE)
    assert trace.n_layers() == 2
    assert trace.patches == GRID
    assert trace.logits is None


def test_whoever_asks_it_for_classes_is_told_that_it_has_no_head(model: AutoencoderModel) -> None:
    target = ClassTarget(0)
    questions: list[Callable[[], object]] = [
        lambda: model.classify(PICTURE),
        lambda: model.patch_logits(PICTURE),
        lambda: model.measure(PICTURE, [()], target),
        lambda: model.trace(PICTURE, gradient_of=target),
        lambda: model.evidence(PICTURE, "rollout", target),
    ]
    for ask in questions:
        with pytest.raises(core.InputError, match=r"no head|has 0"):
            ask()


def test_a_mask_of_another_shape_is_told(model: AutoencoderModel) -> None:
    with pytest.raises(core.InputError, match=r"\(14, 14\) patches.*4 rows and 4 columns"):
        model.reconstruct(PICTURE, np.zeros((14, 14), dtype=bool))


def test_patches_are_hidden_by_number(model: AutoencoderModel) -> None:
    mask = np.zeros((4, 4), dtype=bool)
    mask[1, 2] = mask[3, 3] = True
    by_number = model.reconstruct_hidden(PICTURE, (15, 6))
    np.testing.assert_array_equal(by_number.hidden, mask)
    np.testing.assert_array_equal(by_number.predicted, model.reconstruct(PICTURE, mask).predicted)
    for outside in (16, -1):
        with pytest.raises(core.InputError, match=f"no patch {outside}.*from 0 to 15"):
            model.reconstruct_hidden(PICTURE, (outside,))


def test_the_curve_is_the_single_reconstructions(model: AutoencoderModel) -> None:
    found = model.error_by_ratio(PICTURE, (0.01, 0.25, 1.0), (3, 8))
    assert np.isnan(found.errors[:, 0]).all()  # of 16 patches none is hidden
    assert np.isnan(found.flat[:, 2]).all()  # nothing visible has a mean colour
    for row, seed in enumerate((3, 8)):
        for column, ratio in ((1, 0.25), (2, 1.0)):
            one = model.reconstruct(PICTURE, ratio=ratio, seed=seed)
            assert found.errors[row, column] == pytest.approx(one.error, rel=1e-4)
        quarter = model.reconstruct(PICTURE, ratio=0.25, seed=seed)
        assert found.flat[row, 1] == pytest.approx(quarter.flat_error, rel=1e-5)


def test_one_flat_colour_worked_out() -> None:
    """Two patches of one pixel: white is visible, grey hidden: (1 − 0.25)² of error."""
    picture = np.array([[[1.0] * 3, [0.25] * 3]], dtype=np.float32)
    made = Reconstruction(
        picture=picture,
        hidden=np.array([[False, True]]),
        predicted=np.zeros_like(picture),
        errors=np.array([[1.0, 0.0625]], dtype=np.float32),
        grid=PatchGrid(1, 2, 1),
    )
    assert made.flat_error == pytest.approx(0.5625)
    assert made.error == pytest.approx(0.0625)
    np.testing.assert_array_equal(made.pasted, [[[1.0] * 3, [0.0] * 3]])


@pytest.mark.parametrize("ratio", [-0.1, 1.5, float("nan")])
def test_a_share_outside_0_to_1_is_told(model: AutoencoderModel, ratio: float) -> None:
    with pytest.raises(core.InputError, match="give one from 0 to 1"):
        model.reconstruct(PICTURE, ratio=ratio)


def test_a_checkpoint_without_its_decoder_is_told(folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(core.InputError, match="can't be opened as a masked autoencoder"):
        core.load(tmp_path)
