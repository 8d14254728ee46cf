"""Methods that lay a number on every token: how much it is said to speak for an answer.

A literal list, read top to bottom; what needs a model is in `core.models.attribution`. Random
belongs beside every other: what does not beat it is no evidence. No survey finds a method that
wins everywhere (Atanasova et al. 2020, https://arxiv.org/abs/2009.13295).
"""

from typing import Final

from core.explain.attribution.registry import EVIDENCE, EvidenceMethod

OF_PATCHES: Final = {method.id: method for method in EVIDENCE}  # the same on tokens
TOKEN_EVIDENCE: Final = (
    OF_PATCHES["random"],
    EvidenceMethod(
        "leave-one-out",
        "Leave one out",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1612.08220",
    ),
    EvidenceMethod(
        "leave-one-out-edges",
        "Leave one out, its edges blocked",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/2304.14767",
        needs_attention=True,
    ),
    OF_PATCHES["integrated-gradients"],
    EvidenceMethod(
        "gradient-input",
        "Gradient × input",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1412.6815",
    ),
    OF_PATCHES["relevance"],
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
    OF_PATCHES["rollout"],
    EvidenceMethod(
        "flow",
        "Attention flow",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2005.00928",
        needs_attention=True,
    ),
)
