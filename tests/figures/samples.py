"""One small figure of every component, with numbers that a test can know."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.components.box_picture import Box, BoxPicture, box_frame
from app.components.candidates import Candidate, candidates_frame
from app.components.diagram import Arrow, Diagram, diagram_frame
from app.components.diagram import Box as DiagramBox
from app.components.drift import Drift, drift_frame
from app.components.head_film import HeadFilm
from app.components.head_film import film_frame as head_film_frame
from app.components.head_grid import GridSettings, head_grid_frame
from app.components.head_grid.names import HeadName, HeadNames
from app.components.head_view import Choice, Display, HeadView, head_view_frame
from app.components.heat_map import NOWHERE, HeatMap, heat_map_frame
from app.components.moved_answers import Moved, moved_frame
from app.components.picture_film import PictureFilm
from app.components.picture_film import film_frame as picture_film_frame
from app.components.picture_map import PictureMap, picture_frame
from app.components.piece_bars import Bar, PieceBars, Row, Section, piece_bars_frame
from app.components.selection import Seed
from app.components.token_flow import FlowFigure, Shown, token_flow_frame
from app.components.token_row import Chip, token_row_frame
from app.components.token_table import TokenTable, token_table_frame
from app.components.worked_cell import worked_cell_frame
from core.explain.attention.head_overview import head_overview
from core.explain.attention.worked_weight import worked_cell
from core.explain.flow.token_flow import TokenFlow
from core.trace import AttentionKind, softmax
from tests.figures import bpe_samples, translation_samples
from tests.figures.harness import CLICKS
from tests.figures.strange_texts import CAPTION, HOSTILE

SEEN = HOSTILE.replace(" ", "␣")  # as a token is shown
TOKENS = ("[CLS]", "the", "animal", HOSTILE, "Ġit", "\u202eabc", "a\u0000b", "[SEP]")


def tokens(size: int) -> tuple[str, ...]:
    return (TOKENS + tuple(f"word{i}" for i in range(len(TOKENS), size)))[:size]


def weights(size: int = 8, layers: int = 3, heads: int = 4) -> list[np.ndarray]:
    """Peaked and diffuse maps, (head, query, key) a layer."""
    random = np.random.default_rng(5)
    sharpness = random.uniform(0.3, 3, (layers, heads, 1, 1))
    scores = random.normal(size=(layers, heads, size, size)) * sharpness
    return list(softmax(scores.astype(np.float32)))


def overview(size: int = 8):
    words = tokens(size)
    special = np.array([word.startswith("[") for word in words])
    return head_overview(
        weights(size),
        query_tokens=words,
        key_tokens=words,
        special_queries=special,
        special_keys=special,
    )


def grid(size: int = 8, *, selected=((1, 2),), serial: int = 1) -> bytes:
    settings = GridSettings("All heads", caption=CAPTION)
    return head_grid_frame(overview(size), settings, seed=Seed(selected, serial))


def head_names() -> HeadNames:
    """Two heads are called previous, one next, the others nothing."""
    legend = (
        HeadName("previous", "P", "the token before", 0),
        HeadName("next", "N", "the token after", 1),
        HeadName("first", "F", "the first token", 2),
    )
    named = ((0, -1, 1, -1), (-1, 0, -1, -1), (-1, -1, -1, -1))
    notes = tuple(tuple(f"note of {layer} {head}" for head in range(4)) for layer in range(3))
    return HeadNames(legend, named, notes)


def named_grid() -> bytes:
    settings = GridSettings("All heads", caption=CAPTION, names=head_names())
    return head_grid_frame(overview(), settings, seed=Seed(((1, 2),), 1))


def view(
    size: int = 8,
    n_maps: int = 1,
    *,
    display: Display | None = None,
    selected: Choice | None = None,
    kind: AttentionKind = AttentionKind.ENCODER,
    serial: int = 1,
) -> bytes:
    """Heads of layer 1, of whose every third row 0.412 was taken away."""
    maps = weights(size)[1][:n_maps]
    removed = np.zeros(maps.shape[:2], dtype=np.float32)
    removed[:, 2] = 0.412
    figure = HeadView(
        kind=kind,
        names=tuple(f"layer 1 · head {i}" for i in range(n_maps)),
        palette=tuple(range(n_maps)),
        maps=maps,
        query_tokens=tokens(size),
        key_tokens=tokens(size),
        visible_keys=np.full(size, size),
        uniform_keys=np.full(size, size),
        removed=removed,
        caption=CAPTION,
    )
    return head_view_frame(figure, display or Display(), seed=Seed(selected or Choice(), serial))


def cell():
    random = np.random.default_rng(2)
    q, k, v = (random.normal(size=(1, 8, 16)).astype(np.float32) for _ in range(3))
    return worked_cell(
        q, k, v, bias=None, scale=0.25, cell=(0, 4, 2), query_tokens=tokens(8), key_tokens=tokens(8)
    )


def matrix(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(rows, columns)).astype(np.float32)


def heat(
    values: np.ndarray, *, selected=NOWHERE, serial: int = 1, picks: bool = False, **other
) -> bytes:
    rows, columns = values.shape
    figure = HeatMap(
        values=values,
        rows=tuple(f"t{i}" if i else HOSTILE for i in range(rows)),
        columns=tuple(f"{j}" for j in range(columns)),
        label="A matrix",
        caption=CAPTION,
        title="Values",
        row_title="position",
        column_title="dimension",
        column_notes=tuple(f"note of column {j}" for j in range(columns)),
        row_ids=tuple(100 + i for i in range(rows)),
        **other,
    )
    return heat_map_frame(figure, seed=Seed(selected, serial), clicks=CLICKS, picks=picks)


CHIPS = (
    Chip("[CLS]", state="quiet"),
    Chip("the", shade=0.1, note="0.9"),
    Chip(HOSTILE, shade=1.0, tip=("hostile", "second line")),
    Chip("[MASK]", state="masked"),
    Chip("Ġdog", state="lit"),
    Chip(" \n", note="white"),
)
CANDIDATES = (
    Candidate("store", 0.61803, note="rank 1", lit=True),
    Candidate(HOSTILE, 0.2, tip=("hostile",)),
    Candidate("nothing", 0.0),
)
MOVED = (
    Moved("store", 0.6, 0.25, 1, 2, lit=True),
    Moved(HOSTILE, 0.1, 0.5, 3, 1),
    Moved("house", 0.125, 0.125, 2, 3),
)
DIAGRAM = Diagram(
    boxes=(
        DiagramBox("in", "Inputs", 0, 5, 3, 0.8, sub="(6,)"),
        DiagramBox("embed", "Input embedding", 0, 3.2, 3, 1, sub="(6, 256)", tip=("x √d",)),
        DiagramBox("attention", "Multi-head attention", 0, 1, 3, 1.4, hue="encoder", sub="8 heads"),
        DiagramBox("new", HOSTILE, 5, 1, 3, 1.4, hue="cross", dashed=True),
    ),
    arrows=(
        Arrow(((1.5, 5), (1.5, 4.2))),
        Arrow(((1.5, 3.2), (1.5, 2.4)), label="residual"),
        Arrow(((3, 1.7), (4, 1.7), (4, 2), (5, 2)), dashed=True, label="keys"),
    ),
    width=8.2,
    height=6,
    label="A machine",
    caption=CAPTION,
)
PICTURE = np.linspace(0, 255, 24 * 36 * 3).reshape(24, 36, 3).astype(np.uint8)
PATCHES = np.array([[0.1, 0.5, -0.25], [0.0, 2.0, np.nan]], dtype=np.float32)


def picture(**other) -> PictureMap:
    given = {"values": PATCHES, "notes": (), "title": "a map"} | other
    return PictureMap(PICTURE, 2, 3, "A picture", CAPTION, **given)


BOXES = BoxPicture(
    picture(values=None),
    (
        Box((0.5, 0.5, 0.9, 0.9), "large", tip=("all of it",)),
        Box((0.25, 0.5, 0.2, 0.4), HOSTILE, hue="cross", movable=True),
        Box((0.8, 0.3, 0.2, 0.2), "faint", dashed=True, faint=True),
    ),
)
FILM = PictureFilm(
    sheet=picture(values=None),
    values=(np.arange(18, dtype=np.float32) / 100).reshape(3, 2, 3),
    prefix=np.array([[0.5], [0.25], [0.125]], dtype=np.float32),
    prefix_names=("[CLS]",),
    frames=("the input", "after layer 0", "after layer 1"),
    lines=("nothing yet", HOSTILE, "much"),
    limits=(0.05, 0.11, 0.17),
    scale="per layer",
    uniform=0.125,
)
HEAD_FILM_VALUES = softmax(
    np.random.default_rng(9).normal(size=(3, 3, 4, 4)).astype(np.float32) * 2
)
HEAD_FILM = HeadFilm(
    values=HEAD_FILM_VALUES,
    heads=(2, 1),
    moments=("step 0", "step 5", "step 9"),
    lines=("at random", HOSTILE, "trained"),
    rows=("a", "b", "c", HOSTILE),
    columns=("a", "b", "c", HOSTILE),
    label="Heads in training",
    caption=CAPTION,
)
DRIFT = Drift(
    points=np.array(
        [[[1, 1], [-1, 1], [1, -1]], [[0.5, 0.5], [-0.5, 0.5], [0.5, -0.5]], [[0, 0]] * 3],
        dtype=np.float32,
    ),
    diameters=np.array([2.828, 1.414, 0.0]),
    moves=np.array([0.0, 0.707, 0.707]),
    clusters=(3, 3, 1),
    extent=1.2,
    same=0.01,
    label="Points",
    caption=CAPTION,
)
BEST_CUT = Row((Bar(0, 2, "un", 0.5, "lit", ("un", "log P −2.50")), Bar(2, 3, HOSTILE, 1.0, "lit")))
OTHER_CUT = Row((Bar(0, 1, "u"), Bar(1, 3, "nx", state="failed")), name="greedy", note="2 ×")
BARS = PieceBars(
    letters=("u", "n", HOSTILE),
    sections=(Section("one cut", (BEST_CUT,), joined=True), Section("others", (OTHER_CUT,))),
    label="Cuttings",
    caption=CAPTION,
)
TABLE = TokenTable(
    cells=(("the", HOSTILE), (" a", "dog")),
    shades=np.array([[0.25, 0.5], [1.0, 0.0]], dtype=np.float32),
    rows=("0", "1"),
    columns=("the", "dog"),
    label="Guesses",
    notes=(("rank 1", "rank 2"), ("rank 3", "rank 4")),
    marked=np.array([[True, False], [False, False]]),
    row_title="layer",
    column_title="after",
    shade_title="P",
    caption=CAPTION,
)


def shares(size: int = 5, layers: int = 3) -> TokenFlow:
    parts = np.random.default_rng(7).dirichlet(np.ones(size + 1), (layers, size))
    return TokenFlow(parts[:, :, 1:].astype(np.float32), parts[:, :, 0].astype(np.float32))


def flow(shown: Shown = "into", *, node: tuple[int, int] = (3, 1), threshold: float = 0.1) -> bytes:
    """Shares of five tokens over three layers."""
    found = shares()
    layers, size = found.kept.shape
    figure = FlowFigure(
        flow=found,
        tokens=tokens(size),
        ids=tuple(range(100, 100 + size)),
        levels=("input", *(f"layer {layer}" for layer in range(layers))),
        shown=shown,
        threshold=threshold,
        kind="encoder",
        label="Flow between tokens",
        caption=CAPTION,
    )
    return token_flow_frame(figure, Seed(node))


SAMPLES: dict[str, Callable[[], bytes]] = {
    "beam_tree": translation_samples.tree,
    "box_picture": lambda: box_frame(BOXES),
    "bpe_encoding": bpe_samples.encoding,
    "bpe_fork": bpe_samples.fork,
    "bpe_stepper": bpe_samples.stepper,
    "candidates": lambda: candidates_frame(
        CANDIDATES, label="Candidates", clickable=True, caption=CAPTION, clicks=CLICKS
    ),
    "decoder_steps": translation_samples.decoding,
    "diagram": lambda: diagram_frame(DIAGRAM, clickable=True),
    "drift": lambda: drift_frame(DRIFT),
    "head_film": lambda: head_film_frame(HEAD_FILM, Seed((0, (0, 0)))),
    "head_grid": grid,
    "head_view": lambda: view(n_maps=2),
    "heat_map": lambda: heat(matrix(6, 8), numbers=True),
    "moved_answers": lambda: moved_frame(
        MOVED, label="Answers", caption=CAPTION, clickable=True, clicks=CLICKS
    ),
    "picture_film": lambda: picture_film_frame(FILM),
    "picture_map": lambda: picture_frame((picture(title=HOSTILE),), mode="select"),
    "piece_bars": lambda: piece_bars_frame(BARS),
    "token_flow": flow,
    "token_row": lambda: token_row_frame(
        CHIPS, label="Tokens", clickable=True, caption=CAPTION, clicks=CLICKS
    ),
    "token_spans": bpe_samples.spans,
    "token_table": lambda: token_table_frame(TABLE),
    "worked_cell": lambda: worked_cell_frame(cell(), kind=AttentionKind.ENCODER, caption=CAPTION),
}
