"""What minilm-mlm ships: factors that fold into the base, and a card that is reproduced."""

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from torch import nn
from transformers import BertForMaskedLM

from core.models.text import loading
from core.models.text.folded import UPDATE_FILE, delta, folded_weights
from core.training import evaluate, minilm_mlm
from core.training.bert.corpus import tokenise
from core.training.common.card import Run
from core.training.common.checkpoint import load_checkpoint
from core.training.common.command import CHECKPOINT_FILE
from core.training.common.loop import History
from core.training.common.schedule import Clock
from core.training.common.texts import held_out_articles
from core.training.minilm import evaluate as minilm_evaluate
from core.training.minilm import export, reopen
from core.training.minilm.low_rank import LowRank, Update, least_rank, nearest
from core.training.minilm.network import build_model
from core.training.minilm.prepare import Prepared
from core.training.minilm.recipe import MiniLmRecipe

RANKS = (2, 4, 8)


def test_the_update_of_a_matrix_of_that_rank_is_exact() -> None:
    random = torch.Generator().manual_seed(0)
    up, down = torch.randn(40, 3, generator=random), torch.randn(3, 30, generator=random)
    base = {"w": torch.randn(40, 30, generator=random), "b": torch.zeros(40)}
    trained = {"w": base["w"] + up @ down, "b": torch.full((40,), 0.5), "new": torch.ones(2)}
    shipped = Update(base, trained, largest=8).tensors(3)
    assert sorted(shipped) == ["b.delta", "new", "w.lora_A", "w.lora_B"]
    assert all(tensor.dtype == torch.float16 for tensor in shipped.values())
    torch.testing.assert_close(delta(shipped, "w"), up @ down, atol=2e-2, rtol=0)
    torch.testing.assert_close(delta(shipped, "b"), torch.full((40,), 0.5))


def test_a_matrix_whose_factors_would_be_no_smaller_is_whole() -> None:
    changed = {"w": torch.randn(8, 6, generator=torch.Generator().manual_seed(1))}
    update = Update({"w": torch.zeros(8, 6)}, changed, largest=5)
    assert sorted(update.tensors(3)) == ["w.lora_A", "w.lora_B"]  # 42 numbers, not 48
    whole = update.tensors(4)  # 56
    assert list(whole) == ["w.delta"]
    torch.testing.assert_close(delta(whole, "w"), changed["w"], atol=2e-3, rtol=0)
    assert update.energy_kept(3) < 1
    assert update.energy_kept(4) == 1


def test_energy_is_the_share_of_the_squared_singular_values() -> None:
    changed = {"w": torch.zeros(40, 4)}
    changed["w"][:4] = torch.diag(torch.tensor([3.0, 2.0, 1.0, 0.0]))
    update = Update({"w": torch.zeros(40, 4)}, changed, largest=3)
    assert [update.energy_kept(rank) for rank in (1, 2, 3)] == pytest.approx([9 / 14, 13 / 14, 1])


def test_what_did_not_change_is_not_shipped() -> None:
    base = {"w": torch.randn(40, 30), "b": torch.zeros(40)}
    assert list(Update(base, {**base, "b": torch.ones(40)}, largest=8).tensors(3)) == ["b.delta"]


@pytest.mark.parametrize("turned", [False, True])
def test_the_nearest_matrix_of_a_rank_keeps_the_largest_singular_values(turned: bool) -> None:
    matrix, kept = torch.zeros(40, 4), torch.zeros(40, 4)
    matrix[:4] = torch.diag(torch.tensor([3.0, -2.0, 1.0, 0.5]))
    kept[:4] = torch.diag(torch.tensor([3.0, -2.0, 0.0, 0.0]))
    found = nearest(matrix.T, 2).T if turned else nearest(matrix, 2)
    torch.testing.assert_close(found, kept)


def test_a_change_is_brought_back_to_its_rank_and_what_ships_whole_or_stays_is_let_be() -> None:
    torch.manual_seed(0)
    model = nn.ModuleDict({"large": nn.Linear(30, 40), "small": nn.Linear(4, 6)})
    model["still"] = nn.Linear(30, 40).requires_grad_(requires_grad=False)
    base = {name: value.clone() for name, value in model.state_dict().items()}
    keeper = LowRank(model, rank=3)
    changed = {name: value + 0.1 * torch.randn(value.shape) for name, value in base.items()}
    model.load_state_dict(changed)
    keeper.project()
    own = model.state_dict()
    assert torch.linalg.matrix_rank(own["large.weight"] - base["large.weight"], atol=1e-4) == 3
    for name in ("large.bias", "small.weight", "still.weight"):
        torch.testing.assert_close(own[name], changed[name], rtol=0, atol=0)
    ships = Update(base, dict(own), largest=3).tensors(3)
    torch.testing.assert_close(
        delta(ships, "large.weight"),
        own["large.weight"] - base["large.weight"],
        atol=1e-3,
        rtol=0,
    )


