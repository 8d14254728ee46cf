"""What every part of the decoder writes to the logit of the word that it says."""

from functools import partial
from typing import Final

from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.services import translator
from app.services.silencing import Question
from app.style.number_format import three
from app.ui import direct_logits, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import inputs
from app.views.transformer.state import DECODED, TEXT, TOKEN, asked
from core.catalog import ModelCard
from core.explain.predictions.token_distribution import token_distribution
from core.outputs.decoding import Decoding
from core.trace import AttentionKind

PARAMS: Final = direct_logits.LogitParams.of(Scope("transformer", "direct"))
ROW: Final = PARAMS.scope.key("said")


def render() -> Figure | None:
    """Sentence, model, its own translation."""
    card = inputs.ask()
    if card is None:
        return None
    decoded = progress.outcome(translator.decode(asked()), card.id)
    vocabulary = progress.outcome(translator.vocabulary(card.id), card.id)
    if decoded is None or vocabulary is None:
        return None
    return partial(_figure, card, decoded, vocabulary)


def _figure(card: ModelCard, decoded: Decoding, vocabulary: tuple[str, ...]) -> Export | None:
    place = answer()
    count = len(decoded.labels)
    if (picked := clicked_index(ROW, count)) is not None:
        TOKEN.put(picked)
        PARAMS.answers.reset()
    at = TOKEN.kept_below(count)
    token_row(
        tuple(
            Chip(token, note=three(row[0].probability), state="lit" if i == at else "plain")
            for i, (token, row) in enumerate(zip(decoded.labels, decoded.candidates, strict=True))
        ),
        label="What it says; click the token that is taken apart",
        key=ROW,
        caption=f"{card.title} · “{TEXT.value}”",
    )
    logits, said = decoded.trace.logits, tuple(decoded.label_ids.tolist())
    if logits is None:
        raise ValueError("a translator's trace has logits")
    shown = direct_logits.Shown(
        card=card,
        question=Question(card.id, TEXT.value, at, said=said),
        vocabulary=vocabulary,
        said=token_distribution(logits[at]),
        trace=lambda: decoded.trace,
        kind=AttentionKind.DECODER,
        where=f"at step {at}",
        own=said[at],
    )
    with controls():
        answers = PARAMS.answers.chosen(shown)
    return direct_logits.figure(PARAMS, shown, answers, {}, place)


VIEW: Final = View("direct", "Direct logits", (*DECODED, TOKEN, *PARAMS.every), render)
