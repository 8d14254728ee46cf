"""gpt-mini trained a few steps on made-up text: it learns, it resumes, it ships."""

import json
import math
import signal
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from jaxtyping import Float32
from tokenizers import Tokenizer
from transformers import GPT2LMHeadModel

import core
from core.training import evaluate, gpt_mini
from core.training.common.card import Run
from core.training.common.checkpoint import load_checkpoint
from core.training.common.command import CHECKPOINT_FILE
from core.training.common.head_habits import describe_flat, evenness
from core.training.common.loop import History, train
from core.training.common.schedule import Clock
from core.training.gpt import corpus, network, reopen
from core.training.gpt import evaluate as gpt_evaluate
from core.training.gpt.corpus import Prepared, batch, prepare
from core.training.gpt.export import ship
from core.training.gpt.measure import bits_per_byte
from core.training.gpt.network import build_model
from core.training.gpt.recipe import GptRecipe
from core.training.gpt.tokenizer import END, END_OF_TEXT, train_tokenizer
from core.training.translation.english import held_out_sentences, training_sentences
from tests.core.training.made_up import write_data, write_sentence_pairs

VOCABULARY = 300
CONTEXT = 128


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sentence_pairs(write_data(tmp_path_factory.mktemp("data"), chapters=3))


@pytest.fixture(scope="module")
def prepared(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    cache = tmp_path_factory.mktemp("cache")
    return prepare(data, cache, vocabulary_size=VOCABULARY, longest=CONTEXT)


@pytest.fixture(autouse=True)
def short_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "CONTEXT", CONTEXT)


def recipe_of(prepared: Prepared) -> GptRecipe:
    torch.manual_seed(0)
    model = build_model(vocabulary_size=VOCABULARY, layers=2, heads=2, d_model=32)
    model.set_attn_implementation("eager")
    return GptRecipe(model, prepared, device="cpu")


def texts_of(prepared: Prepared) -> list[corpus.Tokens]:
    return [prepared.wiki, prepared.books, prepared.sentences]


