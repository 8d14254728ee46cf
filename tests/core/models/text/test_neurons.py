"""Neurons against forward hooks, sums written out and edited matrices, on tiny random models."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core import InputError, LogitContrast, PatchStream, SilenceNeuron
from core.capture.residual_stream import part_of
from core.explain.attribution.logit_attribution import Writer
from core.trace import AttentionKind
from core.trace.residual_stream import Part

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because it was tired ."
TARGET = {"target": "a dog ran on the street"}
PLACE, TOKEN, OTHER = 3, 7, 11
TRANSLATORS = ("marian", "bart", "t5")
FAMILIES = ("bert", "roberta", "distilbert", "electra", "gpt2", "llama", "opt", *TRANSLATORS)


def last_matrices(model: Any) -> list[Any]:
    """W₂ of every layer of the stack that is read out."""
    stack = [kind for kind in model.promised_maps() if kind != AttentionKind.CROSS][-1]
    return [
        module
        for path, module in model.module.named_modules()
        if part_of(path) == Part.MLP and model.kind_of(path) == stack
    ]


def given(model: Any, texts: Sequence[str] = (TEXT,), **more: str) -> list[Tensor]:
    """What every last matrix is given, (row, position, neuron), by hooks."""
    found: list[Tensor] = []

    def keep(_: object, args: tuple[Tensor, ...], __: object) -> None:
        found.append(args[0].reshape(len(texts), -1, args[0].shape[-1]))

    prepared = [model.prepare(text, **more) for text in texts]  # a translator decodes for that
    handles = [one.register_forward_hook(keep) for one in last_matrices(model)]
    with torch.no_grad():
        model.module(**model.tensors(prepared))
    for handle in handles:
        handle.remove()
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_neurons_add_up_to_what_their_layer_writes(family: str, tiny_checkpoint: Checkpoint):
    """Activations are those that hooks see; the sum is the MLP's term of the logit."""
    model: Any = core.load(tiny_checkpoint(family))
    more = TARGET if family in TRANSLATORS else {}
    target = LogitContrast(PLACE, TOKEN, OTHER)
    found = model.neurons(TEXT, target, **more)
    expected = torch.stack([one[0, PLACE] for one in given(model, **more)])
    np.testing.assert_allclose(found.activations, expected, atol=1e-6)
    terms = model.direct_logits(TEXT, target, **more)
    mlps = list(terms.of(Writer.MLP).values())
    np.testing.assert_allclose(found.values.sum(axis=1) + found.biases, mlps, atol=1e-4)
    assert found.logit == pytest.approx(terms.logit)
    assert np.abs(mlps).min() > 1e-4


def test_one_neuron_of_gpt2_by_hand(tiny_checkpoint: Checkpoint):
    """Activation × its row of W₂, through the last norm at its scale, times the unembedding."""
    model: Any = core.load(tiny_checkpoint("gpt2"))
    network, ends = model.module, []
    hook = network.transformer.ln_f.register_forward_hook(lambda *seen: ends.append(seen[1][0]))
    activations = given(model)
    hook.remove()
    end = ends[0][0, PLACE]
    scale = (end.var(unbiased=False) + network.transformer.ln_f.eps).sqrt()
    found = model.neurons(TEXT, LogitContrast(PLACE, TOKEN))
    for layer, neuron in ((0, 5), (2, 40)):
        row = network.transformer.h[layer].mlp.c_proj.weight[neuron]
        through = (row - row.mean()) / scale * network.transformer.ln_f.weight
        hand = activations[layer][0, PLACE, neuron] * (through @ network.lm_head.weight[TOKEN])
        assert found.values[layer, neuron] == pytest.approx(float(hand), abs=1e-6)


