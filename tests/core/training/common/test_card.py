"""What a card says of its run, and that the shipped ones name recipes that are there."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.training.common.card import Run
from core.training.common.command import MODELS
from core.training.evaluate import evaluation_of

CARDS = sorted(MODELS.glob("*/card.json"))


def test_a_run_is_told_with_its_commands() -> None:
    run = Run("a test", "cpu", 61.6, 2, minutes=1.5)
    assert run.of("gpt-mini") == {
        "trained_on": "cpu",
        "device": "a test",
        "seconds": 62,
        "steps": 2,
        "command": "python -m core.training.gpt_mini --data DIR --minutes 1.5 --device cpu",
        "evaluation": "python -m core.training.evaluate gpt-mini --data DIR",
    }
    made = run.of("detr-mini", data="")
    assert made["command"] == "python -m core.training.detr_mini --minutes 1.5 --device cpu"
    assert made["evaluation"] == "python -m core.training.evaluate detr-mini"


def test_a_note_on_the_run_stands_beside_the_others() -> None:
    notes = {"heads": "2 of 48"}
    assert Run("a test", "cpu", 1.0, 1, minutes=1.0).noted(notes) == notes
    odd = Run("a test", "cpu", 1.0, 1, minutes=1.0, note="in two parts")
    assert odd.noted(notes) == {"heads": "2 of 48", "run": "in two parts"}


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.parent.name)
def test_a_shipped_cards_commands_are_its_runs(path: Path) -> None:
    card = json.loads(path.read_text("utf-8"))
    _, _, said = card["command"].partition(" --minutes ")
    run = Run(
        card["device"],
        card["trained_on"],
        card["seconds"],
        card["steps"],
        minutes=float(said.split()[0]),
    )
    data = " --data DIR" if evaluation_of(card["id"]).needs_data else ""
    made = run.of(card["id"], data=data)
    assert {name: card[name] for name in made} == made
    assert find_spec(card["command"].split()[2])
    assert card["seconds"] <= (run.minutes + 1) * 60


def test_every_model_on_board_has_one() -> None:
    assert len(CARDS) == len(list(MODELS.iterdir())) == 9
