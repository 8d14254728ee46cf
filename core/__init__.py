"""Glassformer's core: run a model, keep what it did, explain it.

Models produce immutable traces; explainers are pure functions of traces; views draw them.

    catalog/        which models there are, their cards, and their files on this machine
    outputs/        what models answer, as values; families/: what each family can be asked
    models/         the families themselves: text, translation, vision
    interventions   changes within a forward; targets: of which answer
    capture/        the interceptor of attention calls that makes those changes and keeps the maps
    trace/          what a forward pass leaves behind, and the glossary
    explain/        one file a method; takes traces or arrays, knows no model
    blocks/         what a Transformer's parts do, each alone
    positions/      every way to tell a Transformer where a token stands
    tokenization/   BPE, WordPiece, Unigram, step by step; knows no model either
    engine/         one inference thread, a queue, a cache: the app's door
    data/           pictures and scenes to learn from and to test on; what trainings kept
    training/       the recipes that made the embedded models

Nothing here imports Streamlit or draws; `import core` is light, torch comes with `load`.
"""

from typing import TYPE_CHECKING, Any

from core import explain, positions, tokenization
from core.catalog import CATALOG, ModelCard
from core.errors import InputError, ModelUnavailableError
from core.explain import EVIDENCE, TOKEN_EVIDENCE
from core.interventions import (
    BlockEdge,
    DropPositions,
    HidePatches,
    PatchHead,
    PatchStream,
    PermutePositions,
    ReplaceTokens,
    ReplaceWeights,
    SilenceHead,
    SilenceNeuron,
    ZeroValue,
)
from core.models.load import load
from core.outputs.families import (
    Decoder,
    Detector,
    Encoder,
    MaskedAutoencoder,
    Model,
    Translator,
    VisionModel,
)
from core.outputs.vision import WholePicture
from core.targets import ClassContrast, ClassTarget, LogitContrast, LogitTarget
from core.trace import AttentionKind, AttentionLayer, Encoding, PatchGrid, Trace

if TYPE_CHECKING:
    from core.models.own_module import record, wrap


def __getattr__(name: str) -> Any:
    """`record` and `wrap` bring torch with them."""
    if name not in ("record", "wrap"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from core.models import own_module

    return getattr(own_module, name)


__all__ = [
    "CATALOG",
    "EVIDENCE",
    "TOKEN_EVIDENCE",
    "AttentionKind",
    "AttentionLayer",
    "BlockEdge",
    "ClassContrast",
    "ClassTarget",
    "Decoder",
    "Detector",
    "DropPositions",
    "Encoder",
    "Encoding",
    "HidePatches",
    "InputError",
    "LogitContrast",
    "LogitTarget",
    "MaskedAutoencoder",
    "Model",
    "ModelCard",
    "ModelUnavailableError",
    "PatchGrid",
    "PatchHead",
    "PatchStream",
    "PermutePositions",
    "ReplaceTokens",
    "ReplaceWeights",
    "SilenceHead",
    "SilenceNeuron",
    "Trace",
    "Translator",
    "VisionModel",
    "WholePicture",
    "ZeroValue",
    "explain",
    "load",
    "positions",
    "record",
    "tokenization",
    "wrap",
]
