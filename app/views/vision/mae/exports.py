"""What this view hands out: errors by patch, the pictures, the curve, the training."""

from collections.abc import Callable

import numpy as np

from app.components.picture_map import picture_frame
from app.ui.export_bar import Export, Table
from app.views.vision.inputs import Chosen
from app.views.vision.mae import figure, learning
from app.views.vision.mae.words import facts, settings
from core.errors import InputError
from core.outputs.autoencoder import ErrorByRatio, Reconstruction


def export(chosen: Chosen, made: Reconstruction, by_ratio: ErrorByRatio | None) -> Export:
    """Everything on the page that is a number."""
    caption = settings(chosen, made)
    more: dict[str, Callable[[], Table]] = {}
    if by_ratio is not None:
        more["error by share"] = lambda: _by_ratio(by_ratio)
    if steps := _training(chosen):
        more["training"] = lambda: (("step", "held_out_mean_squared_error"), steps)
    return Export(
        name="masked-autoencoder",
        caption=f"{caption}; mean squared errors of colours from 0 to 1",
        table=lambda: _patches(made),
        arrays=lambda: _arrays(made, by_ratio),
        more=more,
        offline=("picture_map", lambda: _offline(made, caption)),
        facts=facts(chosen.card, made),
    )


def _patches(made: Reconstruction) -> Table:
    rows = (
        (row, column, int(made.hidden[row, column]), float(made.errors[row, column]))
        for row, column in np.ndindex(made.hidden.shape)
    )
    return ("row", "column", "hidden", "mean_squared_error"), rows


def _by_ratio(found: ErrorByRatio) -> Table:
    rows = (
        (ratio, seed, float(found.errors[i, j]), float(found.flat[i, j]))
        for i, seed in enumerate(found.seeds)
        for j, ratio in enumerate(found.ratios)
    )
    return ("hidden_share", "seed", "mean_squared_error", "one_flat_colour"), rows


def _arrays(made: Reconstruction, by_ratio: ErrorByRatio | None) -> dict[str, np.ndarray]:
    arrays = {
        "picture": made.picture,
        "hidden": made.hidden,
        "predicted": made.predicted,
        "errors": made.errors,
    }
    if by_ratio is not None:
        arrays |= {
            "ratios": np.array(by_ratio.ratios),
            "seeds": np.array(by_ratio.seeds),
            "errors_by_seed_and_ratio": by_ratio.errors,
            "flat_by_seed_and_ratio": by_ratio.flat,
        }
    return arrays


def _training(chosen: Chosen) -> list[tuple[int, float]]:
    try:
        return learning.table(chosen.card)
    except InputError:
        return []  # the view has said so


def _offline(made: Reconstruction, caption: str) -> bytes:
    return picture_frame(figure.maps(made, caption), label="Masked autoencoder", caption=caption)
