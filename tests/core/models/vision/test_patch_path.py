"""One patch through one head to a class: every number against the model's own forward."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core.errors import InputError
from core.interventions import SilenceHead
from core.targets import ClassTarget
from tests.tiny_pictures import save_picture_model
from tests.tiny_transformers_pictures import save_transformers_pictures

PICTURE = Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 50, 3), dtype=np.uint8))
TIMM = ("vit", "wide", "gap", "distilled", "registers", "register-gap", "beit", "eva02")
TRANSFORMERS = ("vit", "deit", "distilled", "beit", "msn", "ijepa")
ASKED = (1, 2, 3, ClassTarget(1))  # layer, head, patch, class

Save = Callable[[str, Path], Path]


def opened(name: str, folder: Path, save: Save = save_picture_model):
    return core.load(save(name, folder), device="cpu")


@pytest.mark.parametrize(
    ("name", "save"),
    [
        *((name, save_picture_model) for name in TIMM),
        *((name, save_transformers_pictures) for name in TRANSFORMERS),
    ],
)
def test_the_terms_add_up_to_the_model_s_logit(tmp_path: Path, name: str, save: Save):
    model = opened(name, tmp_path, save)
    trace = model.trace(PICTURE)
    path = model.patch_path(PICTURE, *ASKED)
    assert path.answer is not None
    terms = path.answer.terms
    assert terms.logit == pytest.approx(float(trace.logits[1]), abs=2e-5)
    assert terms.heads[1, 2] == pytest.approx(float(path.answer.through.sum()), abs=1e-5)
    np.testing.assert_array_equal(path.stream[1], trace.hidden_states()[1][path.token])
    if name != "eva02":  # it turns its keys
        key = trace.attention(1).keys[2, path.token]
        np.testing.assert_allclose(path.projected_key, key, atol=1e-5)


@pytest.mark.parametrize("name", ["vit", "gap"])
def test_where_nothing_comes_after_a_head_its_term_is_what_silencing_it_takes(
    tmp_path: Path, name: str
):
    """The last layer's MLP writes nothing and no norm scales the answer: all is linear."""
    model = opened(name, tmp_path)
    with torch.no_grad():
        for parameter in model.module.blocks[-1].mlp.fc2.parameters():
            parameter.zero_()
    model.module.norm = model.module.fc_norm = torch.nn.Identity()
    path = model.patch_path(PICTURE, *ASKED)
    whole = model.trace(PICTURE).logits[1]
    for head in range(3):
        silent = model.trace(PICTURE, interventions=[SilenceHead(1, head)]).logits[1]
        assert path.answer.terms.heads[1, head] == pytest.approx(float(whole - silent), abs=1e-4)
    assert path.answer.terms.mlps[1] == pytest.approx(0, abs=1e-4)


def test_who_asks(tmp_path: Path):
    """The class token where it answers; the patch itself where all patches are averaged."""
    token = opened("vit", tmp_path).patch_path(PICTURE, *ASKED)
    assert (token.token, token.asking, token.answer.share) == (4, 0, 1)
    (tmp_path / "gap").mkdir()
    mean = opened("register-gap", tmp_path / "gap").patch_path(PICTURE, *ASKED)
    assert (mean.token, mean.asking) == (4, 4)
    assert mean.answer.share == pytest.approx(1 / 16)


def test_without_classes_the_way_ends_at_what_the_head_writes(tmp_path: Path):
    folder = save_picture_model("vit", tmp_path, n_classes=0)
    path = core.load(folder, device="cpu").patch_path(PICTURE, 0, 0, 0, None)
    assert path.answer is None
    assert "knows no classes" in path.why_not
    assert path.write.shape == (8, 24)


@pytest.mark.parametrize(
    ("name", "save", "why"),
    [
        ("siglip", save_picture_model, "one more attention"),
        ("dinov2", save_transformers_pictures, "no plain sum"),  # reads two things side by side
    ],
)
def test_an_answer_that_is_no_plain_sum_is_told(tmp_path: Path, name: str, save: Save, why: str):
    path = opened(name, tmp_path, save).patch_path(PICTURE, *ASKED)
    assert path.answer is None
    assert why in path.why_not


@pytest.mark.parametrize(
    ("name", "save", "why"),
    [
        ("swin", save_picture_model, "merges its patches"),
        ("pvt", save_picture_model, "merges its patches"),
        ("data2vec", save_transformers_pictures, "does more in a layer"),
    ],
)
def test_a_model_whose_layers_do_more_is_refused(tmp_path: Path, name: str, save: Save, why: str):
    with pytest.raises(InputError, match=why):
        opened(name, tmp_path, save).patch_path(PICTURE, 0, 0, 0, ClassTarget(0))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ((2, 0, 0, ClassTarget(0)), "no layer 2: .* has 2 here, counted from 0 to 1"),
        ((0, 3, 0, ClassTarget(0)), "no head 3"),
        ((0, 0, 16, ClassTarget(0)), "no patch 16"),
        ((0, 0, 0, ClassTarget(5)), "no class 5"),
        ((-1, 0, 0, ClassTarget(0)), "no layer -1"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, asked: tuple, why: str):
    with pytest.raises(InputError, match=why):
        opened("vit", tmp_path).patch_path(PICTURE, *asked)
