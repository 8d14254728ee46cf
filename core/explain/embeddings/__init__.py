"""What vectors hold: sums, norms, words in context, patch filters."""

from core.explain.embeddings.contextual_vectors import (
    Projection,
    baseline,
    find_word,
    project,
    similarities,
    word_vector,
)
from core.explain.embeddings.embedding_sum import (
    EmbeddingSum,
    cosines,
    embedding_sum,
    layer_norm,
    norms,
)
from core.explain.embeddings.norm_outliers import (
    deviations_from_median,
    norm_outliers,
    outlier_threshold,
    token_norms,
)
from core.explain.embeddings.patch_components import PatchComponents, patch_components
from core.explain.embeddings.patch_filters import (
    PrincipalFilters,
    as_colours,
    mosaic,
    principal_filters,
    with_fixed_signs,
)
from core.explain.embeddings.token_alignment import (
    SharedWords,
    WordMap,
    shared_stretches,
    shared_words,
    word_map,
    words_at,
)

__all__ = [
    "EmbeddingSum",
    "PatchComponents",
    "PrincipalFilters",
    "Projection",
    "SharedWords",
    "WordMap",
    "as_colours",
    "baseline",
    "cosines",
    "deviations_from_median",
    "embedding_sum",
    "find_word",
    "layer_norm",
    "mosaic",
    "norm_outliers",
    "norms",
    "outlier_threshold",
    "patch_components",
    "principal_filters",
    "project",
    "shared_stretches",
    "shared_words",
    "similarities",
    "token_norms",
    "with_fixed_signs",
    "word_map",
    "word_vector",
    "words_at",
]
