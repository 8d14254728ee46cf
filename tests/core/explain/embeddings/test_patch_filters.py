import numpy as np
import pytest

from core.explain.embeddings.patch_filters import (
    as_colours,
    mosaic,
    principal_filters,
    with_fixed_signs,
)


def test_components_of_two_filters_by_hand():
    # two filters of one pixel: their mean is (1, 0, 0), they differ along green alone
    filters = np.float32([[[[1, 2, 0]]], [[[1, -2, 0]]]])
    found = principal_filters(filters, count=1)
    np.testing.assert_allclose(found.components, [[[[0, 1, 0]]]], atol=1e-6)
    np.testing.assert_allclose(found.explained, [1.0], atol=1e-6)


def test_components_equal_numpys_svd():
    filters = np.random.default_rng(0).normal(size=(40, 4, 4, 3)).astype(np.float32)
    found = principal_filters(filters)
    flat = filters.reshape(40, -1).astype(np.float64)
    values, vectors = np.linalg.eigh(np.cov(flat.T))  # another way to the same axes
    order = np.argsort(-values)[:28]
    products = np.abs((found.components.reshape(28, -1) * vectors.T[order]).sum(axis=1))
    np.testing.assert_allclose(products, 1, atol=1e-4)
    np.testing.assert_allclose(found.explained, values[order] / values.sum(), rtol=1e-4)
    norms = np.linalg.norm(found.components.reshape(28, -1), axis=1)
    np.testing.assert_allclose(norms, 1, atol=1e-5)


def test_fewer_filters_than_the_figure_shows():
    filters = np.random.default_rng(0).normal(size=(5, 2, 2, 3)).astype(np.float32)
    assert len(principal_filters(filters).components) == 5


def test_a_sign_is_fixed_by_the_largest_entry():
    components = np.float32([[[[0.5, -0.8, 0]]], [[[0.9, -0.1, 0]]]])
    np.testing.assert_array_equal(
        with_fixed_signs(components), np.float32([[[[-0.5, 0.8, 0]]], [[[0.9, -0.1, 0]]]])
    )


def test_zero_is_grey_and_the_scale_is_common():
    components = np.float32([[[[0, 0.5, -0.25]]], [[[0.1, -0.5, 0]]]])
    colours = as_colours(components)
    assert colours[0, 0, 0].tolist() == pytest.approx([128, 255, 64], abs=1)
    assert colours[1, 0, 0].tolist() == pytest.approx([153, 0, 128], abs=1)
    assert (as_colours(np.zeros((1, 1, 1, 3), np.float32)) == 128).all()


def test_tiles_are_laid_side_by_side():
    tiles = np.zeros((3, 2, 2, 3), np.uint8)
    tiles[2] = 7
    sheet = mosaic(tiles, 2, scale=2, gap=1)
    assert sheet.shape == (12, 12, 3)
    assert (sheet[0] == 255).all()
    assert (sheet[1:5, 1:5] == 0).all()
    assert (sheet[7:11, 1:5] == 7).all()
    assert (sheet[7:11, 7:11] == 255).all()  # no fourth tile
