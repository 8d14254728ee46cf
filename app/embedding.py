"""The door to patch embeddings: from pixels to tokens, and the filters while they were learned."""

from concurrent.futures import Future
from typing import Final

from app import seeing
from app.seeing import Picture
from core.catalog import ModelCard, Origin
from core.checkpoints import EMBEDDED_MODELS
from core.engine import Request
from core.explain.filters import PrincipalFilters, principal_filters
from core.moments import Moments, read_moments
from core.patch_values import PatchEmbedding

FILTERS: Final = "filters"  # their name in snapshots.npz


def embedding(model_id: str, picture: Picture) -> Future[PatchEmbedding]:
    """How patches become tokens; the future raises InputError without one linear projection."""
    return seeing.ask(model_id, "patch_embedding", picture)


def filters(model_id: str, embedded: PatchEmbedding) -> PrincipalFilters:
    """The principal components of the model's filters, whatever the picture."""
    request = Request(model_id, "patch_embedding")
    return seeing.derived(request, FILTERS, lambda: principal_filters(embedded.filters))


def filter_moments(card: ModelCard) -> Moments | None:
    """The principal filters through the training, for models trained here."""
    path = EMBEDDED_MODELS / card.id / "snapshots.npz"
    if card.origin != Origin.EMBEDDED or not path.exists():
        return None
    request = Request(card.id, "snapshots", {"saved": path.stat().st_mtime_ns})
    return seeing.derived(request, FILTERS, lambda: read_moments(path, FILTERS))