@pytest.mark.parametrize("by", ["write", "activation"])
@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_the_strongest_and_their_tokens(family: str, by: str, tiny_checkpoint: Checkpoint):
    """Each token's logit of a neuron is what the neuron writes to that token."""
    model: Any = core.load(tiny_checkpoint(family))
    n_tokens = len(model.vocabulary())
    each = [model.neurons(TEXT, LogitContrast(PLACE, t), by=by) for t in range(n_tokens)]
    found = each[TOKEN]
    size = np.abs(found.values if by == "write" else found.activations)
    for layer, chosen in enumerate(found.strongest):
        np.testing.assert_allclose(size[layer, chosen], np.sort(size[layer])[::-1][: len(chosen)])
        neuron = int(chosen[0])
        per_token = np.array([one.values[layer, neuron] for one in each])
        per_unit = per_token / found.activations[layer, neuron]
        per_unit -= per_unit.mean()
        at = found.term(layer, neuron)
        up, down = found.up, found.down
        np.testing.assert_allclose(up.logits[at], np.sort(per_unit)[::-1][:10], atol=1e-4)
        np.testing.assert_allclose(down.logits[at], np.sort(per_unit)[:10], atol=1e-4)
        np.testing.assert_allclose(per_unit[up.ids[at]], up.logits[at], atol=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fill", ["zero", "mean"])
def test_silencing_is_editing_the_last_matrix(family: str, fill: Any, tiny_checkpoint: Checkpoint):
    """Zero: the neuron's row of W₂ is zero. Mean: and its mean over the text is in the bias."""
    model: Any = core.load(tiny_checkpoint(family))
    more = TARGET if family in TRANSLATORS else {}
    stack = AttentionKind.DECODER if family in TRANSLATORS else None
    layer = 1
    activations = given(model, **more)[layer][0]
    neuron = int(activations.var(dim=0).argmax())  # ReLU leaves many at zero
    change = SilenceNeuron(layer, neuron, fill, stack)
    same, changed = model.logits_at(TEXT, [(), (change,)], PLACE, **more)
    matrix = last_matrices(model)[layer]
    row = matrix.weight[neuron] if family == "gpt2" else matrix.weight[:, neuron]
    mean = activations[:, neuron].mean()
    added = row.detach().clone() * (mean if fill == "mean" else 0)
    with torch.no_grad():
        row.zero_()
    matrix.register_forward_hook(lambda _, __, made: made + added)
    edited = model.trace(TEXT, **more).logits[PLACE]
    np.testing.assert_allclose(changed, edited, atol=1e-5)
    assert np.abs(changed - same).max() > 1e-4


@pytest.mark.parametrize("family", ["bert", "gpt2", "opt", "marian"])
def test_each_row_of_a_batch_has_its_own_silence(family: str, tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint(family))
    more = TARGET if family in TRANSLATORS else {}
    stack = [kind for kind in model.promised_maps() if kind != AttentionKind.CROSS][-1]
    variants = [(), *((SilenceNeuron(1, neuron, "mean", stack),) for neuron in (3, 4, 5))]
    together = model.logits_at(TEXT, variants, PLACE, **more)
    alone = [model.logits_at(TEXT, [one], PLACE, **more)[0] for one in variants]
    np.testing.assert_allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("family", ["bert", "gpt2", "opt", "marian"])
def test_firings_are_the_activations_of_each_text(family: str, tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint(family))
    texts = (TEXT, "a dog ran", "the animal did n't cross the street", "a cat ran")
    found = model.firings(texts, 2, 9)
    for text, one in zip(texts, found, strict=True):
        prepared, target = model.prepare(text)
        assert one.tokens == (target or prepared).tokens
        expected = given(model, (text,))[2][0, :, 9]
        np.testing.assert_allclose(one.activations, expected, atol=1e-6)
        words = np.flatnonzero(~one.special)
        assert one.peak == words[expected.abs()[words].argmax()]


def test_what_is_not_there_is_refused(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    for change, words in (
        (SilenceNeuron(9, 0), "no layer 9"),
        (SilenceNeuron(0, 999), "no neuron 999"),
        (SilenceNeuron(0, 0, stack=AttentionKind.ENCODER), "no encoder stack"),
    ):
        with pytest.raises(InputError, match=words):
            model.logits_at(TEXT, [(change,)], PLACE)
    for place in ((0, 999), (9, 0)):
        with pytest.raises(InputError, match="no neuron"):
            model.firings((TEXT,), *place)
    with pytest.raises(InputError, match="Silence with zero"):
        model.generate(TEXT, interventions=(SilenceNeuron(0, 0, "mean"),))
    neox: Any = core.load(tiny_checkpoint("gpt_neox"))
    with pytest.raises(InputError, match="neurons can't be silenced"):
        neox.logits_at(TEXT, [(SilenceNeuron(0, 0),)], PLACE)
    with pytest.raises(InputError):
        neox.neurons(TEXT, LogitContrast(PLACE, TOKEN))


def test_both_riders_act_in_one_forward(tiny_checkpoint: Checkpoint):
    """A patch of the stream and a silent neuron: as one after the other by hand."""
    model: Any = core.load(tiny_checkpoint("gpt2"))
    patch = PatchStream(1, 2, "residual", np.linspace(-1, 1, 32, dtype=np.float32))
    both, patched = model.logits_at(
        TEXT, [(patch, SilenceNeuron(2, 17)), (patch,)], len(model.trace(TEXT).tokens) - 1
    )
    with torch.no_grad():
        model.module.transformer.h[2].mlp.c_proj.weight[17].zero_()
    edited = model.logits_at(TEXT, [(patch,)], len(model.trace(TEXT).tokens) - 1)[0]
    np.testing.assert_allclose(both, edited, atol=1e-5)
    assert np.abs(both - patched).max() > 1e-5
