"""What a rollout is asked: from which token, how heads are fused, how much is kept or dropped."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.components.picture_film import Standing, standing
from app.ui.controls import controls
from app.ui.options import WIDGET, option_widget
from app.ui.params import Scope
from app.views.vision.inputs import Chosen
from core.explain.attention.patch_attention import same_place
from core.explain.flow.rollout import HeadFusion
from core.trace import PatchGrid, Trace

WHOLE: Final = -1  # the last frame: the whole rollout

HERE: Final = Scope("vision", "rollout")
FILM: Final = HERE.key("film")
ORIGIN = HERE.choice("origin", ["auto", "token", "mean", "pool"])
TOKEN = HERE.whole("token", 0, 9999, 0)  # prefix tokens first, then patches row by row
RESIDUAL = HERE.real("residual", 0.0, 1.0, 0.5)
FUSIONS: Final[tuple[HeadFusion, ...]] = ("mean", "max", "min")
FUSION = HERE.choice("fusion", FUSIONS)
DISCARD = HERE.real("discard", 0.0, 0.95, 0.0)
START = HERE.whole("start", 0, 199, 0)
FRAME = HERE.whole("frame", WHOLE, 199, WHOLE)
SCALE = HERE.choice("scale", {"layer": "each frame its own", "film": "one for all frames"})
OF: Final = HERE.choice("plays", {"layers": "Through the layers", "frames": "Through its frames"})
SHOTS: Final = HERE.key("shots")  # the film of frames
SHOT = HERE.whole("shot", 0, 199, 0)
SHOWN: Final = HERE.choice("shown", {"rollout": "Rollout", "attention": "Attention, last layer"})
PARAMS: Final = (
    ORIGIN, TOKEN, RESIDUAL, FUSION, DISCARD, START, FRAME, SCALE, OF, SHOT, SHOWN,
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """One rollout's."""

    origin: str  # token, mean or pool
    token: int  # prefix tokens first, then patches of the first layer's grid; of origin "token"
    grid: PatchGrid  # the first layer's
    residual: float
    fusion: HeadFusion
    discard: float
    start: int
    scale: str
    shown: str  # of a film of frames
    prefix: tuple[str, ...]  # names of the tokens that are no patch


def draw(chosen: Chosen, trace: Trace, n_shots: int) -> tuple[Settings, Standing]:
    """The controls in one row; the film's own clicks are read before.

    n_shots: frames of the reader's own film; 0 for a still picture.
    """
    if not n_shots:
        for param in (OF, SHOT, SHOWN):
            param.reset()
    layers = trace.n_layers()
    START.kept_below(layers)
    grid = trace.attention(START.value).query_grid or chosen.seen.grid
    at = _read_film(chosen, trace, grid, n_shots)
    if n_shots:
        OF.segmented("Film", quiet=True)
    with controls():
        origin, token = _choose_origin(chosen, trace, grid)
        RESIDUAL.slider(
            "Residual",
            step=0.05,
            help="The share of the identity in Â: ½ counts the residual connection as much as "
            "the attention, 0 is attention alone, 1 the identity.",
        )
        FUSION.segmented(
            "Heads",
            help="One map of all heads of a layer; its rows are made to sum to one again.",
        )
        DISCARD.slider(
            "Discarded",
            step=0.05,
            format="percent",
            help="So many of each layer's smallest weights are set to zero before its rows are "
            "made to sum to one.",
        )
        if layers > 1:
            START.slider("First layer", high=layers - 1)
    settings = Settings(
        origin,
        token,
        grid,
        RESIDUAL.value,
        FUSION.value,
        DISCARD.value,
        START.value,
        SCALE.value,
        SHOWN.value,
        chosen.seen.prefix,
    )
    return settings, at


def _read_film(chosen: Chosen, trace: Trace, grid: PatchGrid, n_shots: int) -> Standing:
    """Take over what was clicked in the film; Escape goes back to where the answer begins."""
    origin, token = _resolved(chosen, trace, grid)
    shown = token if origin == "token" else None
    if n_shots and OF.value == "frames":
        present = Standing(SHOT.kept_below(n_shots), shown)
        at = standing(SHOTS, present, n_frames=n_shots, n_tokens=grid.n_tokens)
        SHOT.put(at.step)
    else:
        n_frames = trace.n_layers() - START.value + 1
        step = n_frames - 1 if FRAME.value == WHOLE else FRAME.value
        at = standing(FILM, Standing(step, shown), n_frames=n_frames, n_tokens=grid.n_tokens)
        FRAME.put(WHOLE if at.step == n_frames - 1 else at.step)
    if at.token != shown:
        ORIGIN.put("auto" if at.token is None else "token")
        if at.token is not None:
            TOKEN.put(_moved(at.token, grid, chosen.seen.grid))
    return at


def _moved(token: int, grid: PatchGrid, target: PatchGrid) -> int:
    """The same prefix token, or the patch in the same place, on another stage's grid."""
    if grid == target or token < grid.prefix_tokens:
        return token
    place = min(token, grid.n_tokens - 1) - grid.prefix_tokens
    return target.prefix_tokens + same_place(place, grid, target)


def _choose_origin(chosen: Chosen, trace: Trace, grid: PatchGrid) -> tuple[str, int]:
    """Where the row begins; without a class token, at the mean of all patches' rows."""
    prefix: tuple[str, ...] = chosen.seen.prefix
    origin, token = _resolved(chosen, trace, grid)
    options = {f"token {index}": name for index, name in enumerate(prefix)}
    options["mean"] = "all patches, their mean"
    if trace.pool is not None:
        options["pool"] = "the attention pool's query"
    if origin == "token" and token >= len(prefix):
        options[f"token {token}"] = token_name(token, prefix, grid)

    def take(choice: object) -> None:
        kind, _, number = str(choice).partition(" ")
        ORIGIN.put(kind)
        if number:
            TOKEN.put(_moved(int(number), grid, chosen.seen.grid))

    option_widget(
        st.selectbox,
        "From",
        options,
        options.__getitem__,
        key=ORIGIN.key + WIDGET,
        shown=f"token {token}" if origin == "token" else origin,
        take=take,
        help="Or click a patch of the picture, or a prefix token above it.",
    )
    return origin, token


def _resolved(chosen: Chosen, trace: Trace, grid: PatchGrid) -> tuple[str, int]:
    """What "auto" means for this model, and a token that the first layer has."""
    prefix: tuple[str, ...] = chosen.seen.prefix
    origin = ORIGIN.value
    if origin == "auto":
        pool_or_mean = "mean" if trace.pool is None else "pool"
        return ("token", prefix.index("[CLS]")) if "[CLS]" in prefix else (pool_or_mean, 0)
    if origin == "pool" and trace.pool is None:
        return "mean", 0
    token = TOKEN.kept_below(chosen.seen.grid.n_tokens)
    return origin, _moved(token, chosen.seen.grid, grid)


def token_name(token: int, prefix: tuple[str, ...], grid: PatchGrid) -> str:
    """A prefix token by its name, a patch by its place, counted from one."""
    if token < len(prefix):
        return prefix[token]
    row, column = divmod(token - len(prefix), grid.columns)
    return f"patch in row {row}, column {column}"
