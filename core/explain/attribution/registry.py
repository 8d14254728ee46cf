"""Methods that lay a number on every patch, or token: how much it is said to speak for an answer.

A literal list, read top to bottom. The pure parts of the methods are in `core.explain`, what
needs a model is in `core.models.attribution.methods`. Random and uniform belong beside every
other map: what does not beat them is no evidence. GradCAM's kin (`CAMS`) stand in its place
where they are asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import InputError


@dataclass(frozen=True)
class EvidenceMethod:
    """A method: its name, its paper, and what its numbers can mean."""

    id: str
    title: str
    signed: bool  # negative numbers speak against the class
    class_specific: bool  # asked of another class, it gives another map
    paper: str
    needs_attention: bool = False  # maps of one size over all patches: a ViT's, not Swin's windows


CAMS: Final = (  # of one layer's features, GradCAM's rule and those that weigh otherwise
    EvidenceMethod(
        "gradcam",
        "GradCAM",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/1610.02391",
    ),
    EvidenceMethod(
        "gradcam-plus-plus",
        "Grad-CAM++",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/1710.11063",
    ),
    EvidenceMethod(
        "xgradcam",
        "XGrad-CAM",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2008.02312",
    ),
    EvidenceMethod(
        "layercam",
        "LayerCAM",
        signed=False,
        class_specific=True,
        paper="https://doi.org/10.1109/TIP.2021.3089943",
    ),
    EvidenceMethod(
        "hirescam",
        "HiResCAM",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2011.08891",
    ),
    EvidenceMethod(
        "eigencam",
        "EigenCAM",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2008.00299",
    ),
)
EVIDENCE: Final = (
    EvidenceMethod("random", "Random", signed=False, class_specific=False, paper=""),
    EvidenceMethod("uniform", "Uniform", signed=False, class_specific=False, paper=""),
    EvidenceMethod(
        "raw-attention",
        "Attention, last layer",
        signed=False,
        class_specific=False,
        paper="https://arxiv.org/abs/2010.11929",
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
        "gradient-rollout",
        "Gradient rollout",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2005.00928",
        needs_attention=True,
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
        "lrp",
        "LRP through attention",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2012.09838",
        needs_attention=True,
    ),
    CAMS[0],
    EvidenceMethod(
        "legrad",
        "LeGrad",
        signed=False,
        class_specific=True,
        paper="https://arxiv.org/abs/2404.03214",
        needs_attention=True,
    ),
    EvidenceMethod(
        "integrated-gradients",
        "Integrated gradients",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1703.01365",
    ),
    EvidenceMethod(
        "occlusion",
        "Occlusion",
        signed=True,
        class_specific=True,
        paper="https://arxiv.org/abs/1311.2901",
    ),
)


EVERY: Final = tuple(dict.fromkeys((*EVIDENCE, *CAMS)))


def evidence_method(name: str, among: Sequence[EvidenceMethod] = EVERY) -> EvidenceMethod:
    """The method of that id. Raises InputError with the ids that there are."""
    for method in among:
        if method.id == name:
            return method
    raise InputError(
        f"There is no evidence method “{name}”: choose one of "
        f"{', '.join(method.id for method in among)}."
    )
