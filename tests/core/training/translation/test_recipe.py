"""transformer-en-de trained a few steps on made-up pairs: it learns, it resumes, it ships."""

import json
import signal
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import MarianMTModel

import core
from core.training import evaluate, transformer_en_de
from core.training.common.card import Run
from core.training.common.loop import History, train
from core.training.common.schedule import Clock
from core.training.translation import card
from core.training.translation.batches import Batches
from core.training.translation.export import ship
from core.training.translation.network import P_DROP, P_DROP_EVERYWHERE, build_model
from core.training.translation.pairs import Prepared, prepare
from core.training.translation.recipe import TranslationRecipe
from tests.core.training.translation.made_up_pairs import write_pairs

VOCABULARY = 120
TOKENS = 256  # a batch


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def prepared(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepare(data, tmp_path_factory.mktemp("cache"), vocabulary_size=VOCABULARY)


def recipe_of(prepared: Prepared) -> TranslationRecipe:
    torch.manual_seed(0)
    model = build_model(
        vocabulary_size=prepared.tokenizer.get_vocab_size(), layers=2, heads=2, d_model=32, d_ff=64
    )
    model.set_attn_implementation("eager")
    batches = Batches(prepared.training, seed=0, tokens=TOKENS)
    return TranslationRecipe(model, prepared, batches, device="cpu")


def test_the_loss_falls(prepared: Prepared) -> None:
    recipe = recipe_of(prepared)
    losses = [recipe.step(0.1) for _ in range(30)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.5


def test_where_pairs_are_read_many_times_every_sub_layer_drops() -> None:
    size = {"layers": 1, "heads": 2, "d_model": 32, "d_ff": 64, "vocabulary_size": 50}
    few, many = build_model(**size), build_model(**size, drop_everywhere=True)
    assert (few.model.encoder.dropout, few.model.encoder.layers[0].dropout) == (P_DROP, 0.0)
    parts = (many.model.decoder, *many.model.decoder.layers, *many.model.encoder.layers)
    assert {part.dropout for part in parts} == {P_DROP_EVERYWHERE}
    assert set(card.departures("cpu")) != set(card.departures("cuda"))


def test_a_restored_recipe_goes_on_with_the_same_weights_and_batches(prepared: Prepared) -> None:
    first, second = recipe_of(prepared), recipe_of(prepared)
    first.step(0.1)
    second.restore(deepcopy(first.state()))
    first.model.eval(), second.model.eval()  # no dropout
    assert second.step(0.1) == first.step(0.1)
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
    history = train(again, minutes=1e-9, checkpoint=path)
    assert history.steps == 1
    torch.testing.assert_close(again.state()["model"], recipe.state()["model"])


def test_a_snapshot_holds_the_maps_of_all_three_kinds_and_bleu(prepared: Prepared) -> None:
    moment = recipe_of(prepared).snapshot()
    _, _, target, source = moment["cross"].shape
    assert moment["encoder"].shape == (2, 2, source, source)
    assert moment["decoder"].shape == (2, 2, target, target)
    torch.testing.assert_close(
        moment["cross"].float().sum(dim=-1), torch.ones(2, 2, target), atol=5e-3, rtol=0
    )
    assert 0 <= float(moment["metrics"]) <= 100


def test_what_is_shipped_opens_translates_and_its_card_is_reproduced(
    data: Path, prepared: Prepared, tmp_path: Path
) -> None:
    recipe = recipe_of(prepared)
    moments = [recipe.snapshot(), recipe.snapshot()]
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    folder = tmp_path / "transformer-en-de"
    run = Run("a test", "cpu", 60.0, 2, minutes=1.0)
    positions = recipe.model.model.encoder.embed_positions.weight.clone()
    ship(recipe.model, prepared, history, data=data, folder=folder, run=run)
    shipped = MarianMTModel.from_pretrained(folder)
    assert shipped.dtype == torch.float32
    torch.testing.assert_close(shipped.model.encoder.embed_positions.weight, positions)
    trace = core.load(folder).trace("I see Tom.", target="ich sehe Tom.")
    assert trace.target_tokens[0] == "<s>"
    assert trace.attention(1, kind=core.AttentionKind.CROSS).weights.shape[0] == 2
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["trained_on"], card["layers"]) == ("transformer-en-de", "cpu", 2)
    assert len(card["examples"]) == 10
    assert set(card["notes"]) == {"alignment", "heads", "flat heads"}
    with np.load(folder / "snapshots.npz") as saved:
        assert saved["cross"].shape[0] == 2
        assert saved["cross"].shape[-2:] == (len(saved["target_tokens"]), len(saved["tokens"]))
    command = ["transformer-en-de", "--data", str(data), "--models", str(tmp_path)]
    assert evaluate.main(command) == 0
    card["metrics"]["bleu"] += 1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(command) == 1


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (None, "nowhere is not a folder"),
        ({}, "lacks translation/tatoeba-en-de.tsv.xz"),
        ({"translation/tatoeba-en-de.tsv.xz": b"no archive"}, "is a broken .xz archive"),
    ],
)
def test_a_bad_data_folder_is_a_message_and_not_a_traceback(
    files: dict[str, bytes] | None,
    message: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = tmp_path / "nowhere"
    if files is not None:
        folder.mkdir()
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    command = ["--data", str(folder), "--cache", str(tmp_path / "cache")]
    assert transformer_en_de.main(command) == 1
    assert message in caplog.text
