"""Every family implements its protocol: each question by its name, its parameters, its defaults."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, get_args

import pytest

from core.catalog import CATALOG, Family, ids
from core.models.text.decoder import TextDecoder
from core.models.text.encoder import TextEncoder
from core.models.translation.model import Translator
from core.models.vision.classifier import VisionModel
from core.models.vision.detector import DetectorModel
from core.models.vision.masked_autoencoder import AutoencoderModel
from core.outputs.families import PROTOCOLS, QUESTIONS, Model

CLASSES: dict[Family, type] = {
    Family.TEXT_ENCODER: TextEncoder,
    Family.TEXT_DECODER: TextDecoder,
    Family.TRANSLATOR: Translator,
    Family.VISION: VisionModel,
    Family.MASKED_AUTOENCODER: AutoencoderModel,
    Family.DETECTOR: DetectorModel,
}
IDS: dict[Family, Any] = {
    Family.TEXT_ENCODER: ids.EncoderId,
    Family.TEXT_DECODER: ids.DecoderId,
    Family.TRANSLATOR: ids.TranslatorId,
    Family.VISION: ids.VisionId,
    Family.MASKED_AUTOENCODER: ids.AutoencoderId,
    Family.DETECTOR: ids.DetectorId,
}


def questions_of(family: Family) -> dict[str, Callable[..., Any]]:
    """The protocol's questions by name, the bases' too."""
    protocol = PROTOCOLS[family]
    return {name: getattr(protocol, name) for name in dir(protocol) if not name.startswith("_")
            and callable(getattr(protocol, name))}  # fmt: skip


def flaws(asked: Callable[..., Any], given: Callable[..., Any]) -> list[str]:
    """Where an implementation would not take a call that the protocol allows."""
    wanted, present = signature(asked).parameters, signature(given).parameters
    takes_more = any(one.kind == Parameter.VAR_KEYWORD for one in present.values())
    return [
        *_unlike(wanted, present, takes_more=takes_more),
        *(
            f"{name} must be given"
            for name, one in present.items()
            if name not in wanted
            and one.default is Parameter.empty
            and one.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
        ),
    ]


def _unlike(
    wanted: Mapping[str, Parameter], present: Mapping[str, Parameter], *, takes_more: bool
) -> list[str]:
    found: list[str] = []
    for place, (name, one) in enumerate(wanted.items()):
        if name not in present:
            if not takes_more or one.kind != Parameter.KEYWORD_ONLY:
                found.append(f"{name} is lacking")
        elif present[name].default != one.default:
            found.append(f"{name} is {present[name].default!r}, not {one.default!r}")
        elif one.kind != Parameter.KEYWORD_ONLY and list(present)[place] != name:
            found.append(f"{name} stands elsewhere")
    return found


@pytest.mark.parametrize("family", Family)
def test_a_family_answers_all_that_its_protocol_says(family: Family):
    found = {
        name: flaws(asked, getattr(CLASSES[family], name, lambda: None))
        for name, asked in questions_of(family).items()
    }
    assert {"trace", "trace_many", "measure"} <= found.keys()
    assert {name: flawed for name, flawed in found.items() if flawed} == {}


@pytest.mark.parametrize("family", Family)
def test_what_can_be_batched_is_said_in_traces_own_words(family: Family):
    protocol, implemented = PROTOCOLS[family], CLASSES[family]
    for attribute in ("card", "nbytes"):
        assert attribute in {*dir(implemented), *implemented.__dataclass_fields__}
    named = signature(protocol.trace).parameters.keys() - {"self"}
    assert {"interventions"} <= implemented.batched & named
    assert not implemented.batched & {"blocks", "gradient_of"}  # they are of one input alone


@pytest.mark.parametrize("family", Family)
def test_an_engine_takes_every_question_whose_input_has_a_name(family: Family):
    unasked = {name for name, asked in questions_of(family).items() if asked not in QUESTIONS}
    assert unasked <= {"trace_many"}
    assert Model.trace not in QUESTIONS


def test_flaws_are_found():
    def asked(self, text: str, *, top_k: int = 5) -> None: ...
    def same(self, text: str, *, top_k: int = 5, more: int = 0) -> None: ...
    def open_ended(self, text: str, **given: int) -> None: ...
    def other_default(self, text: str, *, top_k: int = 6) -> None: ...
    def other_place(self, other: str, text: str, *, top_k: int = 5) -> None: ...

    assert flaws(asked, same) == flaws(asked, open_ended) == []
    assert flaws(asked, other_default) == ["top_k is 6, not 5"]
    assert flaws(asked, other_place) == ["text stands elsewhere", "other must be given"]
    assert flaws(asked, lambda: None) == ["self is lacking", "text is lacking", "top_k is lacking"]


@pytest.mark.parametrize("family", Family)
def test_every_id_of_the_catalog_has_its_type(family: Family):
    of_family = [card.id for card in CATALOG if card.family == family]
    assert list(get_args(IDS[family])) == of_family
