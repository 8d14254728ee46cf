"""The word of a translation that is taken apart: clicked among those that it says."""

from collections.abc import Callable
from functools import partial

from streamlit.delta_generator import DeltaGenerator

from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.services.silencing import Question
from app.style.number_format import three
from app.ui import direct_logits
from app.ui.answer import answer
from app.ui.direct_logits import AnswerParams, LogitParams
from app.ui.export_bar import Export
from app.ui.neurons import NeuronParams
from app.ui.page import Figure, View
from app.views.transformer import inputs
from app.views.transformer.state import DECODED, TEXT, TOKEN
from core.catalog import ModelCard
from core.explain.predictions.token_distribution import token_distribution
from core.outputs.decoding import Decoding
from core.trace import AttentionKind

Below = Callable[[direct_logits.Shown, DeltaGenerator], Export | None]


def said_word_view(id_: str, title: str, params: LogitParams | NeuronParams, below: Below) -> View:
    """Sentence, model, its own translation; `below` draws what follows from one word."""

    def render() -> Figure | None:
        asked = inputs.translated()
        return None if asked is None else partial(figure, *asked)

    def figure(card: ModelCard, decoded: Decoding, vocabulary: tuple[str, ...]) -> Export | None:
        place = answer()
        at = _clicked(params.scope.key("said"), card, decoded, params.answers)
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
        return below(shown, place)

    return View(id_, title, (*DECODED, TOKEN, *params.every), render)


def _clicked(row: str, card: ModelCard, decoded: Decoding, answers: AnswerParams) -> int:
    count = len(decoded.labels)
    if (picked := clicked_index(row, count)) is not None:
        TOKEN.put(picked)
        answers.reset()
    at = TOKEN.kept_below(count)
    token_row(
        tuple(
            Chip(
                token,
                note=three(likely[0].probability),
                state="lit" if i == at else "plain",
                token_id=own,
            )
            for i, (token, own, likely) in enumerate(
                zip(decoded.labels, decoded.label_ids.tolist(), decoded.candidates, strict=True)
            )
        ),
        label="What it says; click the token that is taken apart",
        key=row,
        caption=f"{card.title} · “{TEXT.value}”",
    )
    return at
