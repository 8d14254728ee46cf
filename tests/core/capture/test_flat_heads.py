"""Attention whose heads lie beside the batch's rows on one axis (XGLM, MVP, TrOCR, FSMT)."""

import numpy as np
import pytest
import torch
import transformers as hf

from core.capture import Recorder
from core.capture.module_path import module_paths
from core.interventions import SilenceHead
from core.trace import AttentionKind

TOKENS = torch.tensor([[5, 6, 7, 8], [9, 10, 11, 12]])


@pytest.fixture(scope="module")
def model() -> torch.nn.Module:
    torch.manual_seed(0)
    config = hf.XGLMConfig(vocab_size=40, d_model=16, num_layers=2, attention_heads=4, ffn_dim=16)
    return hf.XGLMModel(config).eval()


def recorded(model: torch.nn.Module, *changes: SilenceHead) -> tuple[Recorder, torch.Tensor]:
    recorder = Recorder(module_paths(model), lambda _: AttentionKind.DECODER, [(), changes])
    with torch.inference_mode(), recorder:
        answer = model(TOKENS, use_cache=False).last_hidden_state
    return recorder, answer


def test_every_row_of_the_batch_has_its_own_maps(model: torch.nn.Module):
    recorder, answer = recorded(model)
    with torch.inference_mode():
        eager = model(TOKENS, output_attentions=True, use_cache=False)
    torch.testing.assert_close(answer, eager.last_hidden_state)
    assert len(recorder.calls) == 2
    for call, expected in zip(recorder.calls, eager.attentions, strict=True):
        assert call.weights.shape == (2, 4, 4, 4)
        for row in range(2):
            mine = call.layer_of(row, {}).weights
            np.testing.assert_allclose(mine, expected[row].numpy(), atol=1e-6)


def test_a_silenced_head_is_silent_in_its_row_alone(model: torch.nn.Module):
    """As if the output projection had no columns for it."""
    whole = recorded(model)[1]
    silent = recorded(model, SilenceHead(1, 2))[1]
    torch.testing.assert_close(silent[0], whole[0])
    weight = model.layers[1].self_attn.out_proj.weight
    kept = weight.detach().clone()
    with torch.no_grad():
        weight[:, 8:12] = 0
    expected = recorded(model)[1]
    with torch.no_grad():
        weight.copy_(kept)
    torch.testing.assert_close(silent[1], expected[1])
    assert (silent[1] - whole[1]).abs().max() > 1e-4
