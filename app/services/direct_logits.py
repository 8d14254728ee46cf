"""What a model's parts write to a logit directly."""

from concurrent.futures import Future

from app.services.engine import ask
from app.services.silencing import Question
from core.explain.attribution.logit_attribution import LogitAttribution
from core.outputs.families import Encoder, TextModel, Translator
from core.targets import LogitContrast


def attribution(question: Question, token: int, against: int | None) -> Future[LogitAttribution]:
    """The terms of a token's logit, or of its difference from another's. Raises InputError."""
    quantity = LogitContrast(question.position, token, against)
    asked = question.model_id, question.text, quantity
    if question.said is not None:
        return ask(Translator.direct_logits, *asked, prefix=question.said, edits=question.edits)
    if question.pair is not None:
        return ask(Encoder.direct_logits, *asked, pair=question.pair, edits=question.edits)
    return ask(TextModel.direct_logits, *asked, edits=question.edits)
