"""Swin's bias by offset, against what timm itself adds to the scores."""

import numpy as np
import pytest
import timm
import torch

from core.errors import InputError
from core.models.vision.relative_bias import relative_biases
from tests.core.tiny_windows import blocks_of, picture, swin


def by_offset(attention) -> np.ndarray:
    """timm's own index: which cell of the table each pair of a window takes."""
    return attention.relative_position_index.numpy()


def test_version_one_adds_its_table():
    module = swin("v1")
    tables = relative_biases("v1", module)
    assert [table.shape for table in tables] == [(2, 7, 7), (2, 7, 7), (4, 7, 7), (4, 7, 7)]
    for block, table in zip(blocks_of(module), tables, strict=True):
        added = block.attn._get_rel_pos_bias()[0].numpy()
        np.testing.assert_array_equal(
            table.reshape(len(table), -1)[:, by_offset(block.attn)], added
        )


def test_the_middle_is_the_patch_itself_and_rows_are_rows():
    table = relative_biases("v1", swin("v1"))[0]
    attention = blocks_of(swin("v1"))[0].attn
    added = attention._get_rel_pos_bias()[0].numpy()
    np.testing.assert_array_equal(table[:, 3, 3], added[:, 0, 0])
    np.testing.assert_array_equal(table[:, 2, 3], added[:, 0, 4])  # the query one row above its key
    np.testing.assert_array_equal(table[:, 3, 4], added[:, 1, 0])  # … one column to the right


def test_version_two_lets_a_network_say_it():
    """What is left of the scores when queries and keys are orthogonal is the bias alone."""
    module = swin("v2")
    with torch.no_grad():
        for block in blocks_of(module):
            block.attn.logit_scale.fill_(-200)  # cosines times exp(-200)
    seen = []
    blocks_of(module)[0].attn.softmax.register_forward_pre_hook(lambda _m, i: seen.append(i[0]))
    with torch.inference_mode():
        module(picture())
    table = relative_biases("v2", module)[0]
    index = by_offset(blocks_of(module)[0].attn)
    np.testing.assert_allclose(
        table.reshape(len(table), -1)[:, index], seen[0][0].numpy(), atol=1e-5
    )
    assert table.min() >= 0
    assert table.max() <= 16


@pytest.mark.parametrize("name", ["vit_tiny_patch16_224", "beit_base_patch16_224"])
def test_a_model_without_windows_has_none(name):
    module = timm.create_model(
        name, img_size=32, patch_size=8, embed_dim=16, depth=1, num_heads=2, num_classes=2
    )
    with pytest.raises(InputError, match="adds no relative position bias"):
        relative_biases("ViT", module)
