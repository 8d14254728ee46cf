"""minilm-mlm trained a few steps on made-up text, from a tiny base: it learns, it resumes."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertModel

from core.training import minilm_mlm
from core.training.bert.corpus import Corpus, tokenise
from core.training.bert.sentences import LENGTH_STEP, sentence_blocks
from core.training.common.texts import held_out_articles
from core.training.minilm.batches import FACTS_EVERY
from core.training.minilm.network import (
    PAD,
    WORDS,
    base_folder,
    build_model,
    read_tokenizer,
    start_from_frequencies,
)
from core.training.minilm.prepare import Prepared
from core.training.minilm.recipe import MiniLmRecipe
from core.training.translation.english import held_out_sentences, training_sentences


@pytest.fixture(scope="module")
def held_out(data: Path, prepared: Prepared) -> Corpus:
    return tokenise(held_out_articles(data), prepared.tokenizer)


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.training.minilm.batches.TEXT_ROWS", {"cpu": 4})
    monkeypatch.setattr("core.training.minilm.batches.SHORT_ROWS", {"cpu": 16})


def recipe_of(base: Path, prepared: Prepared, held_out: Corpus) -> MiniLmRecipe:
    torch.manual_seed(0)
    model = build_model(base)
    return MiniLmRecipe(model, prepared, held_out, device="cpu", compiled=False)


def test_the_head_is_tied_and_the_encoder_is_the_bases(base: Path) -> None:
    model = build_model(base)
    words = model.bert.embeddings.word_embeddings.weight
    assert model.cls.predictions.decoder.weight is words
    torch.testing.assert_close(
        words, BertModel.from_pretrained(base).embeddings.word_embeddings.weight
    )
    assert model.config.hidden_dropout_prob == 0.0


def test_the_bias_starts_at_the_tokens_frequencies(base: Path) -> None:
    model = build_model(base)
    start_from_frequencies(model, np.array([2000, 2000, 2001], dtype=np.uint16))
    shares = model.cls.predictions.bias.detach().softmax(dim=0)
    torch.testing.assert_close(shares[[2000, 2001, 1]], torch.tensor([3.0, 2.0, 1.0]) / 30_525)


def test_the_loss_falls(base: Path, prepared: Prepared, held_out: Corpus) -> None:
    recipe = recipe_of(base, prepared, held_out)
    losses = [recipe.step(0.05) for _ in range(6 * FACTS_EVERY)]
    assert np.mean(losses[-FACTS_EVERY:]) < np.mean(losses[:FACTS_EVERY]) - 0.3
    assert recipe.tokens_read > 6 * FACTS_EVERY * 4 * 128


def test_late_in_the_training_the_change_is_of_the_rank_that_ships(
    base: Path, prepared: Prepared, held_out: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.training.minilm.recipe.RANKS", (2, 4))
    monkeypatch.setattr("core.training.minilm.recipe.PROJECTED_EVERY", 2)
    recipe = recipe_of(base, prepared, held_out)
    words = recipe.model.bert.embeddings.word_embeddings.weight
    before = words.detach().clone()

    def rank() -> int:
        return int(torch.linalg.matrix_rank(words.detach() - before, atol=1e-5))

    recipe.step(0.4), recipe.step(0.4)
    assert rank() > 4
    recipe.step(0.6), recipe.step(0.6)
    assert rank() <= 4


def test_a_restored_recipe_is_the_same(base: Path, prepared: Prepared, held_out: Corpus) -> None:
    first, second = recipe_of(base, prepared, held_out), recipe_of(base, prepared, held_out)
    first.step(0.04)
    state = first.state()
    second.restore(state)
    again = second.state()
    for name in ("generator", "tokens_read", "steps"):
        assert again[name] == state[name]
    torch.testing.assert_close(again["model"], state["model"])
    torch.testing.assert_close(
        second.optimiser.state_dict()["state"], first.optimiser.state_dict()["state"]
    )


def test_a_snapshot_holds_positions_maps_and_figures(
    base: Path, prepared: Prepared, held_out: Corpus
) -> None:
    moment = recipe_of(base, prepared, held_out).snapshot()
    assert moment["positions"].shape == (64, 32)
    layers, heads, queries, keys = moment["attention"].shape
    assert (layers, heads, queries) == (2, 2, keys)
    assert moment["metrics"].shape == (2,)


def test_sentences_are_read_once_and_some_are_held_out(data: Path, prepared: Prepared) -> None:
    read, kept = training_sentences(data), held_out_sentences(data)
    assert len({*read, *kept}) == len(read) + len(kept) == 1000
    assert 0 < len(kept) < 40
    assert len(prepared.sentences) == len(read)


def test_sentence_blocks_are_framed_and_padded_to_few_widths(prepared: Prepared) -> None:
    blocks = sentence_blocks(prepared.sentences, 32, np.random.default_rng(0))
    for _ in range(20):
        rows = next(blocks)
        assert rows.shape[0] == 32
        assert rows.shape[1] % LENGTH_STEP == 0
        assert (rows[:, 0] == 101).all()
        assert ((rows == 102).sum(axis=1) == 1).all()
        assert ((rows == PAD) == (np.cumsum(rows == 102, axis=1) - (rows == 102) > 0)).all()


def test_the_special_ids_are_the_vocabularys() -> None:
    tokenizer = read_tokenizer(base_folder())
    assert tokenizer.encode("[MASK]").ids == [101, 103, 102]
    assert tokenizer.token_to_id("[PAD]") == PAD
    assert tokenizer.id_to_token(WORDS[0]) == "!"
    assert tokenizer.get_vocab_size() == WORDS[1]


def test_a_wrong_folder_is_a_message_and_not_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert minilm_mlm.main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "nowhere is not a folder" in caplog.text
