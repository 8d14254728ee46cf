"""Activation patching against TransformerLens's definition, made with hooks on a tiny GPT-2.

Cache every activation of the source text; run the other text; at one hook point and place put the
source's in (https://github.com/TransformerLensOrg/TransformerLens, patching.py): `resid_pre` what
a block reads, `attn_out` and `mlp_out` what its sublayers add, `z` a head's output before W^O.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core.explain.attention.activation_patching import (
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.interventions import PatchStream
from core.targets import LogitContrast
from core.trace import AttentionKind
from tests.core.own_loops import LOOPS

SOURCE, TEXT = "the cat sat on a street .", "the dog ran to a cat ,"
CONTRAST = LogitContrast(6, 7, 9)
D_HEAD = 8
Checkpoint = Callable[[str], Path]
Edit = Callable[[str, Tensor], Tensor]


@contextmanager
def hooked(module: Any, edit: Edit) -> Iterator[None]:
    """`edit(name, activation)` sees and may replace every hook point of a GPT-2."""
    handles = []
    for index, block in enumerate(module.transformer.h):

        def into(_: Any, args: tuple[Any, ...], name: str = f"{index}.residual") -> Any:
            return (edit(name, args[0]), *args[1:])

        def out(_: Any, __: Any, result: Any, name: str = f"{index}.attention") -> Any:
            return (edit(name, result[0]), *result[1:])

        def mlp_out(_: Any, __: Any, result: Tensor, name: str = f"{index}.mlp") -> Tensor:
            return edit(name, result)

        def z(_: Any, args: tuple[Tensor], name: str = f"{index}.z") -> tuple[Tensor]:
            return (edit(name, args[0]),)

        handles += [
            block.register_forward_pre_hook(into),
            block.attn.register_forward_hook(out),
            block.mlp.register_forward_hook(mlp_out),
            block.attn.c_proj.register_forward_pre_hook(z),
        ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def run(model: Any, text: str, edit: Edit) -> float:
    ids = torch.tensor(np.array(model.prepare(text)[0].ids))[None]
    with torch.no_grad(), hooked(model.module, edit):
        logits = model.module(ids).logits[0, 6]
    return float(logits[7] - logits[9])


def cached(model: Any) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}

    def keep(name: str, activation: Tensor) -> Tensor:
        found[name] = activation.clone()
        return activation

    run(model, SOURCE, keep)
    return found


def lens(model: Any, cache: dict[str, Tensor], at: str, part: Any) -> float:
    def patch(name: str, activation: Tensor) -> Tensor:
        if name != at:
            return activation
        activation = activation.clone()
        activation[:, *part] = cache[name][:, *part]
        return activation

    return run(model, TEXT, patch)


@pytest.fixture
def gpt2(tiny_checkpoint: Checkpoint):
    return core.load(tiny_checkpoint("gpt2"))


@pytest.mark.parametrize("part", ["residual", "attention", "mlp"])
def test_layer_by_position(part: Any, gpt2):
    source = gpt2.trace(SOURCE, blocks=True)
    found = patch_sweep(
        lambda variants: gpt2.measure(TEXT, variants, CONTRAST), stream_patches(source, part)
    )
    cache = cached(gpt2)
    expected = [
        [lens(gpt2, cache, f"{layer}.{part}", (place,)) for place in range(7)] for layer in range(3)
    ]
    np.testing.assert_allclose(found.patched, expected, atol=1e-4)
    assert found.untouched == pytest.approx(run(gpt2, TEXT, lambda _, same: same), abs=1e-4)
    assert np.abs(found.effects).max() > 1e-2
    if part == "residual":  # the first layer reads tokens: one that both share changes nothing
        same = [0, 4]
        np.testing.assert_allclose(found.effects[0, same], 0, atol=1e-5)


def test_by_head_at_all_positions(gpt2):
    source = gpt2.trace(SOURCE)
    found = patch_sweep(
        lambda variants: gpt2.measure(TEXT, variants, CONTRAST), head_patches(source)
    )
    cache = cached(gpt2)
    expected = [
        [
            lens(
                gpt2, cache, f"{layer}.z", (slice(None), slice(head * D_HEAD, (head + 1) * D_HEAD))
            )
            for head in range(4)
        ]
        for layer in range(3)
    ]
    np.testing.assert_allclose(found.patched, expected, atol=1e-4)


def test_every_position_of_a_layer_restores_the_source(gpt2):
    source = gpt2.trace(SOURCE)
    whole = [tuple(one for of_place in layer for one in of_place)
             for layer in stream_patches(source, "residual")]  # fmt: skip
    found = gpt2.measure(TEXT, whole, CONTRAST)
    expected = gpt2.measure(SOURCE, ((),), CONTRAST)[0]
    np.testing.assert_allclose(found, expected, atol=1e-4)
    sweep = patch_sweep(
        lambda variants: gpt2.measure(TEXT, [(), *whole][: len(variants)], CONTRAST),
        tuple(((),) for _ in whole),
    )
    np.testing.assert_allclose(sweep.restored(float(expected)), 1, atol=1e-3)
    assert np.isnan(sweep.restored(sweep.untouched)).all()


@pytest.mark.parametrize("family", ["bert", "llama"])
@pytest.mark.parametrize("part", ["residual", "attention", "mlp"])
def test_its_own_activation_changes_nothing_and_another_does(
    family: str, part: Any, tiny_checkpoint: Checkpoint
):
    model = core.load(tiny_checkpoint(family))
    own = model.trace(TEXT, blocks=True)
    bare = np.asarray(own.logits)
    for of_layer in stream_patches(own, part):
        changes = [one for of_place in of_layer for one in of_place]
        found = model.trace(TEXT, interventions=changes).logits
        np.testing.assert_allclose(found, bare, atol=1e-4)
    other = model.trace(SOURCE, blocks=True)
    ((patch,), *_) = stream_patches(other, part)[1][2:]
    found = model.trace(TEXT, interventions=[patch])
    np.testing.assert_allclose(found.attention(0).weights, own.attention(0).weights, atol=1e-5)
    assert np.abs(found.logits - bare).max() > 1e-3


def test_attention_patched_with_its_bias_is_no_attention(tiny_checkpoint: Checkpoint):
    """Written out by hand: zero before W^O leaves the bias alone."""
    model = core.load(tiny_checkpoint("bert"))
    bias = model.module.bert.encoder.layer[1].attention.output.dense.bias.detach().numpy()
    n = len(model.trace(TEXT).tokens)
    patches = [PatchStream(1, place, "attention", bias.copy()) for place in range(n)]
    found = model.trace(TEXT, interventions=patches).logits
    ids = torch.tensor(np.array(model.prepare(TEXT)[0].ids))
    with torch.no_grad():
        expected = LOOPS["bert"](
            model.module, ids, lambda layer, heads, *_: heads * (layer != 1)
        ).numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_each_row_of_a_batch_has_its_own_patches(gpt2):
    source = gpt2.trace(SOURCE, blocks=True)
    patches = [of_place for layer in stream_patches(source, "mlp") for of_place in layer]
    together = gpt2.measure(TEXT, patches, CONTRAST)
    alone = [gpt2.measure(TEXT, (one,), CONTRAST)[0] for one in patches]
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_what_does_not_fit_is_refused(gpt2, tiny_checkpoint: Checkpoint):
    value = np.zeros(32, dtype=np.float32)
    with pytest.raises(core.InputError, match=r"no layer 3: .* layers 0 to 2"):
        gpt2.trace(TEXT, interventions=[PatchStream(3, 0, "mlp", value)])
    with pytest.raises(core.InputError, match="no position 7: they count from 0 to 6"):
        gpt2.trace(TEXT, interventions=[PatchStream(0, 7, "mlp", value)])
    with pytest.raises(core.InputError, match="has 5 numbers, but the residual stream here has 32"):
        gpt2.trace(TEXT, interventions=[PatchStream(0, 1, "residual", value[:5])])
    with pytest.raises(core.InputError, match="can't be patched in it"):
        core.load(tiny_checkpoint("albert")).trace(
            TEXT, interventions=[PatchStream(0, 1, "mlp", value)]
        )
    marian = core.load(tiny_checkpoint("marian"))
    with pytest.raises(core.InputError, match="Say which stack: encoder, decoder"):
        marian.trace(TEXT, target="a dog", interventions=[PatchStream(0, 1, "mlp", value)])
    patch = PatchStream(0, 1, "cross", value, AttentionKind.DECODER)
    bare = marian.trace(TEXT, target="a dog")
    assert (
        np.abs(marian.trace(TEXT, target="a dog", interventions=[patch]).logits - bare.logits).max()
        > 1e-4
    )
