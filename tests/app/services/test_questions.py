"""What lessons ask: the answers, worked out by hand or asked of the model another way."""

import numpy as np
import pytest

from app.services import engine, translator, vision
from app.services.questions import question
from core.errors import InputError
from core.interventions import HidePatches
from core.targets import ClassTarget

LECTURE = {"corpus": "low 5, lower 2, newest 6, widest 3"}
RULES = {"word": "abcb", "list": "a b · b c · ab c", "end": "none", **LECTURE}
PAIR = {"model": "bert-mini", "text": "It rains.", "pair": "It rains."}
IT = {"model": "minilm-l6", "text": "The animal was tired because it ran, and it slept."}


def answers(ask: str, **said: str):
    return question(ask, said, {}).answers(lambda future: future.result(120))


@pytest.mark.parametrize(
    ("said", "pair", "count"),
    [
        ({"step": "0"}, "e+s", 9),  # newest 6, widest 3; s + t and t + </w> as often
        ({"step": "3"}, "l+o", 7),  # low 5, lower 2; o + w as often
        ({"step": "1", "end": "glued"}, "es+t</w>", 9),
        ({"step": "0", "ties": "greatest-strings"}, "t+</w>", 9),
    ],
)
def test_the_next_merge_is_the_trainings(said: dict[str, str], pair: str, count: int):
    found = answers("next merge", **said, **LECTURE)
    assert (found.options[found.right], found.values[found.right]) == (pair, count)
    assert found.accepted == {found.right}
    assert max(found.values) == count


def test_the_next_merge_of_a_word_is_the_first_rule_that_fits():
    first, second = (answers("next merge", step=step, **RULES) for step in "01")
    assert dict(zip(first.options, first.values, strict=True)) == {"a+b": 1, "b+c": 2}
    assert first.options[first.right] == "a+b"
    assert dict(zip(second.options, second.values, strict=True)) == {"ab+c": 3}
    with pytest.raises(InputError, match="whole after 2 merges"):
        answers("next merge", step="2", **RULES)


def test_a_number_is_right_at_the_nearest_choice_and_within_the_tolerance():
    asked = {"of": "pieces", "word": "lowest", **LECTURE}  # low, est</w>
    exact = answers("number", choices="1, 2, 3", **asked)
    assert (exact.amount, exact.right, exact.accepted) == (2, 1, {1})
    assert (exact.value, exact.note(1)) == ("2", "")
    assert answers("number", choices="0, 2.5, 9", tolerance="2", **asked).accepted == {0, 1}


def test_a_head_is_sought_among_all():
    found = answers("looking head", word="it#2", to="animal", **IT)
    trace = engine.request_maps(IT["model"], IT["text"])[1].result(60)
    assert trace.encoding is not None
    query, key = trace.encoding.tokens.index("it", 7), trace.encoding.tokens.index("animal")
    weights = np.stack([layer.weights[:, query, key] for layer in trace.layers[trace.kinds[0]]])
    assert found.grid is not None
    np.testing.assert_allclose(found.values, weights.ravel(), rtol=1e-6)
    assert found.options[found.right] == "{}.{}".format(*divmod(found.right, found.grid.columns))


def test_a_patch_is_needed_whose_hiding_costs_most():
    found = answers("needed patch", model="vit-mini", picture="chelsea")
    cat = vision.sample("chelsea")
    shares = vision.probabilities("vit-mini", cat, ((),)).result(60)[0]
    hidden = ((HidePatches((found.right,)),),)
    left = vision.measure("vit-mini", cat, hidden, ClassTarget(int(shares.argmax()))).result(60)
    assert found.values[found.right] == pytest.approx(shares.max() - left[0], abs=1e-6)
    assert all(found.values[one] >= found.values[found.right] / 2 for one in found.accepted)
    assert found.right in found.accepted


def test_a_map_tells_more_the_more_its_patches_cost():
    methods = {"methods": "random, occlusion", "hidden": "30"}
    found = answers("telling map", model="vit-mini", picture="chelsea", **methods)
    assert found.options[1] == "Occlusion"
    assert found.values[1] > found.values[0]


def test_what_is_translated_next_is_what_the_decoder_says():
    said = {"model": "transformer-en-de", "text": "I am here."}
    found = answers("next translated", target="Ich", **said)
    decoded = translator.decode(translator.Asked(said["model"], said["text"]))
    assert decoded.result(60).labels[1].lstrip("▁") == found.options[found.right]


def test_whether_a_sentence_follows_is_a_probability():
    found = answers("number", of="probability that it follows", choices="0, 1", **PAIR)
    assert found.amount is not None
    assert 0 < found.amount < 1


@pytest.mark.parametrize(
    ("ask", "said", "told"),
    [
        ("next merge", {"step": "x", **LECTURE}, "“step” is x"),
        ("next merge", {"step": "99", **LECTURE}, "This training ends after"),
        ("next merge", {"corpus": "low"}, "no word with its count"),
        ("number", {"of": "beauty", "choices": "1"}, "“beauty” is no number here; attention"),
        ("number", {"of": "pieces", "choices": "one", **LECTURE}, "“one” is no number"),
        ("needed patch", {"model": "vit-mini", "picture": "moon"}, "no picture “moon”; "),
        (
            "telling map",
            {"model": "vit-mini", "picture": "horse", "methods": "magic"},
            "no evidence method “magic”",
        ),
        (
            "telling map",
            {"model": "vit-mini", "picture": "horse", "methods": "random", "hidden": "0"},
            "whole per cents from 1 to 99",
        ),
        ("looking head", {"word": "it#3", "to": "animal", **IT}, "“it#3” is no token"),
        (
            "attended token",
            {"word": "it", "head": "0.0", "kind": "cross", **IT},
            "“cross” is no attention of this model; encoder go",
        ),
    ],
)
def test_what_cannot_be_asked_is_told(ask: str, said: dict[str, str], told: str):
    with pytest.raises(InputError, match=told):
        answers(ask, **said)
