"""The door to patch embeddings: from pixels to tokens, the filters' main directions, and on."""

from concurrent.futures import Future

from app.services.engine import ask, derived
from app.services.vision import Picture
from app.services.vision_attention import Traced
from core.explain.attention.worked_weight import WorkedCell, worked_cell
from core.explain.embeddings.patch_filters import PrincipalFilters, principal_filters
from core.outputs.families import VisionModel
from core.outputs.patch_embedding import PatchEmbedding
from core.outputs.patch_path import PatchPath
from core.targets import ClassTarget


def embedding(model_id: str, picture: Picture) -> Future[PatchEmbedding]:
    """How patches become tokens; the future raises InputError without one linear projection."""
    return ask(VisionModel.patch_embedding, model_id, picture)


def filters(model_id: str, embedded: PatchEmbedding) -> PrincipalFilters:
    """The principal components of the model's filters, whatever the picture."""
    return derived(("filters", model_id), lambda: principal_filters(embedded.filters))


def path(
    model_id: str, picture: Picture, head: tuple[int, int], patch: int, target: ClassTarget | None
) -> Future[PatchPath]:
    """A patch through one (layer, head) to a class; the future raises InputError if none leads."""
    return ask(VisionModel.patch_path, model_id, picture, *head, patch, target)


def cell(traced: Traced, path: PatchPath) -> WorkedCell | None:
    """The weight by which the asking token looks at the patch; None where q and k are hidden."""
    layer = traced.trace.attention(path.layer)
    if layer.queries is None or layer.keys is None or layer.values is None:
        return None
    names = token_names(traced)
    return worked_cell(
        layer.queries,
        layer.keys,
        layer.values,
        bias=layer.bias,
        scale=layer.scale,
        cell=(path.head, path.asking, path.token),
        query_tokens=names,
        key_tokens=names,
    )


def token_names(traced: Traced) -> tuple[str, ...]:
    """[CLS] and its like, then every patch by its row and column."""
    grid = traced.grid
    places = (f"{row},{column}" for row in range(grid.rows) for column in range(grid.columns))
    return (*traced.prefix, *places)
