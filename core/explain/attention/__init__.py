"""What attention heads do, from their maps."""

from core.explain.attention.ablation_sweep import AblationSweep, ablation_sweep
from core.explain.attention.activation_patching import (
    PatchSweep,
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.explain.attention.alignment import Alignment, agreement, alignment
from core.explain.attention.attention_distance import (
    LayerReach,
    attention_distance,
    attention_reach,
    entropy_bits,
    mean_reach,
    patch_distances,
    relative_entropies,
    uniform_distance,
)
from core.explain.attention.find_heads import (
    FoundHead,
    clearest_input,
    heads_by_known_role,
    heads_by_pair,
    heads_by_relation,
    heads_by_role,
    strongest_place,
)
from core.explain.attention.head_atlas import HeadSummary, head_atlas
from core.explain.attention.head_circuits import HeadCircuits, head_circuits
from core.explain.attention.head_confidence import head_confidence
from core.explain.attention.head_distances import (
    HeadDistances,
    HeadMap,
    head_distances,
    head_map,
)
from core.explain.attention.head_formation import pattern_masses, relative_entropy
from core.explain.attention.head_means import mean_of_layers, one_or_mean
from core.explain.attention.head_overview import (
    HeadOverview,
    StrongestPair,
    codes_of,
    head_overview,
)
from core.explain.attention.head_roles import (
    HeadRole,
    RoleMasses,
    RoleScore,
    head_roles,
    role_masses,
    role_rows,
    with_scores,
)
from core.explain.attention.hide_tokens import ReducedMaps, hide_tokens, is_punctuation
from core.explain.attention.induction_heads import (
    induction_scores,
    previous_token_scores,
    repeated_sequence,
)
from core.explain.attention.map_overlap import moved_along, moved_attention, shared_attention
from core.explain.attention.mask_attention import Gaze, gaze
from core.explain.attention.merge_words import Words, merge_words, words_of
from core.explain.attention.minimal_pairs import (
    HeadChange,
    LayerChanges,
    MinimalPair,
    PairedMaps,
    layer_changes,
    minimal_pair,
    paired_maps,
)
from core.explain.attention.model_pairs import LikeHead, like_heads, on_stretches
from core.explain.attention.multi_head import Matrices, MultiHead, multi_head
from core.explain.attention.patch_attention import (
    Look,
    PatchReading,
    look,
    read_patches,
    resample,
    same_place,
    top_mass,
)
from core.explain.attention.patch_overview import look_overview
from core.explain.attention.query_key_map import QueryKeyMap, align_keys, query_key_map
from core.explain.attention.relation_heads import (
    RelationHeads,
    hits,
    relation_heads,
    role_scores,
)
from core.explain.attention.relations import (
    Links,
    ParsedSentence,
    Relation,
    aligned_links,
    links_of,
    offset_guesses,
)
from core.explain.attention.relative_positions import (
    OffsetMeans,
    offset_masses,
    offset_means,
    offset_patterns,
)
from core.explain.attention.role_patterns import (
    mass_on,
    patch_patterns,
    role_patterns,
    what_followed,
)
from core.explain.attention.score_steps import ScoreSteps, score_steps, steps_of
from core.explain.attention.token_pairs import TokenPairs, pair_tokens
from core.explain.attention.word_looks import WordLooks, word_looks
from core.explain.attention.worked_weight import WorkedCell, worked_cell
from core.explain.attention.written_norms import row_shares, written_map, written_norms

__all__ = [
    "AblationSweep",
    "Alignment",
    "FoundHead",
    "Gaze",
    "HeadChange",
    "HeadCircuits",
    "HeadDistances",
    "HeadMap",
    "HeadOverview",
    "HeadRole",
    "HeadSummary",
    "LayerChanges",
    "LayerReach",
    "LikeHead",
    "Links",
    "Look",
    "Matrices",
    "MinimalPair",
    "MultiHead",
    "OffsetMeans",
    "PairedMaps",
    "ParsedSentence",
    "PatchReading",
    "PatchSweep",
    "QueryKeyMap",
    "ReducedMaps",
    "Relation",
    "RelationHeads",
    "RoleMasses",
    "RoleScore",
    "ScoreSteps",
    "StrongestPair",
    "TokenPairs",
    "WordLooks",
    "Words",
    "WorkedCell",
    "ablation_sweep",
    "agreement",
    "align_keys",
    "aligned_links",
    "alignment",
    "attention_distance",
    "attention_reach",
    "clearest_input",
    "codes_of",
    "entropy_bits",
    "gaze",
    "head_atlas",
    "head_circuits",
    "head_confidence",
    "head_distances",
    "head_map",
    "head_overview",
    "head_patches",
    "head_roles",
    "heads_by_known_role",
    "heads_by_pair",
    "heads_by_relation",
    "heads_by_role",
    "hide_tokens",
    "hits",
    "induction_scores",
    "is_punctuation",
    "layer_changes",
    "like_heads",
    "links_of",
    "look",
    "look_overview",
    "mass_on",
    "mean_of_layers",
    "mean_reach",
    "merge_words",
    "minimal_pair",
    "moved_along",
    "moved_attention",
    "multi_head",
    "offset_guesses",
    "offset_masses",
    "offset_means",
    "offset_patterns",
    "on_stretches",
    "one_or_mean",
    "pair_tokens",
    "paired_maps",
    "patch_distances",
    "patch_patterns",
    "patch_sweep",
    "pattern_masses",
    "previous_token_scores",
    "query_key_map",
    "read_patches",
    "relation_heads",
    "relative_entropies",
    "relative_entropy",
    "repeated_sequence",
    "resample",
    "role_masses",
    "role_patterns",
    "role_rows",
    "role_scores",
    "row_shares",
    "same_place",
    "score_steps",
    "shared_attention",
    "steps_of",
    "stream_patches",
    "strongest_place",
    "top_mass",
    "uniform_distance",
    "what_followed",
    "with_scores",
    "word_looks",
    "words_of",
    "worked_cell",
    "written_map",
    "written_norms",
]
