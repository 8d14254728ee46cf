"""minilm-clm from a tiny masked model: it sees no later token, learns, resumes and ships."""

import json
from copy import deepcopy
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from transformers import BertForMaskedLM, GPT2Config, GPT2LMHeadModel

import core
from core.catalog import ModelCard, card_of
from core.catalog.checkpoints import weights_hash
from core.models.text import loading
from core.models.text.folded import UPDATE_FILE, folded_weights, tensors_of
from core.training import evaluate, minilm_clm
from core.training.common.card import Run
from core.training.common.checkpoint import load_checkpoint
from core.training.common.command import CHECKPOINT_FILE
from core.training.common.loop import History
from core.training.common.schedule import Clock
from core.training.gpt import evaluate as gpt_evaluate
from core.training.gpt.corpus import Prepared
from core.training.gpt.measure import bits_per_byte
from core.training.minilm import network as masked
from core.training.minilm.causal import evaluate as causal_evaluate
from core.training.minilm.causal import export, network, reopen
from core.training.minilm.causal.corpus import prepare
from core.training.minilm.causal.network import CONTEXT, END, START, build_model
from core.training.minilm.causal.recipe import CausalRecipe
from core.training.minilm.causal.tokenizer import writing_tokenizer
from core.training.minilm.low_rank import Update
from core.training.minilm.network import base_folder
from core.training.minilm.rank import write_update
from tests.core.training.made_up import write_data, write_sentence_pairs

TEXT = "The fox sees the moon."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sentence_pairs(write_data(tmp_path_factory.mktemp("data"), chapters=3))