@pytest.mark.parametrize(
    ("losses", "rank"),
    [({2: 3.5, 4: 3.002, 8: 3.0}, 4), ({2: 3.001, 4: 3.0, 8: 3.0}, 2), ({2: 4, 4: 4, 8: 4}, 8)],
)
def test_the_least_rank_that_keeps_nearly_all_is_taken(losses: dict, rank: int) -> None:
    assert least_rank(losses.__getitem__, without=5.0, trained=3.0, ranks=RANKS) == rank


@pytest.fixture
def small(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.training.minilm.batches.TEXT_ROWS", {"cpu": 4})
    monkeypatch.setattr("core.training.minilm.batches.SHORT_ROWS", {"cpu": 16})
    monkeypatch.setattr(minilm_evaluate, "BLOCKS", 1)
    monkeypatch.setattr(minilm_evaluate, "FACTS", 20)
    monkeypatch.setattr(export, "CHOOSING_ROWS", 12)
    monkeypatch.setattr(export, "RANKS", RANKS)
    monkeypatch.setattr(export, "base_folder", lambda: base)
    monkeypatch.setattr(minilm_mlm, "base_folder", lambda: base)
    monkeypatch.setattr(loading, "files_below", lambda _: (base,))


@pytest.mark.usefixtures("small")
def test_what_is_shipped_folds_opens_and_its_card_is_reproduced(
    data: Path, base: Path, prepared: Prepared, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    model = build_model(base)
    held_out = tokenise(held_out_articles(data), prepared.tokenizer)
    recipe = MiniLmRecipe(model, prepared, held_out, device="cpu", compiled=False)
    moments = [recipe.snapshot(), recipe.snapshot()]
    for _ in range(3):
        recipe.step(0.05)
    trained = {name: value.clone() for name, value in model.state_dict().items()}
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    folder = tmp_path / "minilm-mlm"
    export.ship(
        model,
        prepared,
        history,
        data=data,
        folder=folder,
        run=Run("a test", "cpu", 60.0, 2, minutes=1.0),
        tokens_read=recipe.tokens_read,
    )
    weights = folded_weights(base, folder, prefix="bert.")
    opened = minilm_evaluate.open_model(folder)
    assert isinstance(opened, BertForMaskedLM)
    own = opened.state_dict()
    for name, value in weights.items():
        if name in own:
            torch.testing.assert_close(own[name], value)
    torch.testing.assert_close(
        own["cls.predictions.bias"], trained["cls.predictions.bias"], atol=1e-2, rtol=0
    )
    assert opened.cls.predictions.decoder.weight is opened.bert.embeddings.word_embeddings.weight
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["layers"], len(card["examples"])) == ("minilm-mlm", 2, 10)
    assert f"{recipe.tokens_read:,} tokens were read." in card["notes"]["read"]
    with np.load(folder / "snapshots.npz") as saved:
        assert saved["metrics"].shape == (2, 2)
    command = ["minilm-mlm", "--data", str(data), "--models", str(tmp_path)]
    assert evaluate.main(command) == 0
    longer = ["--data", str(data), "--minutes", "2", "--device", "cpu"]
    longer += ["--cache", str(tmp_path / "cache"), "--out", str(folder)]
    assert reopen.main(longer) == 0
    state = load_checkpoint(tmp_path / "cache" / CHECKPOINT_FILE)
    assert state is not None
    assert (state["seconds"], state["budget"], state["losses"]) == (60.0, 120.0, [3.0, 2.0])
    again = MiniLmRecipe(build_model(base), prepared, held_out, device="cpu", compiled=False)
    again.restore(cast("dict[str, object]", state["recipe"]))
    assert (again.steps, again.tokens_read) == (2, recipe.tokens_read)
    torch.testing.assert_close(again.model.state_dict(), dict(own))
    card["metrics"]["masked_top_1"] += 0.1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(command) == 1


def test_a_model_without_an_update_is_told(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "minilm-mlm").mkdir()
    (tmp_path / "minilm-mlm" / "card.json").write_text('{"metrics": {}}')
    assert evaluate.main(["minilm-mlm", "--data", str(data), "--models", str(tmp_path)]) == 1
    assert f"holds no {UPDATE_FILE}; train the model first" in caplog.text
