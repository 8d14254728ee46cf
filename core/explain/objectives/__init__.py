"""What models are trained on: masked words, spans, replaced tokens, sets."""

from core.explain.objectives.hungarian_matching import (
    Assignment,
    MatchingCosts,
    Overlap,
    SlotLoss,
    box_distance,
    checked_boxes,
    generalised_iou,
    greedy_assignment,
    hungarian_loss,
    matching_costs,
    optimal_assignment,
    overlap,
    spread_probabilities,
)
from core.explain.objectives.mask_patterns import block, one_of_four, right_half
from core.explain.objectives.masked_lm import Fate, MaskedDraw, Rates, draw_masks, masked_loss
from core.explain.objectives.replaced_token_detection import ReplacedTokens, sample_replacements
from core.explain.objectives.span_corruption import (
    SpanCorruption,
    corrupt_spans,
    draw_spans,
    is_sentinel,
    sentinel,
)

__all__ = [
    "Assignment",
    "Fate",
    "MaskedDraw",
    "MatchingCosts",
    "Overlap",
    "Rates",
    "ReplacedTokens",
    "SlotLoss",
    "SpanCorruption",
    "block",
    "box_distance",
    "checked_boxes",
    "corrupt_spans",
    "draw_masks",
    "draw_spans",
    "generalised_iou",
    "greedy_assignment",
    "hungarian_loss",
    "is_sentinel",
    "masked_loss",
    "matching_costs",
    "one_of_four",
    "optimal_assignment",
    "overlap",
    "right_half",
    "sample_replacements",
    "sentinel",
    "spread_probabilities",
]
