"""The everyday sentences: two halves, answers that every model could give, a share by hand."""

import pytest
from tokenizers import Tokenizer

from core.catalog.checkpoints import locate
from core.catalog.embedded import EMBEDDED_MODELS
from core.training.common.everyday import BLANK, Everyday, Half, everyday, share_answered

ALL = [*everyday(Half.CHOOSING), *everyday(Half.MEASURED)]


def test_both_halves_have_as_many_blanks_and_beginnings():
    for half in Half:
        questions = everyday(half)
        assert len(questions) == 60
        assert sum(question.beginning is not None for question in questions) == 30
    assert len({question.sentence for question in ALL}) == 120
    assert all(question.sentence.count(BLANK) == 1 for question in ALL)


def test_every_answer_is_one_token_of_berts_vocabulary():
    known = Tokenizer.from_file(str(locate("minilm-l6")[1] / "tokenizer.json")).get_vocab()
    assert [word for question in ALL for word in question.answers if word not in known] == []


def test_a_small_vocabulary_too_could_answer():
    bert = Tokenizer.from_file(str(EMBEDDED_MODELS / "bert-mini" / "tokenizer.json")).get_vocab()
    assert [q.sentence for q in ALL if q.answers.isdisjoint(bert)] == []
    gpt = Tokenizer.from_file(str(EMBEDDED_MODELS / "gpt-mini" / "tokenizer.json")).get_vocab()
    words = {token.removeprefix("Ġ").lower() for token in gpt if token.startswith("Ġ")}
    beginnings = [question for question in ALL if question.beginning is not None]
    assert [q.sentence for q in beginnings if q.answers.isdisjoint(words)] == []


def test_a_beginning_is_what_stands_before_the_blank():
    end = Everyday("Do you want milk in your ___?", frozenset({"tea"}))
    assert end.beginning == "Do you want milk in your"
    assert Everyday("A ___ barks.", frozenset({"dog"})).beginning is None


@pytest.mark.parametrize(
    ("guesses", "share"),
    [
        ([["x", " Tea"], ["dog"]], 1.0),
        ([["a", "b", "c", "d", "e", "tea"], ["dog"]], 0.5),  # the sixth doesn't count
        ([["te", "a"], ["cat"]], 0.0),
    ],
)
def test_the_share_counts_the_first_five_whatever_their_case(
    guesses: list[list[str]], share: float
):
    asked = [
        Everyday("Milk in your ___?", frozenset({"tea"})),
        Everyday("A ___ barks.", frozenset({"dog"})),
    ]
    given = dict(zip(asked, guesses, strict=True))
    assert share_answered(asked, given.__getitem__) == share
