"""card.json: what a shipped model is, how it was made, and how good it is, truly.

The card lies beside the weights; its figures come from the recipe's evaluation and
are reproduced by `python -m core.training.evaluate <id> --data DIR`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypedDict

from core.errors import InputError
from core.trace.whole_file import write_whole

CARD_FILE = "card.json"


@dataclass(frozen=True, slots=True)
class Source:
    """Data that the model was trained on, with the credit it is owed."""

    name: str
    licence: str
    credit: str


@dataclass(frozen=True, slots=True)
class Example:
    """One output to look at: what went in, what came out, and whether it is right."""

    question: str
    answer: str
    good: bool


class Made(TypedDict):
    """What the card of a finished training says of its run."""

    trained_on: str  # "cpu" or "cuda"
    device: str
    seconds: int
    steps: int
    command: str
    evaluation: str  # the command that reproduces the metrics


@dataclass(frozen=True, slots=True)
class Run:
    """How the training was run."""

    device: str  # the machine's name for it
    trained_on: str  # "cpu" or "cuda"
    seconds: float
    steps: int
    minutes: float
    note: str = ""  # what this run did otherwise than the recipe says now

    def of(self, model: str, *, data: str = " --data DIR") -> Made:
        """For the card of this model, whose recipe has its name; `data` is what both take."""
        recipe = model.replace("-", "_")
        return {
            "trained_on": self.trained_on,
            "device": self.device,
            "seconds": round(self.seconds),
            "steps": self.steps,
            "command": f"python -m core.training.{recipe}{data} --minutes {self.minutes:g} "
            f"--device {self.trained_on}",
            "evaluation": f"python -m core.training.evaluate {model}{data}",
        }

    def noted(self, notes: Mapping[str, str]) -> dict[str, str]:
        """The card's notes, and what is to be said of this run."""
        return {**notes, **({"run": self.note} if self.note else {})}


@dataclass(frozen=True, slots=True)
class Card:
    """The fields of card.json, in its order."""

    id: str
    title: str
    family: str
    task: str
    layers: int
    heads: int
    d_model: int
    parameters: int
    licence: str
    paper: str
    metrics: Mapping[str, float]
    metrics_meaning: Mapping[str, str]
    trained_on: str
    device: str
    seconds: int
    steps: int
    command: str
    evaluation: str
    data: Sequence[Source]
    settings: Mapping[str, str]  # named as in the paper
    departures: Sequence[str]  # from the paper
    examples: Sequence[Example]
    notes: Mapping[str, str]
    loss_curve: Sequence[tuple[float, float]]  # (fraction of the training, mean loss)
    metrics_units: Mapping[str, str] = field(default_factory=dict[str, str])  # not of shares


def write_card(folder: Path, card: Card) -> None:
    text = json.dumps(asdict(card), indent=1, ensure_ascii=False)
    write_whole(folder / CARD_FILE, lambda file: file.write(f"{text}\n".encode()))


def read_metrics(folder: Path) -> dict[str, float]:
    """The figures on a model's card."""
    path = folder / CARD_FILE
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))["metrics"])
    except FileNotFoundError as error:
        raise InputError(f"{folder} holds no {CARD_FILE}; train the model first") from error
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a model card ({error}); train the model again") from error
