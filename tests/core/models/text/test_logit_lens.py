"""The logit lens: its last layer is the model's own answer, in every family."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

import core
from core.models.text import logit_lens
from core.models.text.tokenize import encode_ids
from tests.tiny import ENCODERS, tiny_config

Checkpoint = Callable[[str], Path]
READABLE = (*ENCODERS, "gpt2", "llama", "opt", "opt_projected", "gpt_neox")
TEXT = "the cat sat on a street ."


def own_logits(folder: Path, ids: np.ndarray, **smaller: int) -> np.ndarray:
    """What the bare class answers, with only its first `layers` if that is asked."""
    config = transformers.AutoConfig.from_pretrained(folder)
    if smaller:
        config.num_hidden_layers = smaller["layers"]
    module_class = getattr(transformers, config.architectures[0])
    module = module_class.from_pretrained(folder, config=config).eval()
    with torch.no_grad():
        output = module(torch.tensor(ids[None]))
    return output.get("logits", output.get("prediction_logits"))[0].numpy()


@pytest.mark.parametrize("family", READABLE)
def test_the_last_layer_is_the_models_answer(family: str, tiny_checkpoint: Checkpoint):
    folder = tiny_checkpoint(family)
    read = core.load(folder).layer_logits(TEXT)
    assert read.logits.shape == (4, len(read.encoding), tiny_config(family).vocab_size)
    np.testing.assert_allclose(read.logits[-1], own_logits(folder, read.encoding.ids), atol=1e-5)
    spread = np.abs(np.diff(read.logits, axis=0)).max(axis=(1, 2))
    assert (spread > 1e-3).all(), "each layer answers something else"


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "opt_projected"])
def test_a_middle_layer_is_the_answer_of_the_model_cut_there(
    family: str, tiny_checkpoint: Checkpoint
):
    """The reference: the same weights with the layers above thrown away."""
    folder = tiny_checkpoint(family)
    read = core.load(folder).layer_logits(TEXT)
    cut = own_logits(folder, read.encoding.ids, layers=2)
    np.testing.assert_allclose(read.logits[2], cut, atol=1e-5)


def test_positions_may_be_chosen_from_both_ends(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    every = model.layer_logits(TEXT)
    some = model.layer_logits(TEXT, positions=(0, -1))
    assert some.positions == (0, 6)
    np.testing.assert_allclose(some.logits, every.logits[:, [0, -1]], atol=1e-5)
    with pytest.raises(core.InputError, match="no position 7: the text has 7 tokens"):
        model.layer_logits(TEXT, positions=(7,))


def test_too_many_positions_are_refused(tiny_checkpoint: Checkpoint, monkeypatch):
    monkeypatch.setattr(logit_lens, "LARGEST", 6 * 4 * 4 * tiny_config("gpt2").vocab_size)
    with pytest.raises(
        core.InputError, match=r"7 positions are too many for the 4 layers .* up to 6 "
    ):
        core.load(tiny_checkpoint("gpt2")).layer_logits(TEXT)


def test_a_model_without_a_vocabulary_head_says_so():
    with pytest.raises(core.InputError, match="no head over the vocabulary that could read"):
        core.load("minilm-l6").layer_logits(TEXT)


def test_a_model_with_a_step_of_its_own_before_the_logits_says_so(
    tiny_checkpoint: Checkpoint, monkeypatch
):
    model = core.load(tiny_checkpoint("gpt2"))
    forward = type(model.module).forward

    def capped(self, *args, **kwargs):
        output = forward(self, *args, **kwargs)
        output.logits = output.logits.tanh() * 30
        return output

    monkeypatch.setattr(type(model.module), "forward", capped)
    with pytest.raises(core.InputError, match="more between its last layer and its logits"):
        model.layer_logits(TEXT)


def test_a_vocabulary_names_every_logit(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    tokens = model.vocabulary()
    assert len(tokens) == tiny_config("gpt2").vocab_size
    encoding = model.layer_logits(TEXT, positions=(0,)).encoding
    assert tuple(tokens[index] for index in encoding.ids) == encoding.tokens
    assert encode_ids(model.tokenizer, [5]).tokens == (tokens[5],)
