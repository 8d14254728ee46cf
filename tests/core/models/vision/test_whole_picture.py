"""Pictures that are not square, whole: against timm's own dynamic_img_size, and transformers'."""

import json
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from PIL import Image
from safetensors.torch import load_file
from torchvision.transforms import InterpolationMode
from torchvision.transforms.functional import pil_to_tensor, resize

import core
from core.errors import InputError
from core.models.vision.whole_picture import fitting, whole_size
from core.outputs.vision import Resampled, WholePicture
from core.trace import PatchGrid
from tests.tiny_pictures import save_picture_model
from tests.tiny_transformers_pictures import save_transformers_pictures

RANDOM = np.random.default_rng(0)
WIDE = Image.fromarray(RANDOM.integers(0, 255, (40, 70, 3), dtype=np.uint8))
HIGH = Image.fromarray(RANDOM.integers(0, 255, (90, 50, 3), dtype=np.uint8))
TIMM = ("vit", "gap", "distilled", "registers", "register-gap", "siglip", "eva02")
OF_TRANSFORMERS = (
    *("vit", "deit", "dinov2", "registers", "dinov3"),
    *("msn", "ijepa", "siglip-vision", "mae"),
)


@pytest.mark.parametrize(
    ("picture", "own", "cut", "size"),
    [
        ((600, 400), (112, 112), PatchGrid(14, 14, 1), (112, 168)),  # 14 × 21 patches of 8
        ((400, 600), (112, 112), PatchGrid(14, 14, 1), (168, 112)),
        ((451, 300), (112, 112), PatchGrid(14, 14, 1), (112, 168)),  # 168.4: the nearest patch
        ((512, 512), (112, 112), PatchGrid(14, 14, 1), (112, 112)),
        ((400, 100), (32, 32), PatchGrid(2, 2, 0), (32, 128)),
        ((70, 40), (16, 40), PatchGrid(2, 5, 1), (16, 32)),  # the shorter of the model's sides
    ],
)
def test_the_short_side_is_the_model_s(
    picture: tuple[int, int], own: tuple[int, int], cut: PatchGrid, size: tuple[int, int]
):
    assert whole_size(picture, own, cut) == size
    now = PatchGrid(size[0] * cut.rows // own[0], size[1] * cut.columns // own[1], 0)
    assert whole_size(picture, size, now) == size  # asked once more, it stays


def test_a_ribbon_is_refused():
    with pytest.raises(InputError, match=r"100 × 401 pixels, one side 4\.0 times"):
        whole_size((401, 100), (32, 32), PatchGrid(4, 4, 1))


@pytest.mark.parametrize("picture", [WIDE, HIGH])
@pytest.mark.parametrize("name", TIMM)
def test_the_answer_is_timm_s_own_at_that_size(tmp_path: Path, name: str, picture: Image.Image):
    model = core.load(save_picture_model(name, tmp_path), device="cpu")
    config = json.loads((tmp_path / "config.json").read_text())
    dynamic = timm.create_model(
        config["architecture"],
        num_classes=5,
        **config["model_args"],
        dynamic_img_size=True,
    ).eval()
    dynamic.load_state_dict(load_file(tmp_path / "model.safetensors"))
    whole = WholePicture(picture)
    sized = fitting(model, whole)
    pixels = sized._pixels(whole)
    with torch.no_grad():
        expected = dynamic(pixels)[0].numpy()
    trace = model.trace(whole)
    np.testing.assert_allclose(trace.logits, expected, atol=2e-5)
    grid = (4, 7) if picture is WIDE else (7, 4)
    assert (trace.patches.rows, trace.patches.columns) == grid
    for layer in range(2):
        n_tokens = trace.patches.n_tokens
        assert trace.attention(layer).weights.shape == (3, n_tokens, n_tokens)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of timm, for BEiT’s offsets
@pytest.mark.parametrize("name", ["vit", "beit"])
def test_the_opened_model_stays_as_it_was(tmp_path: Path, name: str):
    model = core.load(save_picture_model(name, tmp_path), device="cpu")
    before = model.trace(WIDE).logits
    model.trace(WholePicture(WIDE))
    np.testing.assert_array_equal(model.trace(WIDE).logits, before)
    sized = fitting(model, WholePicture(WIDE))
    assert sized.module.patch_embed.proj.weight is model.module.patch_embed.proj.weight


def test_the_pixels_are_the_whole_picture_s(tmp_path: Path):
    model = core.load(save_picture_model("vit", tmp_path), device="cpu")
    seen = model.seen(WholePicture(WIDE))
    assert seen.picture.shape == (32, 56, 3)
    assert (seen.grid.rows, seen.grid.columns, seen.patch_pixels) == (4, 7, (8, 8))
    assert seen.resampled == Resampled(PatchGrid(4, 4, 0), table=True, offsets=False, angles=False)
    small = pil_to_tensor(resize(WIDE, [32, 56], InterpolationMode.BICUBIC)).permute(1, 2, 0)
    np.testing.assert_array_equal(seen.picture, small.numpy())
    assert model.seen(WIDE).resampled is None
    square = WIDE.resize((50, 50))
    np.testing.assert_array_equal(
        model.seen(WholePicture(square)).picture, model.seen(square).picture
    )


@pytest.mark.parametrize("name", OF_TRANSFORMERS)
def test_transformers_own_interpolation(tmp_path: Path, name: str):
    folder = save_transformers_pictures(name, tmp_path)
    model = core.load(folder, device="cpu")
    whole = WholePicture(WIDE)
    trace = model.trace(whole)
    sized = fitting(model, whole)
    network = type(model.module.model).from_pretrained(folder, attn_implementation="eager").eval()
    always = name in ("dinov2", "registers", "dinov3")
    given = {} if always else {"interpolate_pos_encoding": True}
    if name == "mae":  # nothing hidden, nothing shuffled
        network.config.mask_ratio = 0.0
        given["noise"] = torch.arange(28.0)[None]
    with torch.no_grad():
        made = network(pixel_values=sized._pixels(whole), output_attentions=True, **given)
    assert (trace.patches.rows, trace.patches.columns) == (4, 7)
    for layer, expected in enumerate(made.attentions):
        np.testing.assert_allclose(trace.attention(layer).weights, expected[0], atol=1e-5)
    if name == "vit":
        embedded = model.patch_embedding(whole)
        assert embedded.is_plain_sum(trace.hidden_states()[0], tolerance=1e-4)


def test_every_question_is_asked_of_the_same_size(tmp_path: Path):
    model = core.load(save_picture_model("vit", tmp_path), device="cpu")
    whole, target = WholePicture(WIDE), core.ClassTarget(1)
    logits = model.trace(whole).logits
    chance = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    best = model.classify(whole, top_k=1)[0]
    assert best.probability == pytest.approx(float(chance.max()), abs=1e-6)
    assert model.measure(whole, [()], target)[0] == pytest.approx(float(chance[1]), abs=1e-6)
    assert model.evidence(whole, "relevance", target).shape == (4, 7)
    assert model.evidence(whole, "occlusion", target).shape == (4, 7)
    assert model.patch_logits(whole).patches(0, 1).shape == (4, 7)
    assert model.randomised_evidence(whole, "gradcam", target, blocks=1).evidence.shape == (4, 7)
    terms = model.patch_path(whole, 1, 1, 27, target).answer.terms
    assert terms.logit == pytest.approx(float(logits[1]), abs=2e-5)
    many = model.trace_many([whole, WIDE, WholePicture(HIGH)])
    assert [one.patches.n_patches for one in many] == [28, 16, 28]
    np.testing.assert_allclose(many[0].logits, logits, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "save", "why"),
    [
        ("swin", save_picture_model, "its windows tile pictures of the trained size"),
        ("swin", save_transformers_pictures, "its windows tile"),
        ("swinv2", save_transformers_pictures, "its windows tile"),
        ("pvt", save_picture_model, "belong to one grid"),
    ],
)
def test_a_model_of_one_size_says_why(tmp_path: Path, name: str, save, why: str):
    model = core.load(save(name, tmp_path), device="cpu")
    with pytest.raises(InputError, match=why):
        model.trace(WholePicture(WIDE))
    assert model.trace(WIDE).patches is not None  # its centre is shown all the same
