"""BertViz's head, model and neuron view on our own traces, offline, as one HTML page each.

Vig, "A Multiscale Visualization of Attention in the Transformer Model", ACL 2019,
https://arxiv.org/abs/1906.05714. Its JavaScript is read from the installed package, which
is never imported (that would bring torch), and runs unchanged but for where it takes its
data and, in the neuron view, the model's own scale. `page.js` is the other side.

A page is for `st.iframe(page.html, height=page.height)`. Such a frame shares the app's
origin, so everything that comes from a reader goes through `_embedded`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from app.components.bertviz.kinds import KindMaps, hides_queries, maps_of
from app.style import theme
from app.style.script_nonce import marked

__all__ = [
    "KindMaps",
    "Page",
    "head_view_page",
    "hides_queries",
    "maps_of",
    "model_view_page",
    "neuron_view_page",
    "too_long",
]

TOKEN_LIMIT: Final = 64  # above it the browser needs more than 20 s for the model view
DECIMALS: Final = 4
HERE: Final = Path(__file__).parent
VENDOR: Final = HERE.parents[2] / "assets" / "vendor"
LIBRARIES: Final = ("jquery/jquery.min.js", "d3/d3.min.js")  # in the order of loading

# Pixels: BertViz's scripts fix the figure's height; our lines above and below it add these.
LINE_HEIGHT: Final = 32
MARGIN: Final = 24  # room for a horizontal scroll bar
TITLES: Final = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
HELP: Final = {
    "head": "Hover a token. Click a colour to switch its head, double-click to see it alone.",
    "model": "Every head at once. Click one to enlarge it, click again to close it.",
    "neuron": "Hover a token on the left; click its ⊕ for the query and the keys.",
}
LONGEST_TOKEN: Final = {"head": 14, "model": 11, "neuron": 14}  # characters that fit


class Page(NamedTuple):
    """A whole HTML document and the height in pixels at which nothing is cut off."""

    html: str
    height: int


def too_long(n_tokens: int) -> str | None:
    """Why BertViz is not offered for so many tokens, or None where it is."""
    if n_tokens <= TOKEN_LIMIT:
        return None
    return (
        f"BertViz draws a line for every pair of tokens in every head. With {n_tokens} tokens your "
        f"browser would work on it for minutes, so it is offered up to {TOKEN_LIMIT}. The figure "
        "above shows the same heads, and every number in them, at any length."
    )


def head_view_page(
    kinds: Sequence[KindMaps],
    *,
    dark: bool,
    sentence_b_start: int | None = None,
    layer: int = 0,
    heads: Sequence[int] | None = None,
) -> Page:
    """One layer as lines between tokens, heads overlaid; `heads=None` switches all on."""
    height = 30 + 22.5 * _longest(kinds)
    choice = {"sentence_b_start": sentence_b_start, "layer": layer, "heads": heads and list(heads)}
    return _page("head", kinds, height, dark=dark, choice=choice)


def model_view_page(
    kinds: Sequence[KindMaps], *, dark: bool, sentence_b_start: int | None = None
) -> Page:
    """Thumbnails of all layers and heads."""
    detail = 18 * _longest(kinds) + 60
    rows = [len(maps.weights) * _thumbnail_height(maps) + 38 for maps in kinds]
    choice = {"sentence_b_start": sentence_b_start, "layer": 0, "heads": None}
    return _page("model", kinds, max(detail, *rows), dark=dark, choice=choice)


def neuron_view_page(
    kinds: Sequence[KindMaps],
    *,
    dark: bool,
    sentence_b_start: int | None = None,
    layer: int = 0,
    head: int = 0,
) -> Page:
    """One head: query, key, their elementwise product, its sum, and the softmax.

    Raises ValueError where `hides_queries` has something to say.
    """
    if hides_queries(kinds):
        raise ValueError("the neuron view needs queries and keys of every layer")
    height = 100 + 26 * _longest(kinds)
    choice = {"sentence_b_start": sentence_b_start, "layer": layer, "heads": [head]}
    return _page("neuron", kinds, height, dark=dark, choice=choice)


def _longest(kinds: Sequence[KindMaps]) -> int:
    return max(max(len(maps.query_tokens), len(maps.key_tokens)) for maps in kinds)


def _thumbnail_height(maps: KindMaps) -> float:
    return _longest([maps]) * 7 * 12 / maps.weights[0].shape[0] + 10


def _page(
    view: str,
    kinds: Sequence[KindMaps],
    height: float,
    *,
    dark: bool,
    choice: Mapping[str, object],
) -> Page:
    colours = theme.page_colours(dark=dark)
    n_heads = max(weights.shape[0] for maps in kinds for weights in maps.weights)
    data = {
        "view": view,
        "dark": dark,
        "paper": colours["backgroundColor"],
        "head_colours": head_colours(n_heads, dark=dark),
        "units_per_one": 10**DECIMALS,
        "kinds": [_kind_data(view, maps, dark=dark) for maps in kinds],
        **choice,
    }
    variables = {
        "scheme": "dark" if dark else "light",
        "paper": colours["backgroundColor"],
        "raised": colours["secondaryBackgroundColor"],
        "ink": colours["textColor"],
        "quiet": f"color-mix(in srgb, {colours['textColor']} 75%, {colours['backgroundColor']})",
        "line": colours["borderColor"],
        "accent": colours["primaryColor"],
        "overhang": "16px" if view == "head" else "0",
    }
    html = TEMPLATE.format(
        view=view,
        variables=" ".join(f"--{name}: {value};" for name, value in variables.items()),
        style=(HERE / "page.css").read_text("utf-8"),
        libraries="\n".join(marked((VENDOR / name).read_text("utf-8")) for name in LIBRARIES),
        help=HELP[view],
        data=_embedded(data),
        page=marked((HERE / "page.js").read_text("utf-8")),
        bertviz=marked(bertviz_script(view)),
    )
    lines = 3 if view == "neuron" else 2  # the header, the menus, the neuron view's note
    return Page(html, round(lines * LINE_HEIGHT + height + MARGIN))


def _kind_data(view: str, maps: KindMaps, *, dark: bool) -> dict[str, object]:
    data: dict[str, object] = {
        "title": TITLES[maps.kind],
        "colour": theme.colour(maps.kind, dark=dark),
        "left_text": [_fitting(token, LONGEST_TOKEN[view]) for token in maps.query_tokens],
        "right_text": [_fitting(token, LONGEST_TOKEN[view]) for token in maps.key_tokens],
        "attn": [_units(weights) for weights in maps.weights],
        "bidirectional": not maps.causal,
        "note": "",
    }
    if view == "neuron":
        data["queries"] = [_units(queries) for queries in maps.queries]
        data["keys"] = [_units(keys) for keys in maps.keys]
        data["divisors"] = [1 / scale for scale in maps.scales]
        data["note"] = _scale_note(maps)
    return data


def _scale_note(maps: KindMaps) -> str:
    divisors = sorted({round(1 / scale, 3) for scale in maps.scales})
    shown = f"{divisors[0]:g}" if len(divisors) == 1 else f"{divisors[0]:g} to {divisors[-1]:g}"
    return (
        f"q ∙ k is shown divided by {shown}, as in this model; a mask or relative positions are "
        "added after it, then the softmax."
    )


def _units(array: np.ndarray) -> list[object]:
    """Whole multiples of the last decimal: a third of the characters of rounded fractions."""
    return np.rint(array.astype(np.float64) * 10**DECIMALS).astype(np.int64).tolist()


def _fitting(token: str, longest: int) -> str:
    return token if len(token) <= longest else token[: longest - 1] + "…"


def head_colours(n_heads: int, *, dark: bool) -> list[str]:
    """A colour for every head: the theme's, then the same ones mixed halfway with grey."""
    own = [pair[dark] for pair in theme.HEADS]
    softer = [_halfway(colour, "#808080") for colour in own]
    return [*own, *softer][: max(n_heads, 1)]


