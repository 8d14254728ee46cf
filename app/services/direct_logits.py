"""What a model's parts write to a logit directly."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Final

from app.services import engine
from app.services.engine import ask
from app.services.silencing import ABANDONED, Question, put
from core.data.sentences import sentences
from core.engine import Job, Lane
from core.explain.attention.head_circuits import HeadCircuits
from core.explain.attribution.logit_attribution import LogitAttribution
from core.explain.attribution.neuron_writes import NeuronWrites, Strength
from core.long_work import Progress, Report
from core.outputs.families import Encoder, LanguageModel, TextModel, Translator
from core.outputs.firing import Firing
from core.targets import LogitContrast

SLICE: Final = 25  # sentences at a time: what others ask comes in between


def attribution(question: Question, token: int, against: int | None) -> Future[LogitAttribution]:
    """The terms of a token's logit, or of its difference from another's. Raises InputError."""
    quantity = LogitContrast(question.position, token, against)
    forms = Translator.direct_logits, Encoder.direct_logits, TextModel.direct_logits
    return put(question, forms, quantity)


def neurons(
    question: Question, token: int, against: int | None, by: Strength
) -> Future[NeuronWrites]:
    """The same of every neuron. Raises InputError."""
    quantity = LogitContrast(question.position, token, against)
    forms = Translator.neurons, Encoder.neurons, TextModel.neurons
    return put(question, forms, quantity, by=by)


def circuits(model_id: str, text: str, layer: int, head: int) -> Future[HeadCircuits]:
    """A head's circuits on the tokens of a text. Raises InputError."""
    return ask(LanguageModel.circuits, model_id, text, layer, head)


def firings(model_id: str, layer: int, neuron: int) -> Job[tuple[Firing, ...]]:
    """A neuron's activations on our own sentences, the strongest sentence first."""

    def work(report: Report) -> tuple[Firing, ...]:
        found: list[Firing] = []
        texts: Sequence[str] = sorted(sentences(), key=len)  # of one length run together
        for start in range(0, len(texts), SLICE):
            report(Progress("sentences", start, len(texts)))
            part = tuple(texts[start : start + SLICE])
            found += ask(TextModel.firings, model_id, part, layer, neuron).result()
        return tuple(sorted(found, key=lambda one: -abs(one.strength)))

    key = ("firings", model_id, layer, neuron)
    return engine.start(
        key,
        work,
        Lane.MEASUREMENTS,
        nbytes=lambda found: sum(one.nbytes for one in found),
        patience=ABANDONED,
    )
