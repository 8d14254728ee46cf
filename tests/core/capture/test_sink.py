"""A learned sink (GPT-OSS): the tokens' maps are the model's own, the rest is a column by name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from app import notebook
from app.components.frame import unpack
from core import AttentionKind, explain
from core.interventions import BlockEdge, ReplaceWeights, SilenceHead
from core.targets import LogitTarget
from core.trace import SINK, whole_rows, with_sink
from tests.tiny import save_tiny

TEXT = "the cat sat on a street ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny("gpt_oss", tmp_path_factory.mktemp("gpt_oss"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Any:
    return core.load(folder, device="cpu")


@pytest.fixture(scope="module")
def trace(model: Any) -> core.Trace:
    return model.trace(TEXT)


@pytest.fixture(scope="module")
def eager(folder: Path, model: Any, trace: core.Trace) -> list[np.ndarray]:
    """transformers' own maps, of which it drops the sink's column: what rows lack to one."""
    own = type(model.module).from_pretrained(folder, attn_implementation="eager").eval()
    with torch.inference_mode():
        output = own(**model.tensors([(trace.encoding, None)]), output_attentions=True)
    return [one[0].numpy() for one in output.attentions]


def test_maps_and_the_sinks_column_are_the_models_own(trace: core.Trace, eager: list[np.ndarray]):
    layers = trace.layers[AttentionKind.DECODER]
    assert len(layers) == len(eager) == 2
    for layer, own in zip(layers, eager, strict=True):
        assert layer.sink is not None
        assert layer.weights.shape == own.shape == (4, 7, 7)
        np.testing.assert_allclose(layer.weights, own, atol=1e-5)
        np.testing.assert_allclose(layer.sink, 1 - own.sum(-1), atol=1e-5)
        np.testing.assert_allclose(whole_rows(layer).sum(-1), 1, atol=1e-5)
        assert layer.sink.min() > 1e-6
        assert 0.05 < layer.sink.mean() < 0.95
        assert layer.sink.std() > 0.01


def test_the_sinks_share_is_its_scores(trace: core.Trace, model: Any):
    """sink ÷ weight = e^(its score − the key's): heads with a higher score give it more."""
    layer = trace.attention(0)
    scores = model.module.model.layers[0].self_attn.sinks.detach().numpy()
    assert layer.sink is not None
    first = layer.weights[:, 0, 0], layer.sink[:, 0]  # the first token sees itself alone
    np.testing.assert_allclose(first[0] + first[1], 1, atol=1e-6)
    keys = scores - np.log(first[1] / first[0])  # what its own score must then have been
    q, k = (getattr(model.module.model.layers[0].self_attn, f"{name}_proj") for name in ("q", "k"))
    with torch.inference_mode():
        norm = model.module.model.layers[0].input_layernorm
        received = norm(torch.tensor(trace.hidden_states()[0][:1]))
        queries, own = q(received).view(4, -1), k(received).view(2, -1).repeat_interleave(2, 0)
    turned = model.module.model.rotary_emb.attention_scaling**2  # YaRN's; its angles are zero
    scale = queries.shape[1] ** -0.5 * turned
    np.testing.assert_allclose(keys, (queries * own).sum(-1).numpy() * scale, atol=1e-3)


def test_only_what_the_mask_allows_is_visible(trace: core.Trace):
    assert (trace.attention(0).allowed() == np.tri(7, dtype=bool)).all()


def test_columns_have_the_tokens_names_and_the_sinks(trace: core.Trace):
    assert trace.encoding is not None
    columns = with_sink(trace.encoding)
    assert columns.tokens == (*trace.tokens, SINK)
    assert columns.special.tolist() == [*trace.encoding.special, True]
    assert "a learned sink" in repr(trace)


def test_a_file_keeps_it(trace: core.Trace, tmp_path: Path):
    trace.save(tmp_path / "it.npz")
    again = core.Trace.open(tmp_path / "it.npz").attention(1)
    np.testing.assert_array_equal(whole_rows(again), whole_rows(trace.attention(1)))


def test_gradients_are_of_the_tokens_weights(model: Any):
    traced = model.trace(TEXT, gradient_of=LogitTarget(6, 9))
    layer = traced.attention(0)
    assert layer.gradients is not None
    assert layer.gradients.shape == layer.weights.shape
    assert np.abs(layer.gradients).max() > 0
    assert explain.relevance(traced).shape == (7, 7)


def test_a_blocked_edge_is_as_minus_infinity_before_the_softmax(model: Any, trace: core.Trace):
    changed = model.trace(TEXT, interventions=[BlockEdge(0, 1, 5, 2)]).attention(0)
    before, after = (whole_rows(one)[1, 5] for one in (trace.attention(0), changed))
    expected = np.delete(before, 2) / (1 - before[2])
    np.testing.assert_allclose(np.delete(after, 2), expected, atol=1e-6)
    assert after[2] == 0


def test_a_head_with_another_map_gives_the_sink_nothing(model: Any):
    given = np.tri(7, dtype=np.float32) / np.arange(1, 8, dtype=np.float32)[:, None]
    changed = model.trace(TEXT, interventions=[ReplaceWeights(1, 2, given)]).attention(1)
    np.testing.assert_allclose(changed.weights[2], given, atol=1e-7)
    assert changed.sink[2].max() == 0
    assert changed.sink[1].min() > 0


def test_a_silent_head_is_silent(model: Any, trace: core.Trace):
    silent = model.trace(TEXT, interventions=[SilenceHead(1, 0)])
    assert silent.logits is not None
    assert trace.logits is not None
    assert np.abs(silent.logits - trace.logits).max() > 1e-4


@pytest.mark.parametrize(
    "method", [explain.attention_rollout, explain.attention_flow, explain.role_masses]
)
def test_what_deals_a_row_out_refuses(method: Any, trace: core.Trace):
    with pytest.raises(core.InputError, match=r"learned sink.*goes nowhere on"):
        method(trace)


def test_a_step_written_with_a_cache_has_no_column_too_many(model: Any):
    written = model.generate(TEXT, max_new_tokens=3, temperature=0.0)
    assert [step.attention.shape[-1] for step in written.steps] == [7, 8, 9]
    assert all(step.attention.sum(-1).max() < 1 for step in written.steps)


def test_a_notebook_draws_the_column(trace: core.Trace):
    _, all_heads, _ = notebook._all_heads(trace, AttentionKind.DECODER)
    assert unpack(all_heads)[0]["key_tokens"] == [*trace.tokens, SINK]
    _, one_head, _ = notebook._one_head(trace, AttentionKind.DECODER, 0, 1)
    header, arrays = unpack(one_head)
    assert header["key_tokens"] == [*trace.tokens, SINK]
    np.testing.assert_array_equal(arrays["maps"][0], whole_rows(trace.attention(0))[1])
