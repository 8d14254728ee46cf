"""The command line of every recipe: `python -m core.training.<name> --data DIR --minutes N`."""

import argparse
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.training.common.card import Run
from core.training.common.device import CHOICES, device_name, pick_device
from core.training.common.loop import History

CHECKPOINT_FILE = "checkpoint.pt"  # in the cache folder
CACHES = Path(".cache/training")
MODELS = Path("assets/models")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    data: Path
    minutes: float  # in all, resumed parts too
    device: str  # "cpu" or "cuda"
    cache: Path
    out: Path
    note: str

    def made_by(self, history: History) -> Run:
        """How the finished training was run, for the card."""
        return Run(
            device=device_name(self.device),
            trained_on=self.device,
            seconds=history.clock.seconds,
            steps=history.steps,
            minutes=self.minutes,
            note=self.note,
        )


def command(
    model: str,
    arguments: Sequence[str] | None,
    *,
    needs: str | None,
    run: Callable[[Options], None],
) -> int:
    """Parse, run, and say plainly what the reader can mend. Returns the exit status.

    needs: what the data folder must hold; None for a recipe that makes its own data.
    """
    parser = argparse.ArgumentParser(description=f"Train {model}.")
    parser.add_argument(
        "--data",
        type=Path,
        required=needs is not None,
        default=Path(),
        help=f"folder with {needs}" if needs else "not needed: this recipe makes its own data",
    )
    parser.add_argument("--minutes", type=float, default=100.0, help="in all, resumed parts too")
    parser.add_argument("--device", choices=CHOICES, default="auto")
    parser.add_argument("--cache", type=Path, default=CACHES / model, help="checkpoints, read data")
    parser.add_argument("--out", type=Path, default=MODELS / model, help="where it is shipped")
    parser.add_argument("--note", default="", help="what the card should say about this run")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    try:
        device = pick_device(given.device)
        run(Options(given.data, given.minutes, device, given.cache, given.out, given.note))
    except InputError as error:
        logging.getLogger(model).error("%s", error)
        return 1
    return 0
