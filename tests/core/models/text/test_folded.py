"""minilm-mlm, and minilm-clm on it: what is folded is what the factors say, on their bases."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

import core
from core.catalog import card_of
from core.catalog.checkpoints import is_on_board, locate, weights_hash
from core.catalog.directory_card import read_json
from core.models.text.folded import (
    DOWN,
    UP,
    UPDATE_FILE,
    WHOLE,
    changed,
    folded_weights,
    tensors_of,
)

CARD = card_of("minilm-mlm")
needs_files = pytest.mark.skipif(
    CARD is None or not is_on_board(CARD), reason="minilm-mlm is not on board"
)
WRITER = card_of("minilm-clm")
needs_writer = pytest.mark.skipif(
    WRITER is None or not is_on_board(WRITER), reason="minilm-clm is not on board"
)
TEXT = "The man went to the [MASK] to buy a gallon of milk."


@pytest.fixture(scope="module")
def update() -> dict[str, Tensor]:
    return load_file(locate("minilm-mlm")[1] / UPDATE_FILE)


@needs_files
def test_the_folded_model_is_base_plus_low_rank(update: dict[str, Tensor]):
    """The base's own modules, each adding B(Ax) to W₀x, never W₀ + BA."""
    model = core.load("minilm-mlm", device="cpu")
    base = BertModel.from_pretrained(locate("minilm-l6")[1], attn_implementation="eager").eval()
    ids = torch.tensor([model.tokenizer(TEXT)["input_ids"]])
    for name, module in base.named_modules():
        add(module, f"bert.{name}", update)
    with torch.no_grad():
        states = base(ids).last_hidden_state
        expected = head(states, base.embeddings.word_embeddings.weight, update)
        found = model.module(ids).logits
    assert (found - expected).abs().max() <= 1e-5 * expected.abs().max()


def add(module: nn.Module, name: str, update: dict[str, Tensor]) -> None:
    """Whole changes are added; factors act beside the base's weight."""
    for own, parameter in module.named_parameters(recurse=False):
        if (whole := f"{name}.{own}{WHOLE}") in update:
            parameter.data = parameter.data + update[whole].float()
    if f"{name}.weight{UP}" not in update:
        return
    up, down = (update[f"{name}.weight{end}"].float() for end in (UP, DOWN))
    if isinstance(module, nn.Embedding):
        module.register_forward_hook(lambda _, given, made: made + up[given[0]] @ down)
    else:
        module.register_forward_hook(lambda _, given, made: made + (given[0] @ down.T) @ up.T)


def head(states: Tensor, words: Tensor, update: dict[str, Tensor]) -> Tensor:
    """BERT's transform, then the words' own embeddings and their update side by side."""
    part = {
        name.removeprefix("cls.predictions."): value.float()
        for name, value in update.items()
        if name.startswith("cls.")
    }
    weight, bias = (part[f"transform.dense.{name}"] for name in ("weight", "bias"))
    hidden = functional.gelu(states @ weight.T + bias)
    scale, shift = (part[f"transform.LayerNorm.{name}"] for name in ("weight", "bias"))
    hidden = functional.layer_norm(hidden, (hidden.shape[-1],), scale, shift, eps=1e-12)
    up, down = (
        update[f"bert.embeddings.word_embeddings.weight{end}"].float() for end in (UP, DOWN)
    )
    return hidden @ words.T + (hidden @ down.T) @ up.T + part["bias"]


@needs_files
def test_every_weight_of_the_encoder_is_the_bases_or_changed(update: dict[str, Tensor]):
    folder = locate("minilm-mlm")[1]
    base = {f"bert.{name}": value for name, value in tensors_of(locate("minilm-l6")[1]).items()}
    folded = folded_weights(locate("minilm-l6")[1], folder, prefix="bert.")
    own = core.load("minilm-mlm", device="cpu").module.state_dict()
    names = changed(update)
    assert names
    for name in base.keys() & own.keys():
        assert torch.equal(own[name], folded[name])
        assert torch.equal(own[name], base[name]) == (name not in names), name


@needs_files
def test_the_words_are_tied_and_the_tokens_are_the_bases():
    model = core.load("minilm-mlm", device="cpu")
    decoder = model.module.get_output_embeddings()
    assert decoder.weight is model.module.get_input_embeddings().weight
    np.testing.assert_array_equal(
        model.trace(TEXT).encoding.ids, core.load("minilm-l6").trace(TEXT).encoding.ids
    )
    assert model.profile().masked_lm
    assert not model.profile().next_sentence


