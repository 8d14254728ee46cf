"""What the reader clicked in this run, read before anything is drawn: one run answers a click."""

from app.components.head_grid import HeadId, selected_heads
from app.components.picture_map import selected_patch
from app.services.vision_attention import Traced
from app.ui.params import Number
from app.views.vision.attention import params


def picture_key(side: str) -> str:
    return params.HERE.key(f"picture{side}")


def grid_key(side: str) -> str:
    return params.HERE.key(f"heads{side}")


def take_token(traced: Traced) -> None:
    """A patch of the picture becomes the token that looks; Esc gives up the patch."""
    wanted = patch_of(traced, params.token_of(traced))
    patch = selected_patch(picture_key(""), wanted, traced.grid.n_patches)
    if patch != wanted:
        params.TOKEN.put(params.BEST if patch is None else len(traced.prefix) + patch)


def patch_of(traced: Traced, token: int | None) -> int | None:
    """A token as a patch of the picture, None for any other."""
    first = len(traced.prefix)
    return None if token is None or token < first else token - first


def take_head(traced: Traced, side: str, layer: Number[int], head: Number[int]) -> None:
    """A thumbnail becomes the head that is shown; a layer's label, all its heads as one."""
    kind = traced.trace.kinds[0]
    counts = tuple(one.n_heads for one in traced.trace.layers[kind])
    wanted = heads_of(traced, layer, head)
    heads = selected_heads(grid_key(side), wanted, counts)
    if heads == wanted:
        return
    last = heads[-1]
    layer.put(last[0])
    head.put(last[1])
    of_layer = [place for place in heads if place[0] == last[0]]
    if len(of_layer) < len(heads) or len(of_layer) < counts[last[0]]:
        params.FUSION.put("one")
    elif params.fusion() is None:
        params.FUSION.put("mean")


def heads_of(traced: Traced, layer: Number[int], head: Number[int]) -> tuple[HeadId, ...]:
    """The heads that are shown: one, or all of a layer."""
    chosen = params.layer_of(traced.trace.n_layers(), layer)
    count = traced.trace.n_heads(layer=chosen)
    one = params.head_of(count, head)
    if params.fusion() is None:
        return ((chosen, one),)
    return tuple((chosen, index) for index in range(count))
