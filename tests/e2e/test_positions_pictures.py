"""Picture models and a GPT on the positions page: a server of its own, with tiny checkpoints."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from playwright.sync_api import expect
from safetensors.torch import save_file

import core
from app.services.vision import sample
from core import DropPositions, positions
from tests.e2e.test_positions import expect_painted
from tests.journeys.server import running_server

PICTURES = {
    "vit": (
        "vit_tiny_patch16_224",
        {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 3, "num_heads": 4},
    ),
    "swin": (
        "swin_tiny_patch4_window7_224",
        {
            "img_size": 32,
            "patch_size": 2,
            "embed_dim": 16,
            "depths": (2, 2),
            "num_heads": (2, 4),
            "window_size": 4,
        },
    ),
}


def save(name: str, folder: Path) -> Path:
    architecture, arguments = PICTURES[name]
    torch.manual_seed(0)
    module = timm.create_model(architecture, num_classes=5, **arguments)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.2)
    save_file(module.state_dict(), folder / "model.safetensors")
    config = {
        "architecture": architecture,
        "num_classes": 5,
        "model_args": arguments,
        "pretrained_cfg": {"input_size": (3, 32, 32), "crop_pct": 1.0},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module")
def folders(tiny_checkpoint, tmp_path_factory) -> dict[str, Path]:
    made = {name: save(name, tmp_path_factory.mktemp(name)) for name in PICTURES}
    return made | {"gpt2": tiny_checkpoint("gpt2")}


@pytest.fixture(scope="module")
def server(folders: dict[str, Path]) -> Iterator[str]:
    offered = os.pathsep.join(map(str, folders.values()))
    with running_server(GLASSFORMER_CHECKPOINTS=offered) as started:
        yield started


def test_a_vits_positions_are_tiles_over_its_grid(app, folders):
    page = app.open("positions", view="learned", model=str(folders["vit"]))
    table = core.load(folders["vit"]).position_table()
    similarity = positions.cosine_similarity(table.patches)
    mosaic = positions.tiles(similarity, table.grid)
    with_gaps = np.zeros((19, 19))
    with_gaps[:16, :16] = mosaic  # 4 × 4 tiles of 4 × 4, three gaps a side: the sum is the same
    expect_painted(page, "One tile a patch", with_gaps)
    expect_painted(page, "Mean similarity", positions.similarity_by_steps(similarity, table.grid))
    expect(page.get_by_text("The first row is no patch's")).to_be_visible()


def test_patches_in_another_order_leave_a_vit_and_not_a_swin(app, folders):
    page = app.open("positions", view="order", picture_model=str(folders["vit"]))
    expect(page.get_by_text("All patches are put into another order")).to_contain_text(
        "equal to rounding", timeout=60_000
    )
    expect(page.get_by_text("With windows of 2 × 2 patches put on top")).to_be_visible()
    picture = sample("chelsea").convert("RGB")
    model = core.load(folders["vit"])
    best = model.classify(picture, interventions=[DropPositions()])[0]
    bars = page.get_by_role("group", name="Classes, positions dropped")
    first = bars.locator("[data-probability]").first
    drawn = float(first.get_attribute("data-probability") or "nan")
    assert drawn == pytest.approx(best.probability, abs=1e-4)
    page = app.open("positions", view="order", picture_model=str(folders["swin"]))
    expect(page.get_by_text("All patches are put into another order")).to_contain_text(
        "not equal. Its windows tell patches apart", timeout=60_000
    )


def test_a_causal_model_fails_by_its_own_mask(app, folders):
    page = app.open(
        "positions", view="order", m=str(folders["gpt2"]), text="the cat sat on a street ."
    )
    expect(page.get_by_text("All tokens are put into another order")).to_contain_text(
        "not equal. Its causal mask tells tokens apart", timeout=60_000
    )
    bars = page.get_by_role("group", name="Predictions at The next token, positions shuffled")
    expect(bars.locator("[data-probability]")).to_have_count(5)
    page.get_by_text("Every model on board").click()
    app.settled()
    expect(page.get_by_role("cell", name="fails")).to_have_count(4)  # both GPTs, both Swins
