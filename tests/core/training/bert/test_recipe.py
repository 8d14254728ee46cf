"""bert-mini trained a few steps on made-up text: it learns, it resumes, it ships."""

import json
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from transformers import AutoModelForPreTraining, AutoTokenizer

from core.training import bert_mini, evaluate
from core.training.bert import evaluate as bert_evaluate
from core.training.bert import export, reopen
from core.training.bert.batches import Question
from core.training.bert.corpus import Corpus, tokenise
from core.training.bert.network import build_model
from core.training.bert.prepare import Prepared, prepare
from core.training.bert.recipe import BertRecipe
from core.training.common.ahead import Ahead
from core.training.common.card import Run
from core.training.common.checkpoint import load_checkpoint
from core.training.common.loop import History
from core.training.common.schedule import Clock
from core.training.common.texts import held_out_articles
from tests.core.training.made_up import write_data, write_sentence_pairs

VOCABULARY = 200


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sentence_pairs(write_data(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def prepared(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepare(data, tmp_path_factory.mktemp("cache"), vocabulary_size=VOCABULARY)


@pytest.fixture(scope="module")
def held_out(data: Path, prepared: Prepared) -> Corpus:
    return tokenise(held_out_articles(data), prepared.tokenizer)


def recipe_of(prepared: Prepared, held_out: Corpus) -> BertRecipe:
    torch.manual_seed(0)
    model = build_model(
        vocabulary_size=prepared.tokenizer.get_vocab_size(), layers=2, heads=2, d_model=32, d_ff=64
    )
    model.set_attn_implementation("eager")
    return BertRecipe(model, prepared, held_out, device="cpu", compiled=False)


def test_the_loss_falls(prepared: Prepared, held_out: Corpus) -> None:
    recipe = recipe_of(prepared, held_out)
    losses = [recipe.step(0.04) for _ in range(25)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.5


def test_every_length_of_the_late_mixture_can_be_stepped(
    prepared: Prepared, held_out: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = recipe_of(prepared, held_out)
    for shares in np.eye(3):
        monkeypatch.setattr("core.training.bert.batches.LATE_SHARES", tuple(shares))
        assert recipe.step(0.9) > 0


def test_a_step_reads_text_facts_and_sentences_and_a_large_device_more_of_each(
    prepared: Prepared, held_out: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.training.bert.batches.TIMES", {"cpu": 2})
    recipe = recipe_of(prepared, held_out)
    read: list[int] = []
    losses = recipe._losses

    def counted(question: Question, *rest: Any) -> Any:
        read.append(len(question.block.ids))
        return losses(question, *rest)

    monkeypatch.setattr(recipe, "_losses", counted)
    recipe.step(0.04)
    assert read == [128, 128, 64, 128]  # twice as many as on the CPU


def test_batches_drawn_ahead_are_those_of_the_recipe_itself(
    prepared: Prepared, held_out: Corpus
) -> None:
    plain, ahead = recipe_of(prepared, held_out), recipe_of(prepared, held_out)
    ahead._batch = Ahead(ahead._batches)
    assert [ahead.step(0.04) for _ in range(3)] == [plain.step(0.04) for _ in range(3)]


def test_a_restored_recipe_is_the_same(prepared: Prepared, held_out: Corpus) -> None:
    first, second = recipe_of(prepared, held_out), recipe_of(prepared, held_out)
    first.step(0.04)
    state = first.state()
    second.restore(state)
    again = second.state()
    assert again["generator"] == state["generator"]
    torch.testing.assert_close(again["model"], state["model"])
    for before, after in zip(first.optimisers.parts, second.optimisers.parts, strict=True):
        torch.testing.assert_close(after.state_dict()["state"], before.state_dict()["state"])


def test_a_snapshot_holds_positions_maps_and_figures(prepared: Prepared, held_out: Corpus) -> None:
    moment = recipe_of(prepared, held_out).snapshot()
    assert moment["positions"].shape == (64, 32)
    layers, heads, queries, keys = moment["attention"].shape
    assert (layers, heads, queries) == (2, 2, keys)
    torch.testing.assert_close(
        moment["attention"].float().sum(dim=-1), torch.ones(2, 2, keys), atol=5e-3, rtol=0
    )
    assert ((moment["metrics"] >= 0) & (moment["metrics"] <= 1)).all()


def test_what_is_shipped_opens_and_its_card_is_reproduced(
    data: Path,
    prepared: Prepared,
    held_out: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bert_evaluate, "BLOCKS", 2)
    monkeypatch.setattr(bert_evaluate, "PAIRS", 20)
    recipe = recipe_of(prepared, held_out)
    moments = [recipe.snapshot(), recipe.snapshot()]
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    run = Run("a test", "cpu", 60.0, 2, minutes=1.0)
    folder = tmp_path / "bert-mini"
    export.ship(recipe.model, prepared.tokenizer, history, data=data, folder=folder, run=run)
    model = AutoModelForPreTraining.from_pretrained(folder)
    assert model.dtype == torch.float32
    encoded = AutoTokenizer.from_pretrained(folder)("the fox", "a song", return_tensors="pt")
    assert encoded["token_type_ids"].max() == 1
    assert model(**encoded).prediction_logits.shape[-1] == prepared.tokenizer.get_vocab_size()
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["trained_on"], card["layers"]) == ("bert-mini", "cpu", 2)
    assert len(card["examples"]) == 10
    with np.load(folder / "snapshots.npz") as saved:
        assert saved["positions"].shape == (2, 64, 32)
        np.testing.assert_array_equal(saved["fractions"], [0.0, 1.0])
    command = ["bert-mini", "--data", str(data), "--models", str(tmp_path)]
    assert evaluate.main(command) == 0
    card["metrics"]["next_sentence"] += 0.1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(command) == 1


def test_a_training_whose_checkpoint_is_gone_goes_on_from_what_it_shipped(
    data: Path,
    prepared: Prepared,
    held_out: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(bert_evaluate, "BLOCKS", 2)
    monkeypatch.setattr(bert_evaluate, "PAIRS", 20)
    trained = recipe_of(prepared, held_out)
    moments = [trained.snapshot() for _ in range(8)]
    fractions = [at / 10 for at in range(10)]
    taken_at = [0, 1, 2, 3, 4, 5, 8, 10]
    history = History(Clock(60.0, 60.0), fractions, list(map(float, range(10))), moments, taken_at)
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    run = Run("a test", "cpu", 60.0, 10, minutes=1.0)
    export.ship(trained.model, prepared.tokenizer, history, data=data, folder=shipped, run=run)

    def options(minutes: float) -> list[str]:
        folders = ["--cache", str(cache), "--out", str(shipped)]
        return ["--data", str(data), "--minutes", f"{minutes}", "--device", "cpu", *folders]

    tiny = partial(build_model, vocabulary_size=prepared.tokenizer.get_vocab_size())
    monkeypatch.setattr(
        bert_mini, "build_model", partial(tiny, layers=2, heads=2, d_model=32, d_ff=64)
    )
    assert reopen.main(options(1.0)) == 1
    assert "1 minutes are done already; --minutes 1 adds none" in caplog.text
    assert reopen.main(options(2.4)) == 0
    state = load_checkpoint(cache / "checkpoint.pt")
    assert state is not None
    assert state["losses"] == history.losses
    assert state["fractions"] == pytest.approx([fraction / 2.4 for fraction in fractions])
    assert state["seconds"] == 60.0
    assert state["taken_at"] == [0, 0, 1, 1, 4, 10]  # nearest to 0, 1, 2.5, 6, 15 and 40 %
    again = recipe_of(prepared, held_out)
    again.restore(cast("dict[str, object]", state["recipe"]))
    torch.testing.assert_close(
        again.model.state_dict(), trained.model.float().state_dict(), atol=1e-3, rtol=0
    )
    assert reopen.main(options(2.4)) == 1
    assert "exists: go on from it, or delete it" in caplog.text
    assert reopen.main([*options(2.4)[:-1], str(tmp_path / "nowhere"), "--cache", "new"]) == 1
    assert "tells of no training to go on with" in caplog.text


def test_a_wrong_folder_is_a_message_and_not_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert bert_mini.main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "nowhere is not a folder" in caplog.text


def test_a_model_without_a_card_is_told(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert evaluate.main(["bert-mini", "--data", str(data), "--models", str(tmp_path)]) == 1
    assert "holds no card.json; train the model first" in caplog.text