def test_the_loss_falls(prepared: Prepared) -> None:
    recipe = recipe_of(prepared)
    losses = [recipe.step(0.04) for _ in range(20)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.5


def test_a_restored_recipe_goes_on_with_the_same_weights_and_batches(prepared: Prepared) -> None:
    first, second = recipe_of(prepared), recipe_of(prepared)
    first.step(0.04)
    second.restore(deepcopy(first.state()))
    assert second.step(0.04) == first.step(0.04)
    torch.testing.assert_close(second.state()["model"], first.state()["model"])


def test_a_stop_leaves_a_checkpoint_and_the_next_start_goes_on(
    prepared: Prepared, tmp_path: Path
) -> None:
    recipe = recipe_of(prepared)
    step = recipe.step

    def stopped(fraction: float) -> float:
        signal.raise_signal(signal.SIGTERM)
        return step(fraction)

    recipe.step = stopped
    path = tmp_path / "checkpoint.pt"
    assert train(recipe, minutes=1.0, checkpoint=path).steps == 1
    again = recipe_of(prepared)
    assert train(again, minutes=1e-9, checkpoint=path).steps == 1
    torch.testing.assert_close(again.state()["model"], recipe.state()["model"])


def test_sequences_are_pieces_of_the_text(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "REPEATED_SHARE", 0.0)
    generator = np.random.default_rng(0)
    ids = batch(prepared, (5, 12), generator)
    assert ids.shape == (5, 13)
    texts = [prepared.tokenizer.decode(t.tolist()) for t in texts_of(prepared)]
    for row in ids:
        assert any(prepared.tokenizer.decode(row.tolist()) in text for text in texts)


def test_texts_are_drawn_by_their_shares(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "REPEATED_SHARE", 0.0)
    alike = [np.full(100, number, dtype=np.uint16) for number in range(3)]
    marked = Prepared(prepared.tokenizer, *alike, prepared.held_out)
    drawn = batch(marked, (4_000, 1), np.random.default_rng(0))[:, 0]
    shares = np.bincount(drawn) / len(drawn)
    assert shares == pytest.approx([0.75, 0.15, 0.1], abs=0.03)


def test_a_sentence_is_a_document_and_those_that_no_translator_read_are_left_out(
    data: Path, prepared: Prepared
) -> None:
    told = prepared.tokenizer.decode(prepared.sentences.tolist(), skip_special_tokens=False)
    told = told.split(END_OF_TEXT)[1:]
    assert sorted(told) == sorted(training_sentences(data))
    assert told != training_sentences(data)
    assert held_out_sentences(data)
    assert not set(told) & set(held_out_sentences(data))


def test_some_sequences_repeat_a_piece_of_the_text(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "REPEATED_SHARE", 1.0)
    texts = [prepared.tokenizer.decode(t.tolist()) for t in texts_of(prepared)]
    for row in batch(prepared, (8, 256), np.random.default_rng(0)):
        periods = [n for n in range(16, 128) if np.array_equal(row[n:], row[:-n])]
        assert periods
        piece = prepared.tokenizer.decode(row[: periods[0]].tolist())
        assert any(piece in text for text in texts)


def test_held_out_documents_are_not_trained_on(prepared: Prepared) -> None:
    wiki = prepared.tokenizer.decode(prepared.wiki.tolist(), skip_special_tokens=False)
    books = prepared.tokenizer.decode(prepared.books.tolist(), skip_special_tokens=False)
    assert (len(prepared.held_out.wiki), len(prepared.held_out.books)) == (3, 1)
    assert (wiki.count(END_OF_TEXT), books.count(END_OF_TEXT)) == (398, 2)
    assert not any(document in wiki for document in prepared.held_out.wiki)
    assert not any(document in books for document in prepared.held_out.books)


def test_a_model_that_knows_nothing_needs_the_logarithm_of_the_vocabulary() -> None:
    text = "grün " * 100  # six bytes each
    tokenizer = train_tokenizer([text], size=256 + 1)
    model = build_model(vocabulary_size=257, layers=1, heads=1, d_model=8).eval()
    torch.nn.init.zeros_(model.transformer.wte.weight)
    n_tokens = len(tokenizer.encode(text).ids)
    assert n_tokens == 600  # every byte is a token, in several windows
    assert bits_per_byte(model, tokenizer, [text], tokens=1, context=CONTEXT) == pytest.approx(
        math.log2(257)
    )
    long = text * 4
    assert bits_per_byte(
        model, tokenizer, [text, long, "x"], tokens=700, context=CONTEXT
    ) == pytest.approx(math.log2(257))


def test_windows_count_every_token_once_with_enough_before_it(prepared: Prepared) -> None:
    """A model that attends one token back gives the same bits in windows and in one piece."""
    text = prepared.held_out.wiki[0][:900]
    ids = torch.tensor([[END, *prepared.tokenizer.encode(text).ids]])
    assert CONTEXT < ids.shape[1] - 1 < 4 * CONTEXT
    model = build_model(vocabulary_size=VOCABULARY, layers=0, heads=1, d_model=8).eval()
    torch.nn.init.zeros_(model.transformer.wpe.weight)  # a bigram model: no place matters
    with torch.inference_mode():
        logits = torch.cat([model(piece).logits[0] for piece in ids[:, :-1].split(CONTEXT, dim=1)])
        nats = float(torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="sum"))
    expected = nats / math.log(2) / len(text.encode())
    assert bits_per_byte(
        model, prepared.tokenizer, [text], tokens=1, context=CONTEXT
    ) == pytest.approx(expected)


def test_evenness_is_one_for_equal_weights_and_zero_for_one_place() -> None:
    maps: Float32[np.ndarray, "layer head query key"] = np.zeros((1, 2, 3, 3), dtype=np.float32)
    for query in range(3):
        maps[0, 0, query, : query + 1] = 1 / (query + 1)
        maps[0, 1, query, query] = 1.0
    even = evenness(maps, np.array([1, 2, 3], dtype=np.float32))
    np.testing.assert_allclose(even, [[1.0, 0.0]], atol=1e-6)
    assert describe_flat({"attention": even}).startswith("1 of 2 attention heads are flat")


