"""The door to patch embeddings: from pixels to tokens, and the filters' main directions."""

from concurrent.futures import Future

from app.services.engine import ask, derived
from app.services.vision import Picture
from core.explain.embeddings.patch_filters import PrincipalFilters, principal_filters
from core.outputs.families import VisionModel
from core.outputs.patch_embedding import PatchEmbedding


def embedding(model_id: str, picture: Picture) -> Future[PatchEmbedding]:
    """How patches become tokens; the future raises InputError without one linear projection."""
    return ask(VisionModel.patch_embedding, model_id, picture)


def filters(model_id: str, embedded: PatchEmbedding) -> PrincipalFilters:
    """The principal components of the model's filters, whatever the picture."""
    return derived(("filters", model_id), lambda: principal_filters(embedded.filters))
