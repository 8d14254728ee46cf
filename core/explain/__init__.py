"""Explainers: one file a method, pure functions of traces or arrays, no model code."""

from core.explain.attention.attention_distance import attention_distance
from core.explain.attention.head_atlas import HeadSummary, head_atlas
from core.explain.attention.head_overview import HeadOverview, head_overview
from core.explain.attention.hide_tokens import hide_tokens, is_punctuation
from core.explain.attention.induction_heads import (
    induction_scores,
    previous_token_scores,
    repeated_sequence,
)
from core.explain.attention.merge_words import Words, merge_words, words_of
from core.explain.attention.worked_weight import WorkedCell, worked_cell
from core.explain.flow.attention_flow import attention_flow
from core.explain.flow.gradient_rollout import gradient_rollout
from core.explain.flow.receptive_field import reach
from core.explain.flow.relevance import relevance
from core.explain.flow.rollout import attention_rollout, rollout_film, rollout_row
from core.explain.flow.stages import (
    merge_map,
    spread_map,
    stage_rollout,
    stage_rollout_row,
)
from core.explain.predictions.logit_lens import read_layers

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