def test_what_is_shipped_opens_goes_on_and_its_card_is_reproduced(
    data: Path, prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpt_evaluate, "TOKENS", 500)
    recipe = recipe_of(prepared)
    moments = [recipe.snapshot(), recipe.snapshot()]
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    folder = tmp_path / "gpt-mini"
    run = Run("a test", "cpu", 60.0, 2, minutes=1.0)
    ship(recipe.model, prepared, history, data=data, folder=folder, run=run)
    assert GPT2LMHeadModel.from_pretrained(folder).dtype == torch.float32
    text = "The fox sees the moon – grün!"
    trace = core.load(folder).trace(text)
    assert trace.attention(1).weights.shape[0] == 2
    assert Tokenizer.from_file(str(folder / "tokenizer.json")).decode(trace.encoding.ids) == text
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["trained_on"], card["layers"]) == ("gpt-mini", "cpu", 2)
    assert len(card["examples"]) == 10
    assert "induction" in card["notes"]["heads"]
    with np.load(folder / "snapshots.npz") as saved:
        assert saved["positions"].shape == (2, 64, 32)
        assert saved["attention"].shape[-1] == len(saved["tokens"])
    command = ["gpt-mini", "--data", str(data), "--models", str(tmp_path)]
    assert evaluate.main(command) == 0
    card["metrics"]["bits_per_byte_wiki"] += 0.1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(command) == 1


def test_a_training_whose_checkpoint_is_gone_goes_on_from_what_it_shipped(
    data: Path,
    prepared: Prepared,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(gpt_evaluate, "TOKENS", 500)
    trained = recipe_of(prepared)
    moments = [trained.snapshot() for _ in range(2)]
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    run = Run("a test", "cpu", 60.0, 2, minutes=1.0)
    ship(trained.model, prepared, history, data=data, folder=shipped, run=run)

    def options(minutes: float) -> list[str]:
        folders = ["--cache", str(cache), "--out", str(shipped)]
        return ["--data", str(data), "--minutes", f"{minutes}", "--device", "cpu", *folders]

    tiny = partial(build_model, vocabulary_size=VOCABULARY, layers=2, heads=2, d_model=32)
    monkeypatch.setattr(gpt_mini, "build_model", tiny)
    monkeypatch.setattr(gpt_mini, "VOCABULARY_SIZE", VOCABULARY)
    monkeypatch.setattr(gpt_mini, "CONTEXT", CONTEXT)
    assert reopen.main(options(2.0)) == 0
    state = load_checkpoint(cache / CHECKPOINT_FILE)
    assert state is not None
    assert (state["seconds"], state["losses"]) == (60.0, [3.0, 2.0])
    again = recipe_of(prepared)
    again.restore(cast("dict[str, object]", state["recipe"]))
    assert again.steps == 2
    torch.testing.assert_close(
        again.model.state_dict(), trained.model.float().state_dict(), atol=1e-3, rtol=0
    )
    monkeypatch.setattr(gpt_mini, "VOCABULARY_SIZE", VOCABULARY - 20)
    assert reopen.main([*options(2.0), "--cache", str(tmp_path / "other")]) == 1
    assert f"gives a vocabulary that is not {shipped}'s" in caplog.text


def test_a_bad_data_folder_is_a_message_and_not_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert gpt_mini.main(["--data", str(tmp_path), "--cache", str(tmp_path / "c")]) == 1
    assert (
        "lacks text/wiki-en.txt.xz, text/books-en.txt.xz, translation/tatoeba-en-de.tsv.xz"
        in caplog.text
    )


def test_too_little_text_is_told(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpt_mini, "CONTEXT", 1_000_000)
    assert gpt_mini.main(["--data", str(data), "--cache", str(tmp_path / "c")]) == 1
    assert "each needs more than 1000000: give --data with more text" in caplog.text
