"""Direct logit attribution against forward hooks and sums written out, on tiny random models."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core import InputError, LogitContrast
from core.explain.attribution.logit_attribution import LogitAttribution, Term, Writer

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because it was tired ."
TARGET = {"target": "a dog ran on the street"}
PLACE, TOKEN, OTHER = 3, 7, 11
TRANSLATORS = ("marian", "bart", "t5")
GATED = ("bert", "roberta", "distilbert", "electra")
FAMILIES = (*GATED, "gpt2", "llama", "opt", "opt_projected", *TRANSLATORS)


def seen(model: Any, **given: str) -> tuple[dict[str, tuple[Tensor, Tensor]], Tensor]:
    """What every module was given first and gave, at the asked position; and its logits."""
    found: dict[str, tuple[Tensor, Tensor]] = {}

    def hook(name: str) -> Callable[..., None]:
        def keep(_: object, args: tuple[Any, ...], made: Any) -> None:
            made = made[0] if isinstance(made, tuple) else made
            both = (*args[:1], made)
            if len(both) == 2 and all(isinstance(one, Tensor) and one.ndim == 3 for one in both):
                found[name] = args[0][0, PLACE], made[0, PLACE]

        return keep

    handles = [one.register_forward_hook(hook(name)) for name, one in model.module.named_modules()]
    with torch.no_grad():
        output = model.module(**model.tensors([model.prepare(TEXT, **given)]))
    for handle in handles:
        handle.remove()
    logits = output.get("prediction_logits", output.get("logits"))
    return found, logits[0, PLACE]


def heads(given: Tensor, weight: Tensor) -> Tensor:
    """(head, d_model): what four heads side by side write through (d_model, d_model)."""
    return torch.stack(
        [part @ rows for part, rows in zip(given.split(8), weight.split(8), strict=True)]
    )


def norm(module: Any, at: Tensor, vectors: Tensor) -> Tensor:
    """A LayerNorm's linear part, with the scale that it has at a vector."""
    scale = (at.var(unbiased=False) + module.eps).sqrt()
    return (vectors - vectors.mean(-1, keepdim=True)) / scale * module.weight


def by_term(found: LogitAttribution) -> Mapping[Term, float]:
    return dict(zip(found.terms, found.values.tolist(), strict=True))


def compare(found: LogitAttribution, expected: Mapping[Term, Tensor], unembedding: Tensor) -> None:
    values = by_term(found)
    for term, vector in expected.items():
        hand = float(vector @ (unembedding[TOKEN] - unembedding[OTHER]))
        assert values[term] == pytest.approx(hand, abs=2e-5), term
        assert abs(hand) > 1e-6, term


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("against", [None, OTHER])
def test_the_terms_add_up_to_the_logit(
    family: str, against: int | None, tiny_checkpoint: Checkpoint
):
    model: Any = core.load(tiny_checkpoint(family))
    given = TARGET if family in TRANSLATORS else {}
    found = model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN, against), **given)
    logits = model.trace(TEXT, **given).logits[PLACE]
    expected = logits[TOKEN] - (0 if against is None else logits[against])
    assert found.logit == pytest.approx(float(expected), abs=1e-6)
    assert abs(found.residue) < 1e-4
    assert abs(found.values).sum() > 0.1
    assert len(found.terms) == 1 + 3 * 4 * (2 if given else 1) + 3 + 3 + 1
    assert found.gated == (family in GATED)
    assert found.post_norm == (found.gated or family in ("marian", "bart"))


def test_every_term_of_gpt2_by_hand(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    given, _ = seen(model)
    network = model.module
    final = network.transformer.ln_f
    end, _ = given["transformer.ln_f"]
    rows: dict[Term, Tensor] = {Term(Writer.EMBEDDINGS): given["transformer.h.0.ln_1"][0]}
    for layer, block in enumerate(network.transformer.h):
        path = f"transformer.h.{layer}"
        written = heads(given[f"{path}.attn.c_proj"][0], block.attn.c_proj.weight)
        rows |= {Term(Writer.ATTENTION, layer, head): one for head, one in enumerate(written)}
        rows[Term(Writer.MLP, layer)] = given[f"{path}.mlp"][1]
    expected = {term: norm(final, end, vector) for term, vector in rows.items()}
    found = model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN, OTHER))
    compare(found, expected, network.lm_head.weight)


def test_every_term_of_llama_by_hand(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("llama"))
    given, _ = seen(model)
    network = model.module
    end, _ = given["model.norm"]
    gain = network.model.norm.weight / (end.square().mean() + 1e-6).sqrt()
    rows: dict[Term, Tensor] = {Term(Writer.EMBEDDINGS): given["model.layers.0.input_layernorm"][0]}
    for layer, block in enumerate(network.model.layers):
        path = f"model.layers.{layer}"
        written = heads(given[f"{path}.self_attn.o_proj"][0], block.self_attn.o_proj.weight.T)
        rows |= {Term(Writer.ATTENTION, layer, head): one for head, one in enumerate(written)}
        rows[Term(Writer.MLP, layer)] = given[f"{path}.mlp"][1]
    found = model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN, OTHER))
    compare(found, {term: one * gain for term, one in rows.items()}, network.lm_head.weight)


