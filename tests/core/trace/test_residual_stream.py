"""Sublayers caught in a forward pass, against the model's own states and hooks."""

import numpy as np
import pytest
import torch
import transformers

import core
from core.trace.residual_stream import Part

TEXT = "the cat sat on a street ."
POST_NORM = ("bert", "roberta", "distilbert", "electra", "marian", "bart")
PRE_NORM = ("gpt2", "llama", "t5")


def stacks(trace):
    return [(stack, trace.hidden_states(stack), trace.blocks[stack]) for stack in trace.blocks]


@pytest.mark.parametrize("family", [*POST_NORM, *PRE_NORM])
def test_sublayers_lead_from_state_to_state(family: str, tiny_checkpoint):
    trace = core.load(tiny_checkpoint(family)).trace(TEXT, blocks=True)
    for stack, states, blocks in stacks(trace):
        assert len(blocks) == len(states) - 1
        for i, block in enumerate(blocks):
            assert block.pre_norm == (family in PRE_NORM)
            cross = (
                (Part.CROSS,) if stack == "decoder" and family in ("marian", "bart", "t5") else ()
            )
            assert tuple(one.part for one in block.sublayers) == (Part.ATTENTION, *cross, Part.MLP)
            np.testing.assert_array_equal(block.sublayers[0].received, states[i])
            for one, following in zip(block.sublayers, block.sublayers[1:], strict=False):
                np.testing.assert_array_equal(one.passed_on, following.received)
            if i < len(blocks) - 1 or not block.pre_norm:  # else a last norm stands between
                np.testing.assert_array_equal(block.sublayers[-1].passed_on, states[i + 1])
            total = block.sublayers[0].received + block.attention_output
            np.testing.assert_array_equal(block.residual_mid, total)


def test_outputs_are_those_that_hooks_see(tiny_checkpoint):
    model = core.load(tiny_checkpoint("marian"))
    own = transformers.MarianMTModel.from_pretrained(tiny_checkpoint("marian")).eval()
    seen = {}
    layer = own.model.decoder.layers[1]
    parts = {"attention": layer.self_attn.out_proj, "cross": layer.encoder_attn.out_proj}
    for name, module in (parts | {"mlp": layer.fc2}).items():
        module.register_forward_hook(lambda _, __, out, name=name: seen.update({name: out[0]}))
    trace = model.trace(TEXT, blocks=True)
    with torch.no_grad():
        own(
            input_ids=torch.tensor(trace.encoding.ids)[None],
            decoder_input_ids=torch.tensor(trace.target_encoding.ids)[None],
        )
    block = trace.block(1, core.AttentionKind.DECODER)
    for one in block.sublayers:
        np.testing.assert_allclose(one.output, seen[one.part], atol=1e-5)
    assert block.mlp_output is block.sublayer(Part.MLP).output


def test_plain_traces_have_none_and_blocks_change_nothing_else(tiny_checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    plain, full = model.trace(TEXT), model.trace(TEXT, blocks=True)
    with pytest.raises(ValueError, match="ask for it with trace"):
        plain.block(0)
    with pytest.raises(ValueError, match="layers 0 to 2, not 3"):
        full.block(3)
    with pytest.raises(ValueError, match="layer 0 has"):
        full.block(0).sublayer(Part.CROSS)
    np.testing.assert_array_equal(plain.logits, full.logits)
    assert full.nbytes > plain.nbytes
    two = core.load(tiny_checkpoint("marian")).trace(TEXT, blocks=True)
    with pytest.raises(ValueError, match="say which stack: encoder, decoder"):
        two.block(0)


def test_interventions_act_on_blocks(tiny_checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    silenced = [core.SilenceHead(0, head) for head in range(4)]
    block = model.trace(TEXT, blocks=True, interventions=silenced).block(0)
    assert float(np.ptp(block.attention_output, axis=0).max()) < 1e-6  # only W^O's bias is left


def test_families_with_other_layers_are_refused(tiny_checkpoint):
    with pytest.raises(core.InputError, match="sublayers can't be told apart"):
        core.load(tiny_checkpoint("albert")).trace(TEXT, blocks=True)
