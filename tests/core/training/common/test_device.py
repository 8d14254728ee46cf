"""What a training is quick with on its device, and how it still tells its maps."""

import pytest
import torch

from core.training.common.device import attention_told, quickest_attention
from core.training.gpt.network import build_model


@pytest.mark.parametrize(("device", "kind"), [("cpu", "eager"), ("cuda", "sdpa")])
def test_a_graphics_card_takes_the_fused_kernel(device: str, kind: str) -> None:
    assert quickest_attention(device) == kind


def test_a_model_with_the_fused_kernel_tells_its_maps_and_goes_on_as_its_device_likes() -> None:
    model = build_model(vocabulary_size=50, layers=1, heads=2, d_model=8).eval()
    ids = torch.tensor([[1, 2, 3]])
    model.set_attn_implementation("sdpa")
    fused = model(ids).logits
    with attention_told(model):
        told = model(ids, output_attentions=True)
    torch.testing.assert_close(told.attentions[0].sum(dim=-1), torch.ones(1, 2, 3))
    torch.testing.assert_close(told.logits, fused)
    assert model.config._attn_implementation == "eager"
