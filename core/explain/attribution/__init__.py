"""Explanations of a class, and whether they are true."""

from core.explain.attribution.answer_shift import class_ranks, moved_mass, union_of_top
from core.explain.attribution.bootstrap import (
    Interval,
    difference_intervals,
    mean_intervals,
    mean_intervals_together,
    ratio_intervals,
)
from core.explain.attribution.cams import (
    eigencam,
    gradcam,
    gradcam_plus_plus,
    hirescam,
    layercam,
    xgradcam,
)
from core.explain.attribution.direct_logits import DirectLogits, direct_logits, through_heads
from core.explain.attribution.frozen_path import Dense, FrozenGate, FrozenNorm, FrozenPath
from core.explain.attribution.legrad import legrad
from core.explain.attribution.localization import (
    centres_inside,
    mask_iou,
    mass_inside,
    patch_cover,
    pointing,
)
from core.explain.attribution.logit_attribution import (
    AttentionWrites,
    LogitAttribution,
    PushedTokens,
    ResidualTerms,
    Term,
    Writer,
    head_outputs,
    logit_attribution,
    pushed_tokens,
    residual_terms,
)
from core.explain.attribution.neuron_writes import FeedForward, NeuronWrites, neuron_writes
from core.explain.attribution.patch_evidence import (
    EvidenceSums,
    PatchEvidence,
    evidence_sums,
    patch_evidence,
)
from core.explain.attribution.perturbation_curves import (
    Perturbation,
    area,
    distinct_sets,
    hidden_sets,
    mean_of_orders,
    perturb,
    ranking,
    word_fractions,
)
from core.explain.attribution.random_patches import AgainstChance, random_sets
from core.explain.attribution.rank_correlation import chance_correlation, rank_correlation
from core.explain.attribution.registry import CAMS, EVIDENCE, EvidenceMethod, evidence_method
from core.explain.attribution.token_registry import TOKEN_EVIDENCE

__all__ = [
    "CAMS",
    "EVIDENCE",
    "TOKEN_EVIDENCE",
    "AgainstChance",
    "AttentionWrites",
    "Dense",
    "DirectLogits",
    "EvidenceMethod",
    "EvidenceSums",
    "FeedForward",
    "FrozenGate",
    "FrozenNorm",
    "FrozenPath",
    "Interval",
    "LogitAttribution",
    "NeuronWrites",
    "PatchEvidence",
    "Perturbation",
    "PushedTokens",
    "ResidualTerms",
    "Term",
    "Writer",
    "area",
    "centres_inside",
    "chance_correlation",
    "class_ranks",
    "difference_intervals",
    "direct_logits",
    "distinct_sets",
    "eigencam",
    "evidence_method",
    "evidence_sums",
    "gradcam",
    "gradcam_plus_plus",
    "head_outputs",
    "hidden_sets",
    "hirescam",
    "layercam",
    "legrad",
    "logit_attribution",
    "mask_iou",
    "mass_inside",
    "mean_intervals",
    "mean_intervals_together",
    "mean_of_orders",
    "moved_mass",
    "neuron_writes",
    "patch_cover",
    "patch_evidence",
    "perturb",
    "pointing",
    "pushed_tokens",
    "random_sets",
    "rank_correlation",
    "ranking",
    "ratio_intervals",
    "residual_terms",
    "through_heads",
    "union_of_top",
    "word_fractions",
    "xgradcam",
]
