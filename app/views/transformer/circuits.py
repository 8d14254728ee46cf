"""What a head of the decoder would write for each token, and which tokens it pairs."""

from functools import partial
from typing import Final

from app.services import translator
from app.ui import circuits, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import inputs
from app.views.transformer.state import DECODED, TEXT, asked
from core.catalog import ModelCard
from core.outputs.decoding import Decoding
from core.trace import AttentionKind

HERE: Final = Scope("transformer", "circuits")
KIND: Final = HERE.choice(
    "kind",
    {str(AttentionKind.CROSS): "encoder–decoder", str(AttentionKind.DECODER): "decoder's own"},
)
PARAMS: Final = circuits.CircuitParams.of(HERE, (3, 5))


def render() -> Figure | None:
    """Sentence, model, its own translation."""
    given = inputs.translated()
    return None if given is None else partial(_figure, *given)


def _figure(card: ModelCard, decoded: Decoding, vocabulary: tuple[str, ...]) -> Export | None:
    place = answer()
    with controls():
        kind = AttentionKind(KIND.segmented("Which attention", quiet=True))
        trace = decoded.trace
        head = PARAMS.choices(trace.n_layers(kind), trace.n_heads(kind), of="translation")
    words = PARAMS.tokens.value.strip() or None
    found = progress.outcome(translator.circuits(asked(), kind, *head, words), card.id)
    if found is None:
        return None
    shown = circuits.Shown(card, vocabulary, found, head, kind, TEXT.value, {"attention": kind})
    return circuits.figure(PARAMS, shown, place)


VIEW: Final = View("circuits", "Circuits", (*DECODED, KIND, *PARAMS.every), render)
