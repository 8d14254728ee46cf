"""Explainers: one file a method, pure functions of traces or arrays, no model code."""

from core.explain.atlas import HeadSummary, head_atlas
from core.explain.cell import WorkedCell, worked_cell
from core.explain.distance import attention_distance
from core.explain.flow import attention_flow
from core.explain.gradient_rollout import gradient_rollout
from core.explain.induction import induction_scores, previous_token_scores, repeated_sequence
from core.explain.layer_reading import read_layers
from core.explain.overview import HeadOverview, head_overview
from core.explain.reach import reach
from core.explain.relevance import relevance
from core.explain.rollout import attention_rollout, rollout_film, rollout_row
from core.explain.stages import merge_map, spread_map, stage_rollout, stage_rollout_row
from core.explain.tokens import hide_tokens, is_punctuation
from core.explain.words import Words, merge_words, words_of

__all__ = [
    "HeadOverview",
    "HeadSummary",
    "Words",
    "WorkedCell",
    "attention_distance",
    "attention_flow",
    "attention_rollout",
    "gradient_rollout",
    "head_atlas",
    "head_overview",
    "hide_tokens",
    "induction_scores",
    "is_punctuation",
    "merge_map",
    "merge_words",
    "previous_token_scores",
    "reach",
    "read_layers",
    "relevance",
    "repeated_sequence",
    "rollout_film",
    "rollout_row",
    "spread_map",
    "stage_rollout",
    "stage_rollout_row",
    "words_of",
    "worked_cell",
]
