"""The door to patch embeddings: from pixels to tokens, and the filters' main directions."""

from concurrent.futures import Future

from app.services import vision
from app.services.vision import Picture
from core.engine import Request
from core.explain.embeddings.patch_filters import PrincipalFilters, principal_filters
from core.outputs.patch_embedding import PatchEmbedding


def embedding(model_id: str, picture: Picture) -> Future[PatchEmbedding]:
    """How patches become tokens; the future raises InputError without one linear projection."""
    return vision.ask(model_id, "patch_embedding", picture)


def filters(model_id: str, embedded: PatchEmbedding) -> PrincipalFilters:
    """The principal components of the model's filters, whatever the picture."""
    request = Request(model_id, "patch_embedding")
    return vision.derived(request, "filters", lambda: principal_filters(embedded.filters))
