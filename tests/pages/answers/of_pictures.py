"""Vision and training: the numbers of each view's sentence."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from app.style.number_format import three
from core.data.explanation_benchmark import curve_id
from tests.pages.answers.taken import arrays, column, rows, values
from tests.pages.page import Page

Numbers = Sequence[str]
PLACE: Final = re.compile(r"row (\d+), column (\d+)")
CAT: Final = "; the picture shows a cat."


def _says(page: Page) -> Numbers:
    """The default picture is a cat, which the model was trained to know."""
    before = column(Page("vision", view="what-if"), "before")
    assert page.answer.startswith(f"ViT mini says cat with {three(before.max())}{CAT}")
    return ()


def _patches(page: Page) -> Numbers:
    return (three(float(values(page, "vision.patches.strip")[0, 0])),)


def _attention(page: Page) -> Numbers:
    weights = values(page, "vision.attention.picture", "values0")
    return three(float(weights.max())), f"row {weights.argmax() // weights.shape[1]}"


def _rollout(page: Page) -> Numbers:
    last = arrays(page)["film"][-1]
    share, on_prefix = float(last[1:].max()), float(last[0])
    return three(share), f"{three(share * len(last))} times", three(on_prefix)


def _how_far(page: Page) -> Numbers:
    distances = column(page, "distance_pixels")
    return f"{three(distances.min())} px", f"{three(distances.max())} px"


def _why(page: Page) -> Numbers:
    evidence = arrays(page)["relevance"]
    share = three(100 * float(evidence.max() / evidence.sum()))
    return *_says(page), three(float(evidence.max())), f"{share} %"


def _hiding(page: Page) -> Numbers:
    _says(page)
    areas: dict[str, float] = {}
    for method in {line["method"] for line in rows(page)} - {"Random order"}:
        most, least = (
            column(page, "probability", method=method, order=f"{which} relevant first")[:10]
            for which in ("most", "least")
        )
        areas[method] = 100 * float(np.trapezoid(least - most, dx=0.1))
    best = max(areas, key=areas.__getitem__)
    said = float(page.answer.split("gap of ")[1].split(" points")[0])
    assert abs(said - areas[best]) < 0.05
    return (best,)


def _objects(page: Page) -> Numbers:
    _says(page)
    shares = {
        name: column(page, "share_on_its_half", method=name).mean()
        for name in {line["method"] for line in rows(page)}
    }
    best = max(shares, key=shares.__getitem__)
    said = float(page.answer.split("best: ")[1].split(" %")[0])
    assert abs(said - 100 * shares[best]) < 0.1  # the file has three digits of each half
    return (best,)


def _weights(page: Page) -> Numbers:
    _says(page)
    return (f"from {three(100 * column(Page('vision', view='what-if'), 'before').max())} %",)


def _table(page: Page) -> Numbers:
    gaps = {line["method"]: line for line in rows(page, figure=curve_id("gap", "mean", "kept"))}
    best = max(gaps, key=lambda method: float(gaps[method]["mean"]))
    return best, *(f"{float(gaps[best][name]):.1f}" for name in ("mean", "low", "high"))


def _swin(page: Page) -> Numbers:
    reached = arrays(page)["reach"]
    whole = next(count for count, seen in enumerate(reached) if seen.all())
    return f"{three(100 * float(reached[1].mean()))} %", f"block {whole - 1}."


def _mae(page: Page) -> Numbers:
    kept = arrays(page)
    errors, hidden = (kept[name] for name in ("errors", "hidden"))
    return (f"{float(errors[hidden].mean()):.3g}",)


def _data(page: Page) -> Numbers:
    """The means of the trainings on all photographs."""
    most = max(int(line["photographs"]) for line in rows(page))
    means = (
        100 * column(page, "accuracy", network=network, photographs=str(most)).mean()
        for network in ("CNN", "ViT", "ViT after MAE")
    )
    return f"{most:,} photographs", *(f"{mean:.1f} %" for mean in means)


def _queries(page: Page) -> Numbers:
    chances = arrays(page)["probabilities"][-1]
    slot = int(chances[:, :-1].max(axis=1).argmax())
    return f"slot {slot} says", three(float(chances[slot].max()))


def _encoder(page: Page) -> Numbers:
    weights = column(page, "weight")
    size, side = round(len(weights) ** 0.5), round(len(weights) ** 0.25)
    row, along = map(int, PLACE.findall(page.answer)[0])
    largest = float(weights.reshape(size, size)[row * side + along].max())
    return three(largest), f"{three(largest * size)} times"


def _matching(page: Page) -> Numbers:
    costs = column(page, "total", optimal="1")
    return f"{len(costs)} objects", three(costs.sum())


def _slots(page: Page) -> Numbers:
    chances = arrays(page)["probabilities"]
    claims = chances.argmax(axis=-1) != chances.shape[-1] - 1
    shares = claims.mean(axis=0)
    return f"Slot {shares.argmax()}", f"{shares.max():.0%}", three(shares.sum())


def _training(page: Page) -> Numbers:
    """What the chosen head's curve ends and begins with."""
    curves = {one["name"]: one["y"] for one in page.charts[0]["data"] if one.get("name")}
    ends = {name: (_plain(y)[-1], _plain(y)[0]) for name, y in curves.items() if name != "evenness"}
    name = max(ends, key=lambda name: ends[name][0])
    return name, *(three(end) for end in ends[name])


def _plain(data: object) -> list[float]:
    """Plotly's numbers, packed or not."""
    if isinstance(data, dict):
        return np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"]).tolist()
    assert isinstance(data, list)
    return data


NUMBERS: Final[Mapping[str, Callable[[Page], Numbers]]] = {
    "training": _training,
    "vision-patches": _patches,
    "vision-attention": _attention,
    "vision-rollout": _rollout,
    "vision-how-far": _how_far,
    "vision-why": _why,
    "vision-truth-hide": _hiding,
    "vision-truth-objects": _objects,
    "vision-truth-place": _says,
    "vision-truth-weights": _weights,
    "vision-truth-table": _table,
    "vision-what-if": _says,
    "vision-swin": _swin,
    "vision-mae": _mae,
    "vision-data": _data,
    "vision-detr-queries": _queries,
    "vision-detr-encoder": _encoder,
    "vision-detr-matching": _matching,
    "vision-detr-slots": _slots,
    "vision-detr-own": _matching,
}
