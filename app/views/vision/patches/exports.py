"""The view's numbers to take along."""

from collections.abc import Iterable, Mapping

import numpy as np

from app.components.heat_map import HeatMap
from app.style.markdown_escape import plain
from app.ui.export_bar import (
    Export,
    Table,
    matrix_table,
    offline_map,
)
from app.views.vision.patches.filter_tiles import Shown
from app.views.vision.patches.norms import LayerNorms
from app.views.vision.patches.steps import Steps
from core.explain.embeddings.patch_components import PatchComponents
from core.outputs.patch_path import PatchPath


def export(
    steps: Steps,
    token: int,
    strip: HeatMap | None,
    shown: Shown,
    norms: tuple[LayerNorms, ...],
    path: PatchPath | None,
    coloured: tuple[LayerNorms, PatchComponents | None] | None,
) -> Export:
    """The chosen token's numbers, the filters, the lengths."""
    rows = steps.rows(token)
    return Export(
        "patch-to-token",
        f"{steps.title}, token {token}",
        lambda: _token_table(rows),
        lambda: _arrays(steps, token, shown, norms) | _path_arrays(path) | _colour_arrays(coloured),
        more={
            "filters": lambda: matrix_table(
                shown.components.reshape(len(shown.components), -1),
                names=("component", "row, column, colour flattened", "value"),
            ),
            "lengths": lambda: _norm_table(steps, norms),
        },
        offline=None if strip is None else offline_map(strip),
        facts=_facts(steps),
    )


def _facts(steps: Steps) -> Mapping[str, str]:
    """The sizes in the paper's equation 1."""
    grid = steps.embedding.grid
    n_patches, high, wide = steps.embedding.pixels.shape[:3]
    return {
        "rows": str(grid.rows),
        "columns": str(grid.columns),
        "patches": str(n_patches),
        "high": str(high),
        "wide": str(wide),
        "numbers": str(3 * high * wide),
        "width": str(steps.width),
        "tokens": str(n_patches + len(steps.seen.prefix)),
        "prefix": plain(", ".join(steps.seen.prefix)) or "none",
    }


def _token_table(rows: Mapping[str, np.ndarray]) -> Table:
    lines = (
        (output, *(repr(float(values[output])) for values in rows.values()))
        for output in range(len(next(iter(rows.values()), ())))
    )
    return ("output", *rows), lines


def _norm_table(steps: Steps, norms: tuple[LayerNorms, ...]) -> Table:
    return ("after", "token", "row", "column", "length", "stands out"), _norm_lines(steps, norms)


def _norm_lines(steps: Steps, norms: tuple[LayerNorms, ...]) -> Iterable[tuple[object, ...]]:
    for one in norms:
        for name, length in zip(steps.seen.prefix, one.prefix, strict=False):
            yield one.name, name, "", "", repr(float(length)), ""
        for (row, column), out in np.ndenumerate(one.outliers):
            length = repr(float(one.patches[row, column]))
            yield one.name, "patch", row, column, length, int(out)


def _arrays(
    steps: Steps, token: int, shown: Shown, norms: tuple[LayerNorms, ...]
) -> dict[str, np.ndarray]:
    embedding = steps.embedding
    arrays = {
        "picture": steps.seen.picture,
        "pixels": embedding.pixels,
        "filters": embedding.filters,
        "bias": embedding.bias,
        "projected": embedding.projected,
        "principal_filters": shown.components,
        "token": np.array(token),
    }
    if embedding.positions is not None:
        arrays["positions"] = embedding.positions
    if steps.tokens is not None:
        arrays["tokens"] = steps.tokens
    for one in norms:
        arrays[f"lengths {one.name}".replace(" ", "_")] = one.patches
    return arrays


def _colour_arrays(
    coloured: tuple[LayerNorms, PatchComponents | None] | None,
) -> dict[str, np.ndarray]:
    """The components themselves, in the states' own unit, and their shares of the variance."""
    if coloured is None:
        return {}
    layer, found = coloured
    return (
        {}
        if found is None
        else {
            f"components {layer.name}".replace(" ", "_"): found.scores,
            "components_explained": found.explained,
        }
    )


def _path_arrays(path: PatchPath | None) -> dict[str, np.ndarray]:
    """What every head, and every token through the chosen one, adds to the logit."""
    if path is None or path.answer is None:
        return {}
    terms = path.answer.terms
    return {
        "head": np.array((path.layer, path.head)),
        "logit_by_head": terms.heads,
        "logit_by_mlp": terms.mlps,
        "logit_of_first_tokens": np.array(terms.start),
        "logit_of_biases": np.array(terms.constant),
        "logit_through_head": path.answer.through,
    }
