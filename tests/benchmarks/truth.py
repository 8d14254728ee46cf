"""Are the explanations true? Every method on photographs that no training saw.

    .venv/bin/python -m tests.benchmarks.truth --data DIR

writes assets/truth.json, which the vision page shows under "Is it true?". It stops after 8
minutes (`--minutes`), and the table tells how many pictures it were: a photograph takes about 10
seconds of one core with vit-mini, a collage 14. Perturbation: Chefer et al. 2021 on the predicted
class, both ways, with two fills. Pointing and mass: pets that the model knows, by their trimaps.
Two objects: collages. Random, uniform and a known bug (gradients paired with the wrong layers)
stand beside the others.

`--only lrp` adds methods to the table that is there: measured on as many pictures, and taken only
if the random map, measured anew beside them, has the table's figures to the last digit.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from core.catalog.checkpoints import locate
from core.data.explanation_benchmark import (
    FILLS,
    PLACE,
    QUANTITIES,
    MethodRow,
    TruthTable,
    curve_id,
    fingerprint,
    read_table,
    write_table,
)
from core.data.pointing_game import Layout
from core.errors import InputError
from core.explain.attribution.bootstrap import Interval, difference_intervals, mean_intervals
from core.explain.attribution.registry import EVIDENCE
from core.models.load import load
from core.models.vision.classifier import VisionModel
from core.targets import ClassTarget
from tests.benchmarks.truth_photos import TestPhoto, photographs
from tests.benchmarks.truth_scores import (
    REVERSED,
    Scores,
    collage_scores,
    curve_scores,
    methods_of,
    pet_scores,
)

PHOTOGRAPHS_SHARE = 0.65  # of the time; the rest is for collages
REFERENCE = "random"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure how true the explanations are.")
    parser.add_argument("--data", type=Path, required=True, help="folder with images/")
    parser.add_argument("--model", default="vit-mini", help="id, or a checkpoint directory")
    parser.add_argument("--pictures", type=int, default=80, help="photographs at most")
    parser.add_argument("--minutes", type=float, default=8.0, help="stop after so long")
    parser.add_argument("--threads", type=int, default=2, help="cores at work")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=PLACE)
    parser.add_argument("--only", nargs="+", help="methods to add to the table that is there")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command = f"python -m tests.benchmarks.truth {_without_paths(given)}"
        table = added(options) if options.only else measured(options, command)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    write_table(table, options.out)
    sys.stdout.write(f"{told(table)}\n{options.out} written\n")
    return 0


def added(options: argparse.Namespace) -> TruthTable:
    """The table that is there, with more methods, measured on the same pictures.

    Raises InputError where the random map's figures, or what was measured, are not the table's.
    """
    table = read_table(options.out)
    new = measured(options, table.command, table.counts)
    (there,) = (row for row in table.methods if row.id == REFERENCE)
    (again,) = (row for row in new.methods if row.id == REFERENCE)
    same = _rounded(there) == _rounded(again) and dict(table.counts) == dict(new.counts)
    if not same or not table.speaks_of(new.model, new.weights):
        raise InputError(
            f"{options.out.name} was measured on other pictures, weights or a machine that rounds "
            "otherwise: measure all methods again, without --only."
        )
    more = {row.id: row for row in new.methods if row.id != REFERENCE}
    rows = {row.id: row for row in table.methods} | more
    order = [*(method.id for method in EVIDENCE), REVERSED]
    dates = dict.fromkeys((table.date, new.date))
    return replace(
        table,
        date=" and ".join(dates),
        command=f"{table.command}, then --only {' '.join(options.only)}",
        seconds=round(table.seconds + new.seconds, 1),
        methods=tuple(rows[name] for name in order if name in rows),
    )


def _rounded(row: MethodRow) -> dict[str, list[float]]:
    """As written."""
    return {
        name: [round(value, 2) for value in (one.mean, one.low, one.high)]
        for name, one in row.figures.items()
    }


def measured(
    options: argparse.Namespace, command: str, until: Mapping[str, int] | None = None
) -> TruthTable:
    """Score photographs, then collages of those that the model knows, until the time is over.

    until: how many photographs and halves, whatever the time.
    """
    card, folder = locate(options.model)
    model = load(options.model, device="cpu")
    if not isinstance(model, VisionModel):
        raise InputError(f"{card.title} is no picture model; choose vit-mini")
    began = time.monotonic()
    end = began + 60 * options.minutes
    photos = photographs(options.data, options.pictures, options.seed)
    curves: list[Scores] = []
    places: list[Scores] = []
    known: list[TestPhoto] = []
    asked = methods_of(model)
    if options.only:
        if unknown := sorted({*options.only} - {*asked}):
            raise InputError(f"no method {unknown[0]}; there are {', '.join(asked)}")
        asked = {name: asked[name] for name in dict.fromkeys((REFERENCE, *options.only))}
    methods = {method: ask for method, (_, ask) in asked.items()}
    for number, photo in enumerate(photos):
        late = time.monotonic() > began + PHOTOGRAPHS_SHARE * (end - began)
        if late if until is None else number >= until["photographs"]:
            break
        predicted = int(model.probabilities(photo.picture, [()])[0].argmax())
        target = ClassTarget(predicted)
        maps = {method: ask(model, photo.picture, target) for method, ask in methods.items()}
        curves.append(curve_scores(model, photo.picture, predicted, maps, options.seed + number))
        if predicted == photo.label:
            known.append(photo)
            if photo.trimap is not None:
                places.append(pet_scores(model, photo, maps))
        sys.stderr.write(f"\r{number + 1} photographs, {time.monotonic() - began:.0f} s ")
    halves: list[Scores] = []
    for number, pair in enumerate(_pairs(known)):
        late = time.monotonic() > end or number >= options.pictures // 2
        if late if until is None else len(halves) >= until["halves"]:
            break
        layout = list(Layout)[number % 2]
        halves += collage_scores(model, pair, layout, methods)
        sys.stderr.write(f"\r{number + 1} collages, {time.monotonic() - began:.0f} s ")
    sys.stderr.write("\n")
    return TruthTable(
        model=card.id,
        weights=fingerprint(folder),
        date=datetime.now(UTC).date().isoformat(),
        command=command,
        seconds=round(time.monotonic() - began, 1),
        seed=options.seed,
        counts={
            "photographs": len(curves),
            "known": len(known),
            "pets": len(places),
            "halves": len(halves),
        },
        methods=_rows({m: title for m, (title, _) in asked.items()}, curves, places, halves),
    )


def _pairs(known: Sequence[TestPhoto]) -> Iterator[tuple[TestPhoto, TestPhoto]]:
    """Photographs of two classes, near ones in the list first, no pair twice."""
    for step in range(1, len(known)):
        for first, second in zip(known, known[step:], strict=False):
            if first.label != second.label:
                yield first, second


def _rows(
    titles: dict[str, str], curves: list[Scores], places: list[Scores], halves: list[Scores]
) -> tuple[MethodRow, ...]:
    names = list(titles)
    figures: defaultdict[str, dict[str, Interval]] = defaultdict(dict)
    for scores in (curves, places, halves):
        for figure in scores[0][names[0]] if scores else ():
            values = np.array([[one[name][figure] for name in names] for one in scores])
            for name, interval in zip(names, mean_intervals(values), strict=True):
                figures[name][figure] = interval
    for fill in FILLS if curves else ():
        for quantity in QUANTITIES:
            gap = curve_id("gap", fill, quantity)
            values = np.array([[one[name][gap] for name in names] for one in curves])
            over = difference_intervals(values, names.index(REFERENCE))
            for name, interval in zip(names, over, strict=True):
                figures[name][curve_id("over-random", fill, quantity)] = interval
    return tuple(MethodRow(name, titles[name], figures[name]) for name in names)


def told(table: TruthTable) -> str:
    """The most telling columns as text."""
    shown = (
        *(curve_id(c, "mean", "kept") for c in ("negative", "positive", "gap")),
        "gap.blur.kept",
    )
    columns = (*shown, "pointing", "mass", "share")
    lines = ["  ".join(["method".ljust(46), *(column.rjust(18) for column in columns)])]
    for row in table.methods:
        cells = [row.figures.get(column) for column in columns]
        texts = [f"{c.mean:.1f} [{c.low:.1f} {c.high:.1f}]" if c else "" for c in cells]
        lines.append("  ".join([row.title.ljust(46), *(text.rjust(18) for text in texts)]))
    return "\n".join([*lines, str(dict(table.counts)), f"{table.seconds} s"])


def _without_paths(arguments: Sequence[str]) -> str:
    """The command as anybody would give it: the data folder is each one's own."""
    shown = list(arguments)
    for option in ("--data", "--out"):
        if option in shown:
            shown[shown.index(option) + 1] = "DIR" if option == "--data" else "FILE"
    return " ".join(shown)


if __name__ == "__main__":
    sys.exit(main())
