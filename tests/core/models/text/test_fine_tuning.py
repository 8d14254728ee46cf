"""GPT's task sequences: the paper's layouts, real shapes, and the arithmetic of the new head."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.models.text.fine_tuning import layouts
from core.outputs.decoder import Task

Checkpoint = Callable[[str], Path]


@pytest.fixture(params=["gpt2", "llama", "opt_projected"])
def model(request: pytest.FixtureRequest, tiny_checkpoint: Checkpoint):
    return core.load(tiny_checkpoint(request.param))


def test_layouts_are_the_papers():
    s, d, e = "⟨s⟩", "$", "⟨e⟩"
    assert layouts(Task.CLASSIFICATION, ["a"]) == ((s, "a", e),)
    assert layouts(Task.ENTAILMENT, ["p", "h"]) == ((s, "p", d, "h", e),)
    assert layouts(Task.SIMILARITY, ["a", "b"]) == ((s, "a", d, "b", e), (s, "b", d, "a", e))
    assert layouts(Task.MULTIPLE_CHOICE, ["q", "x", "y"]) == (
        (s, "q", d, "x", e),
        (s, "q", d, "y", e),
    )


def test_entailment_on_real_tokens(model):
    made = model.fine_tuning_inputs("entailment", ("the cat sat .", "a cat ran ."))
    (sequence,) = made.sequences
    assert sequence.tokens == (
        *("⟨s⟩", "the", "cat", "sat", ".", "$", "a", "cat", "ran", ".", "⟨e⟩"),
    )
    assert np.flatnonzero(sequence.is_new).tolist() == [0, 5, 10]
    width = sequence.state.size
    assert made.head.shape == (width, 3)
    assert made.new_parameters == 3 * width + 3 * width
    np.testing.assert_allclose(made.logits, sequence.state @ made.head, rtol=1e-5)
    assert made.probabilities.sum() == pytest.approx(1)


def test_similarity_adds_both_orders(model):
    made = model.fine_tuning_inputs("similarity", ("the cat sat", "a dog ran"))
    first, second = made.sequences
    assert sorted(first.tokens) == sorted(second.tokens)
    assert first.tokens != second.tokens
    np.testing.assert_allclose(made.logits, (first.state + second.state) @ made.head, rtol=1e-5)
    swapped = model.fine_tuning_inputs("similarity", ("a dog ran", "the cat sat"))
    np.testing.assert_allclose(swapped.logits, made.logits, rtol=1e-4, atol=1e-6)


def test_answers_compete_through_one_score_each(model):
    made = model.fine_tuning_inputs("multiple-choice", ("the cat", "sat", "ran", "was tired"))
    assert made.classes == ("sat", "ran", "was tired")
    assert made.head.shape[1] == 1
    scores = np.array([float(s.state @ made.head[:, 0]) for s in made.sequences])
    expected = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(made.probabilities, expected, rtol=1e-4)


def test_the_losses_add_up(tiny_checkpoint: Checkpoint):
    """L1 against transformers' own loss, with the new tokens given to a larger model."""
    model = core.load(tiny_checkpoint("gpt2"))
    made = model.fine_tuning_inputs("classification", ("the cat sat .",))
    assert made.loss(1) == pytest.approx(-np.log(made.probabilities[1]) + 0.5 * made.lm_loss)
    new = torch.randn(3, 32, generator=torch.Generator().manual_seed(0)) * 0.02
    larger = core.load(tiny_checkpoint("gpt2")).module
    size = larger.config.vocab_size
    larger.resize_token_embeddings(size + 3, mean_resizing=False)
    with torch.no_grad():
        larger.get_input_embeddings().weight[size:] = new
        ids = torch.tensor([[size, *model.ids_of("the cat sat ."), size + 2]])
        expected = float(larger(ids, labels=ids).loss)
    assert made.lm_loss == pytest.approx(expected, rel=1e-5)


def test_what_is_missing_is_told(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    with pytest.raises(core.InputError, match="One of the texts is empty"):
        model.fine_tuning_inputs("entailment", ("the cat", " "))
    with pytest.raises(core.InputError, match="with 1 answers: give 2 to 8, one a line"):
        model.fine_tuning_inputs("multiple-choice", ("the cat", "sat"))
    with pytest.raises(core.InputError, match="The sequence has 83 tokens, new ones included"):
        model.fine_tuning_inputs("entailment", ("cat " * 40, "dog " * 40))
    with pytest.raises(ValueError, match="similarity takes 2 texts, not 3"):
        layouts(Task.SIMILARITY, ["a", "b", "c"])