@pytest.fixture(scope="module")
def prepared(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepare(data, tmp_path_factory.mktemp("cache"), writing_tokenizer(base_folder()))


@pytest.fixture(scope="module")
def parent(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny minilm-mlm: the update of `base` that a training would ship."""
    torch.manual_seed(1)
    model = masked.build_model(base)
    own = {f"bert.{name}": value for name, value in tensors_of(base).items()}
    trained = {
        name: value + 0.05 * torch.randn(value.shape)
        for name, value in model.state_dict().items()
        if name not in export.TIED
    }
    kept = {name: own[name] for name in own if name in trained}
    folder = tmp_path_factory.mktemp("parent")
    update = Update(kept, trained, largest=8).tensors(8)
    write_update(update, model.config, "BertForMaskedLM", folder)
    return folder


@pytest.fixture
def small(base: Path, parent: Path, monkeypatch: pytest.MonkeyPatch) -> BertForMaskedLM:
    """Its parent, where the recipe looks for the one that is on board."""

    def below(card: ModelCard) -> tuple[Path, ...]:
        return {"minilm-mlm": (base,), "minilm-clm": (base, parent)}[card.id]

    monkeypatch.setattr(loading, "files_below", below)
    for part in (network, export):
        monkeypatch.setattr(part, "locate", lambda _: (card_of("minilm-mlm"), parent))
    monkeypatch.setattr("core.training.minilm.causal.recipe.SEQUENCES", {"cpu": 2})
    monkeypatch.setattr("core.training.gpt.moments.TOKENS", 200)
    monkeypatch.setattr(gpt_evaluate, "TOKENS", 300)
    monkeypatch.setattr(export, "RANKS", (2, 4, 8))
    monkeypatch.setattr(export, "CHOOSING_ROWS", 4)
    return network.base_model()


def recipe_of(parent: BertForMaskedLM, prepared: Prepared) -> CausalRecipe:
    model = build_model(parent)
    model.set_attn_implementation("eager")
    return CausalRecipe(model, prepared, device="cpu")


def test_it_begins_with_all_weights_of_the_masked_model(small: BertForMaskedLM) -> None:
    model = build_model(small)
    torch.testing.assert_close(model.state_dict(), small.state_dict())
    assert model.cls.predictions.decoder.weight is model.bert.embeddings.word_embeddings.weight
    frozen = [name for name, p in model.named_parameters() if not p.requires_grad]
    assert frozen == ["bert.embeddings.word_embeddings.weight"]


def test_no_token_sees_a_later_one(small: BertForMaskedLM) -> None:
    model = build_model(small).eval()
    ids = torch.randint(1000, 30_000, (1, 12), generator=torch.Generator().manual_seed(0))
    other = ids.clone()
    other[0, 7] = 2000
    with torch.inference_mode():
        before, after = (model(row, use_cache=False).logits[0] for row in (ids, other))
    torch.testing.assert_close(before[:7], after[:7])
    assert (before[7:] - after[7:]).abs().amax(dim=1).min() > 1e-4


def test_what_is_written_on_stands_behind_what_stood_there() -> None:
    tokenizer = writing_tokenizer(base_folder())
    encoding = tokenizer.encode("Unbelievably old, isn't it?")
    assert encoding.ids[0] == START
    assert END not in encoding.ids
    told = tokenizer.decode(encoding.ids)
    assert told == " unbelievably old, isn' t it?"
    for cut in range(1, len(encoding.ids)):
        parts = encoding.ids[:cut], encoding.ids[cut:]
        assert "".join(map(tokenizer.decode, parts)) == told


def test_documents_stand_between_their_marks(prepared: Prepared) -> None:
    for text in (prepared.wiki, prepared.books, prepared.sentences):
        starts, ends = np.flatnonzero(text == START), np.flatnonzero(text == END)
        assert (starts[0], ends[-1]) == (0, len(text) - 1)
        np.testing.assert_array_equal(starts[1:], ends[:-1] + 1)


def test_the_loss_falls(small: BertForMaskedLM, prepared: Prepared) -> None:
    recipe = recipe_of(small, prepared)
    losses = [recipe.step(0.05) for _ in range(48)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.3


def test_a_restored_recipe_goes_on_with_the_same_weights_and_batches(
    small: BertForMaskedLM, prepared: Prepared
) -> None:
    first, second = recipe_of(small, prepared), recipe_of(small, prepared)
    first.step(0.04)
    second.restore(deepcopy(first.state()))
    assert second.steps == 1
    assert second.step(0.04) == first.step(0.04)
    torch.testing.assert_close(second.state()["model"], first.state()["model"])


def test_bits_count_from_the_start_token_that_is_told(prepared: Prepared) -> None:
    """A model that foresees only what follows the start: no bit for it, many for the rest."""
    config = GPT2Config(vocab_size=30_522, n_positions=8, n_embd=4, n_layer=0, n_head=1)
    model = GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        model.transformer.wpe.weight.zero_()
        model.transformer.wte.weight.zero_()
        model.transformer.wte.weight[START, 0] = 5.0
    text = "fox"
    found = [
        bits_per_byte(model, prepared.tokenizer, [text], tokens=1, context=8, start=start)
        for start in (START, END)
    ]
    assert found[1] == pytest.approx(np.log2(30_522) / 3)
    assert found[0] != pytest.approx(found[1], abs=1e-3)


def test_what_is_shipped_folds_twice_opens_and_its_card_is_reproduced(
    small: BertForMaskedLM, base: Path, parent: Path, data: Path, prepared: Prepared, tmp_path: Path
) -> None:
    recipe = recipe_of(small, prepared)
    moments = [recipe.snapshot(), recipe.snapshot()]
    for _ in range(3):
        recipe.step(0.05)
    history = History(Clock(60.0, 60.0), [0.0, 0.5], [3.0, 2.0], moments, [0, 2])
    folder = tmp_path / "minilm-clm"
    run = Run("a test", "cpu", 60.0, 2, minutes=1.0)
    export.ship(recipe.model, prepared, history, data=data, folder=folder, run=run)
    opened = causal_evaluate.open_model(folder)
    own, once = opened.state_dict(), folded_weights(base, parent, prefix="bert.")
    twice = folded_weights(base, parent, folder, prefix="bert.")
    for name in own.keys() & twice.keys():
        torch.testing.assert_close(own[name], twice[name])
    changed = "bert.encoder.layer.0.output.dense.weight"
    assert not torch.equal(once[changed], twice[changed])
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["layers"], len(card["examples"])) == ("minilm-clm", 2, 10)
    assert card["notes"]["rank"].startswith("Rank ")
    assert weights_hash(parent) in card["notes"]["base"]
    assert "induction" in card["notes"]["heads"]
    with np.load(folder / "snapshots.npz") as saved:
        assert saved["attention"].shape[-1] == len(saved["tokens"])
    command = ["minilm-clm", "--data", str(data), "--models", str(tmp_path)]
    assert evaluate.main(command) == 0
    longer = ["--data", str(data), "--minutes", "2", "--device", "cpu"]
    longer += ["--cache", str(tmp_path / "cache"), "--out", str(folder)]
    assert reopen.main(longer) == 0
    state = load_checkpoint(tmp_path / "cache" / CHECKPOINT_FILE)
    assert state is not None
    assert (state["seconds"], state["budget"], state["losses"]) == (60.0, 120.0, [3.0, 2.0])
    again = recipe_of(small, prepared)
    again.restore(cast("dict[str, object]", state["recipe"]))
    assert again.steps == 2
    torch.testing.assert_close(again.model.state_dict(), dict(own))
    card["metrics"]["bits_per_byte_wiki"] += 0.1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(command) == 1


def test_a_model_without_an_update_is_told(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "minilm-clm").mkdir()
    (tmp_path / "minilm-clm" / "card.json").write_text('{"metrics": {}}')
    assert evaluate.main(["minilm-clm", "--data", str(data), "--models", str(tmp_path)]) == 1
    assert f"holds no {UPDATE_FILE}; train the model first" in caplog.text


def test_a_wrong_folder_is_a_message_and_not_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert minilm_clm.main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "nowhere is not a folder" in caplog.text


def test_sequences_are_no_longer_than_the_context_that_is_shipped() -> None:
    model = core.load("minilm-clm", device="cpu")
    assert model.token_limit == CONTEXT