def _halfway(one: str, other: str) -> str:
    mixed = [(int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2 for i in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def bertviz_script(view: str) -> str:
    """BertViz's script of a view, taking its parameters from `window.bertviz_params`.

    Raises ValueError if the installed version does not have the lines that are replaced.
    """
    spec = find_spec("bertviz")
    if spec is None or not spec.submodule_search_locations:
        raise ValueError("bertviz is not installed; pyproject.toml asks for it")
    script = (Path(next(iter(spec.submodule_search_locations))) / f"{view}_view.js").read_text(
        "utf-8"
    )
    for line, replacement in REPLACED[view]:
        if script.count(line) != 1:
            raise ValueError(f"bertviz's {view}_view.js has no single “{line}”: another version?")
        script = script.replace(line, replacement)
    return script


PARAMETERS: Final = (
    ("const params = PYTHON_PARAMS; // HACK", "const params = window.bertviz_params; // HACK"),
)
REPLACED: Final = {
    "head": PARAMETERS,
    "model": PARAMETERS,
    # BertViz divides by the square root of d_head; T5 divides by nothing.
    "neuron": (("Math.sqrt(config.vectorSize)", "window.bertviz_params.divisors[config.layer]"),),
}


def _embedded(data: Mapping[str, object]) -> str:
    """JSON that can't end its script element, whatever the tokens are."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


TEMPLATE: Final = """<!doctype html>
<html lang="en" class="{view}"><head><meta charset="utf-8"><title>BertViz {view} view</title>
<style>:root {{ {variables} }}
{style}</style></head>
<body>
<header><label>Attention: <select id="kind"></select></label><p>{help}</p></header>
<template id="frame"><span>
<label class="dropdown-label" data-for="layer">Layer: <select id="layer"></select></label>
<label class="dropdown-label" data-for="head">Head: <select id="att_head"></select></label>
<label class="dropdown-label" data-for="filter">Sentences: <select id="filter"></select></label>
</span><div id="vis"></div></template>
<main id="bertviz"></main>
<footer id="note"></footer>
<script type="application/json" id="bertviz-data">{data}</script>
{libraries}
{page}
{bertviz}
</body></html>
"""
