"""What each family of models can be asked: one protocol a family, without torch.

A question is a method of a protocol, `Encoder.fill_mask`: the engine takes no other, and the type
checker follows it from a view to the result. `core.models` answers; a test compares signatures.
"""

from collections.abc import Callable
from typing import Any, Final

from core.catalog.card import Family, ModelCard
from core.outputs.families.decoder import Decoder
from core.outputs.families.detector import Detector
from core.outputs.families.encoder import Encoder
from core.outputs.families.model import Model, Positioned
from core.outputs.families.text import LanguageModel, TextModel
from core.outputs.families.translator import Translator
from core.outputs.families.vision import MaskedAutoencoder, VisionModel

__all__ = [
    "LONG",
    "PROTOCOLS",
    "QUESTIONS",
    "Decoder",
    "Detector",
    "Encoder",
    "LanguageModel",
    "MaskedAutoencoder",
    "Model",
    "Positioned",
    "TextModel",
    "Translator",
    "VisionModel",
    "opened_card",
]

PROTOCOLS: Final[dict[Family, type]] = {
    Family.TEXT_ENCODER: Encoder,
    Family.TEXT_DECODER: Decoder,
    Family.TRANSLATOR: Translator,
    Family.VISION: VisionModel,
    Family.MASKED_AUTOENCODER: MaskedAutoencoder,
    Family.DETECTOR: Detector,
}


def opened_card(model: Model[Any, Any]) -> ModelCard:
    """A model's card, with the counts that only the opened model tells."""
    return model.card


def _questions(protocol: type) -> set[Callable[..., Any]]:
    """The methods that a protocol and its bases declare."""
    bases = (base for base in protocol.__mro__ if base is not Model)  # its inputs have no names
    declared = (member for base in bases for member in vars(base).items())
    return {member for name, member in declared if callable(member) and not name.startswith("_")}


QUESTIONS: Final = frozenset({opened_card}.union(*map(_questions, PROTOCOLS.values())))
# By name: what may take seconds. Their answers have checkpoints, or come in slices themselves.
LONG: Final = frozenset(
    {
        *("context_mixing", "token_flow", "evidence", "randomised_evidence"),
        *("decode", "translate", "machine", "erasure"),
        *("measure", "probabilities", "firings", "head_measures"),
    }
)
