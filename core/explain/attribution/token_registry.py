"""Methods that lay a number on every token: how much it is said to speak for an answer.

A literal list, read top to bottom; what needs a model is in `core.models.attribution`. Random
belongs beside every other: what does not beat it is no evidence. No survey finds a method that
wins everywhere (Atanasova et al. 2020, https://arxiv.org/abs/2009.13295).
"""

from typing import Final

from core.explain.attribution.registry import EvidenceMethod

TOKEN_EVIDENCE: Final = (
    EvidenceMethod("random", "Random", signed=False, class_specific=False, paper=""),
    EvidenceMethod(
        "leave-one-out",
        "Leave one out",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1612.08220",
    ),
    EvidenceMethod(
        "integrated-gradients",
        "Integrated gradients",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1703.01365",
    ),
    EvidenceMethod(
        "gradient-input",
        "Gradient × input",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1412.6815",
    ),
    EvidenceMethod(
        "relevance",
        "Generic relevance",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2103.15679",
        needs_attention=True,
    ),
    EvidenceMethod(
        "value-zeroing",
        "Value Zeroing",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2301.12971",
        needs_attention=True,
    ),
    EvidenceMethod(
        "written-rollout",
        "Rollout of ‖αf(x)‖",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2004.10102",
        needs_attention=True,
    ),
    EvidenceMethod(
        "rollout",
        "Attention rollout",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2005.00928",
        needs_attention=True,
    ),
    EvidenceMethod(
        "flow",
        "Attention flow",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2005.00928",
        needs_attention=True,
    ),
)
