"""What the views of the Transformer page share: the sentence, the model, which attention."""

from typing import Final

from app.services import translator
from app.ui.head_names import Naming
from app.ui.params import Scope
from core.trace import AttentionKind

HERE: Final = Scope("transformer")
MOST_TOKENS: Final = 2**24
ENGLISH: Final = "The cat is sleeping on the sofa because it is tired."
OTHER: Final = "The dog is sleeping on the sofa because it is tired."  # as many tokens
GERMAN: Final = "Die Katze schläft auf dem Sofa, weil sie müde ist."
KINDS: Final = {
    AttentionKind.ENCODER: "encoder self-attention",
    AttentionKind.DECODER: "masked decoder self-attention",
    AttentionKind.CROSS: "encoder–decoder attention",
}

MODEL: Final = HERE.text("model", translator.default_model())
TEXT: Final = HERE.text("text", ENGLISH)
PREFIX: Final = HERE.numbers("said", MOST_TOKENS)  # ids of the tokens that the reader chose
TARGET: Final = HERE.text("target", GERMAN)
LAYER: Final = HERE.whole("layer", -1, 99, -1)  # −1: all
HEAD: Final = HERE.whole("head", -1, 255, -1)  # −1: the mean
TOKEN: Final = HERE.whole("token", 0, 511, 0)  # the target position whose candidates are shown

ONE: Final = Scope("transformer", "one")  # of the views of one head, where no mean is taken
ONE_LAYER: Final = ONE.whole("layer", 0, 99, 0)
ONE_HEAD: Final = ONE.whole("head", 0, 255, 0)
KIND: Final = ONE.choice("kind", {str(kind): name for kind, name in KINDS.items()})

NAMES: Final = Naming.of(HERE, MODEL)
DECODED: Final = (MODEL, TEXT, PREFIX)


def asked() -> translator.Asked:
    """What the reader wants translated, greedily after what they chose."""
    return translator.Asked(MODEL.value, TEXT.value, prefix=PREFIX.value)