@needs_writer
def test_the_writing_model_is_the_masked_ones_plus_low_rank():
    """minilm-mlm's own modules under a causal mask, each adding B(Ax) to its Wx."""
    masked, writer = (core.load(name, device="cpu") for name in ("minilm-mlm", "minilm-clm"))
    changes = load_file(locate("minilm-clm")[1] / UPDATE_FILE)
    base: Any = deepcopy(masked.module)
    for name, module in base.named_modules():
        if name != "cls.predictions.decoder":  # tied: the words' embeddings, which stay
            add(module, name, changes)
    words = base.get_input_embeddings().weight
    assert "bert.embeddings.word_embeddings.weight" not in changed(changes)
    ids = writer.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    length = ids.shape[1]
    unseen = torch.full((length, length), torch.finfo(torch.float32).min).triu(1)
    with torch.no_grad():
        states = base.bert(ids, attention_mask=unseen[None, None]).last_hidden_state
        hidden = base.cls.predictions.transform(states)
        bias = base.cls.predictions.bias
        expected = hidden @ words.T + bias
        found = writer.module(ids, use_cache=False).logits
    assert (found - expected).abs().max() <= 1e-5 * expected.abs().max()


@needs_writer
def test_the_writing_model_was_trained_on_the_masked_one_that_is_on_board():
    told = read_json(locate("minilm-clm")[1] / "card.json")["notes"]["base"]
    assert weights_hash(locate("minilm-mlm")[1]) in told


def test_an_update_may_stand_on_another(tmp_path: Path):
    folders = [tmp_path / name for name in ("base", "first", "second")]
    for place in folders:
        place.mkdir()
    base, first, second = folders
    save_file({"w": torch.ones(2, 2)}, base / "model.safetensors")
    save_file({"bert.w.delta": torch.eye(2), "head": torch.ones(2)}, first / UPDATE_FILE)
    factors = {
        "bert.w.lora_B": torch.tensor([[2.0], [0.0]]),
        "bert.w.lora_A": torch.tensor([[0.0, 5.0]]),
    }
    save_file(factors | {"head.delta": torch.ones(2)}, second / UPDATE_FILE)
    found = folded_weights(base, first, second, prefix="bert.")
    assert found["bert.w"].tolist() == [[2, 11], [1, 2]]  # 1 + I + BA
    assert found["head"].tolist() == [2, 2]
    with pytest.raises(core.InputError, match=r"second changes head, which .*base doesn't have"):
        folded_weights(base, second, prefix="bert.")


def test_an_update_that_does_not_fit_is_refused(tmp_path: Path):
    base, folder = tmp_path / "base", tmp_path / "update"
    for place in (base, folder):
        place.mkdir()
    save_file({"w": torch.zeros(3, 4)}, base / "model.safetensors")
    save_file({"bert.w.delta": torch.zeros(2, 5)}, folder / UPDATE_FILE)
    with pytest.raises(core.InputError, match=r"the update of bert\.w doesn't fit"):
        folded_weights(base, folder, prefix="bert.")
    save_file({"bert.v.delta": torch.zeros(3, 4)}, folder / UPDATE_FILE)
    with pytest.raises(core.InputError, match=r"changes bert\.v, which .* doesn't have"):
        folded_weights(base, folder, prefix="bert.")
    save_file({"bert.w.lora_B": torch.ones(3, 1)}, folder / UPDATE_FILE)
    with pytest.raises(core.InputError, match=r"the update of bert\.w doesn't fit"):
        folded_weights(base, folder, prefix="bert.")


def test_what_is_named_alone_is_new_and_the_rest_is_the_bases(tmp_path: Path):
    base, folder = tmp_path / "base", tmp_path / "update"
    for place in (base, folder):
        place.mkdir()
    save_file({"w": torch.ones(2, 2), "b": torch.ones(2)}, base / "model.safetensors")
    save_file(
        {
            "bert.w.lora_B": torch.tensor([[1.0], [2.0]]),
            "bert.w.lora_A": torch.tensor([[3.0, 4.0]]),
            "head.bias": torch.tensor([5.0], dtype=torch.float16),
        },
        folder / UPDATE_FILE,
    )
    found = folded_weights(base, folder, prefix="bert.")
    assert found["bert.w"].tolist() == [[4, 5], [7, 9]]  # 1 + BA
    assert found["bert.b"].tolist() == [1, 1]
    assert found["head.bias"].dtype == torch.float32
