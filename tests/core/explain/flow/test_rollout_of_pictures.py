"""Rollout on picture models of every family: 0, 1, 2 and 5 prefix tokens, stages, a pool."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skimage.data
from PIL import Image

import core
from core.errors import InputError
from core.explain.flow.rollout import (
    attention_pool_row,
    attention_rollout,
    film_of_maps,
    fuse_heads,
    fused_layer,
    fused_maps,
    mean_of_patches,
    one_hot,
    rollout_of_maps,
    rollout_row,
    row_of_maps,
)
from core.explain.flow.stage_rollout import film_of_stages, fused_stages
from core.explain.flow.stages import children, stage_rollout, stage_rollout_row
from core.interventions import ReplaceWeights
from core.trace import AttentionKind, Trace
from tests.core.explain.flow.test_rollout import trace_of
from tests.tiny_pictures import save_picture_model

PREFIX = {"gap": 0, "siglip": 0, "vit": 1, "wide": 1, "register-gap": 1, "distilled": 2,
          "registers": 5}  # fmt: skip
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"residual": 0.0},
    {"residual": 0.3, "head_fusion": "max", "discard": 0.6},
    {"head_fusion": "min", "start_layer": 1},
)


def traced(name: str, folder: Path) -> Trace:
    picture = Image.fromarray(skimage.data.chelsea())
    return core.load(save_picture_model(name, folder), device="cpu").trace(picture)


@pytest.mark.parametrize(("name", "prefix"), PREFIX.items())
def test_a_row_is_the_whole_products_row_whatever_the_prefix(name, prefix, tmp_path):
    trace = traced(name, tmp_path)
    grid = trace.patches
    assert grid is not None
    assert grid.prefix_tokens == prefix
    size = prefix + grid.rows * grid.columns
    assert np.array_equal(attention_rollout(trace, residual=1), np.eye(size))
    for settings in SETTINGS:
        whole = attention_rollout(trace, **settings)
        assert whole.shape == (size, size)
        assert np.allclose(whole.sum(axis=1), 1, atol=1e-5)
        for query in (0, prefix, size - 1):
            assert np.allclose(rollout_row(trace, query, **settings), whole[query], atol=1e-6)


@pytest.mark.parametrize("name", ["gap", "registers", "wide"])
def test_the_mean_of_patches_is_the_mean_of_their_rows(name, tmp_path):
    trace = traced(name, tmp_path)
    grid = trace.patches
    assert grid is not None
    maps = fused_maps(trace)
    whole = rollout_of_maps(maps)
    expected = whole[grid.prefix_tokens :].mean(axis=0)
    assert np.allclose(row_of_maps(maps, mean_of_patches(grid)), expected, atol=1e-6)


def test_an_attention_pool_begins_where_it_looks(tmp_path):
    trace = traced("siglip", tmp_path)
    start = attention_pool_row(trace)
    assert start is not None
    assert trace.pool is not None
    assert start.sum() == pytest.approx(1, abs=1e-5)
    assert np.allclose(start, trace.pool.weights[:, 0].mean(axis=0), atol=1e-6)
    film = film_of_maps(fused_maps(trace), start)
    assert np.array_equal(film[0], start)
    assert np.allclose(film[-1], start @ attention_rollout(trace), atol=1e-6)


def test_other_models_have_no_pool(tmp_path):
    assert attention_pool_row(traced("vit", tmp_path)) is None


@pytest.mark.parametrize("residual", [0.0, 0.3, 0.5])
def test_uniform_attention_is_flat_but_for_what_the_residual_kept(residual):
    layers, size = 4, 6
    uniform = trace_of(np.full((layers, 2, size, size), 1 / size, dtype=np.float32))
    rollout = attention_rollout(uniform, residual=residual)
    kept = residual**layers
    assert np.allclose(rollout, (1 - kept) / size + kept * np.eye(size), atol=1e-6)


def test_a_film_has_every_shorter_rollout_as_a_frame(tmp_path):
    maps = fused_maps(traced("vit", tmp_path))
    film = film_of_maps(maps, one_hot(17, 3))
    assert np.array_equal(film[0], one_hot(17, 3))
    for frame in (1, 2):
        assert np.allclose(film[frame], rollout_of_maps(maps[:frame])[3], atol=1e-6)


def test_a_query_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="0 to 4"):
        one_hot(5, 5)


@pytest.mark.parametrize("start", [0, 1, 2])
def test_a_film_through_stages_ends_with_the_stages_own_rollout(start, tmp_path):
    trace = traced("swin", tmp_path)
    maps, grids = fused_stages(trace, start_layer=start)
    first, last = grids[0], grids[-1]
    patch = first.columns + 2  # row 1, column 2
    film = film_of_stages(maps, grids, patch)
    assert film.shape == (len(maps) + 1, first.rows * first.columns)
    assert np.allclose(film.sum(axis=1), 1, atol=1e-5)
    query = patch if first == last else int(children(first, last)[patch])
    assert np.allclose(film[-1], stage_rollout_row(trace, query, start_layer=start), atol=1e-5)
    mean = film_of_stages(maps, grids, None)[-1]
    assert np.allclose(mean, stage_rollout(trace, start_layer=start).mean(axis=0), atol=1e-5)


def test_on_one_grid_a_film_of_stages_is_the_plain_film(tmp_path):
    trace = traced("gap", tmp_path)
    maps, grids = fused_stages(trace)
    plain = film_of_maps(fused_maps(trace), one_hot(16, 5))
    assert np.allclose(film_of_stages(maps, grids, 5), plain, atol=1e-6)


def test_keys_on_another_grid_are_refused_with_the_reason(tmp_path):
    with pytest.raises(InputError, match="grid"):
        fused_stages(traced("pvt", tmp_path))


@pytest.mark.parametrize("name", ["vit", "beit", "registers", "swin"])  # BEiT adds a bias
@pytest.mark.parametrize("fusion", ["mean", "max", "min"])
def test_a_layer_fused_head_by_head_is_its_weights_fused(name, fusion, tmp_path):
    for layer in traced(name, tmp_path).layers[AttentionKind.ENCODER]:
        expected = fuse_heads(layer.weights, head_fusion=fusion, discard=0.2)
        assert np.allclose(fused_layer(layer, head_fusion=fusion, discard=0.2), expected, atol=1e-6)


def test_replaced_weights_are_what_is_fused(tmp_path):
    model: Any = core.load(save_picture_model("vit", tmp_path), device="cpu")
    weights = np.full((17, 17), 1 / 17, dtype=np.float32)
    changes = tuple(ReplaceWeights(0, head, weights) for head in range(3))
    trace = model.trace(Image.fromarray(skimage.data.chelsea()), interventions=changes)
    assert np.allclose(fused_layer(trace.attention(0)), 1 / 17, atol=1e-6)