def test_every_term_of_bert_by_hand(tiny_checkpoint: Checkpoint):
    """Through the norms after it, then dense, GELU's gate Φ(z), the head's norm, the decoder."""
    model: Any = core.load(tiny_checkpoint("bert"))
    given, _ = seen(model)
    network = model.module
    transform = network.cls.predictions.transform
    z = given["cls.predictions.transform.dense"][1]
    gate = torch.distributions.Normal(0.0, 1.0).cdf(z)

    def carried(vector: Tensor, layer: int, *, after_mlp: bool = False) -> Tensor:
        for index, block in list(enumerate(network.bert.encoder.layer))[layer:]:
            path = f"bert.encoder.layer.{index}"
            if not (after_mlp and index == layer):
                first = f"{path}.attention.output.LayerNorm"
                vector = norm(block.attention.output.LayerNorm, given[first][0], vector)
            second = f"{path}.output.LayerNorm"
            vector = norm(block.output.LayerNorm, given[second][0], vector)
        vector = gate * (transform.dense.weight @ vector)
        return norm(transform.LayerNorm, gate * z, vector)

    expected = {Term(Writer.EMBEDDINGS): carried(given["bert.embeddings.LayerNorm"][1], 0)}
    for layer, block in enumerate(network.bert.encoder.layer):
        path = f"bert.encoder.layer.{layer}"
        dense = block.attention.output.dense
        written = heads(given[f"{path}.attention.output.dense"][0], dense.weight.T)
        for head, one in enumerate(written):
            expected[Term(Writer.ATTENTION, layer, head)] = carried(one, layer)
        added = given[f"{path}.output.dense"][1]
        expected[Term(Writer.MLP, layer)] = carried(added, layer, after_mlp=True)
    found = model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN, OTHER))
    compare(found, expected, network.cls.predictions.decoder.weight)


def test_every_term_of_a_decoder_by_hand(tiny_checkpoint: Checkpoint):
    """Marian's, post-LN, with three sublayers; its unembedding reads the last norm at once."""
    model: Any = core.load(tiny_checkpoint("marian"))
    given, _ = seen(model, **TARGET)
    network = model.module
    layers = network.model.decoder.layers
    norms = [
        (getattr(layer, name), given[f"model.decoder.layers.{index}.{name}"][0])
        for index, layer in enumerate(layers)
        for name in ("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm")
    ]

    def carried(vector: Tensor, first: int) -> Tensor:
        for module, at in norms[first:]:
            vector = norm(module, at, vector)
        return vector

    expected: dict[Term, Tensor] = {}
    for index, layer in enumerate(layers):
        path = f"model.decoder.layers.{index}"
        for place, (name, writer) in enumerate(
            (("self_attn", Writer.ATTENTION), ("encoder_attn", Writer.CROSS))
        ):
            matrix = getattr(layer, name).out_proj.weight.T
            for head, one in enumerate(heads(given[f"{path}.{name}.out_proj"][0], matrix)):
                expected[Term(writer, index, head)] = carried(one, 3 * index + place)
        added = given[f"{path}.fc2"][1]
        expected[Term(Writer.MLP, index)] = carried(added, 3 * index + 2)
    found = model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN, OTHER), **TARGET)
    compare(found, expected, network.lm_head.weight)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_the_pushed_tokens_are_the_largest_of_a_terms_logits(
    family: str, tiny_checkpoint: Checkpoint
):
    """Asked token by token, the terms' logits are those that the lists are made of."""
    model: Any = core.load(tiny_checkpoint(family))
    n_tokens = len(model.vocabulary())
    columns = [model.direct_logits(TEXT, LogitContrast(PLACE, t)) for t in range(n_tokens)]
    logits = np.stack([one.values for one in columns], axis=1)[:-1]  # the last has the biases, too
    logits -= logits.mean(axis=1, keepdims=True)
    for found, sign in ((columns[0].up, 1), (columns[0].down, -1)):
        best = np.sort(sign * logits, axis=1)[:, ::-1][:, : found.ids.shape[1]]
        np.testing.assert_allclose(found.logits[:-1], sign * best, atol=1e-5)
        own = np.take_along_axis(logits, found.ids[:-1], axis=1)
        np.testing.assert_allclose(found.logits[:-1], own, atol=1e-5)


def test_what_can_not_be_attributed_is_refused(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("gpt2"))
    with pytest.raises(InputError, match="no position 99"):
        model.direct_logits(TEXT, LogitContrast(99, 1))
    with pytest.raises(InputError, match="no token 9999"):
        model.direct_logits(TEXT, LogitContrast(1, 1, 9999))
    for family, words in (("deberta", "hides the values"), ("gpt_neox", "can't be shown")):
        with pytest.raises(InputError, match=words):
            core.load(tiny_checkpoint(family)).direct_logits(TEXT, LogitContrast(1, 1))


def test_a_sum_that_does_not_hold_is_refused(tiny_checkpoint: Checkpoint):
    """A factor on the logits that no step tells of."""
    model: Any = core.load(tiny_checkpoint("gpt2"))
    model.module.register_forward_hook(lambda *given: given[-1] | {"logits": 2 * given[-1].logits})
    with pytest.raises(InputError, match="no plain sum"):
        model.direct_logits(TEXT, LogitContrast(PLACE, TOKEN))
