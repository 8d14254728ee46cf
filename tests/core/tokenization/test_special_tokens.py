"""Special tokens in a text: themselves, plain text or refused, as tiktoken has it."""

import pytest

from core.errors import InputError
from core.tokenization import bpe, unigram
from core.tokenization.hub_tokenizer import HubTokenizer
from core.tokenization.pre_tokenizers import GPT2
from core.tokenization.special_tokens import SpecialPolicy, specials_in, under_policy
from tests.core.tokenization.oracles import Tokenizer, models, pre_tokenizers

END = "<|endoftext|>"
TEXT = f"ab{END}[SEP]b"


def byte_level() -> bpe.BPETokenizer:
    return bpe.byte_level_tokenizer("own", [("a", "b")], GPT2, special_tokens=(END, "<|x|>"))


def hub() -> HubTokenizer:
    letters = {letter: i for i, letter in enumerate(["?", *sorted(set(f"{TEXT}SEP"))])}
    tokenizer = Tokenizer(models.BPE(letters, [], unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(["[SEP]"])
    return HubTokenizer("hub", tokenizer, "?")


def test_allowed_they_stand_for_themselves():
    assert under_policy(byte_level(), SpecialPolicy.ALLOWED).tokenize(f"ab{END}b").tokens == (
        *("ab", END, "b"),
    )
    assert "[SEP]" in under_policy(hub(), SpecialPolicy.ALLOWED).tokenize(TEXT).tokens


def test_as_text_they_are_letters_like_any_other():
    own = under_policy(byte_level(), SpecialPolicy.TEXT).tokenize(TEXT)
    assert "".join(own.tokens) == TEXT
    assert END not in own.tokens
    theirs = hub()
    read = under_policy(theirs, SpecialPolicy.TEXT).tokenize(TEXT)
    assert list(read.tokens) == list(TEXT)
    assert "[SEP]" in theirs.tokenize(TEXT).tokens, "other sessions cut with it as before"


@pytest.mark.parametrize(("tokenizer", "place", "token"), [(byte_level(), 2, END), (hub(), 15, "")])
def test_refused_they_are_named_with_their_place(tokenizer, place: int, token: str):
    refusing = under_policy(tokenizer, SpecialPolicy.REFUSED)
    with pytest.raises(InputError, match=f"Character {place} begins .*a special token") as error:
        refusing.tokenize(TEXT)
    assert token in str(error.value)
    assert refusing.tokenize("ab").tokens == tokenizer.tokenize("ab").tokens
    assert (refusing.title, refusing.vocabulary_size) == (
        tokenizer.title, tokenizer.vocabulary_size,
    )  # fmt: skip


def test_those_of_a_text_come_in_its_order_and_some_tokenizers_have_none():
    assert specials_in(f"<|x|>{END}<|x|>", byte_level()) == ("<|x|>", END)
    trained = unigram.from_training(unigram.train({"ab": 3, "b": 2}, 4))
    assert specials_in(TEXT, trained) == ()
    assert under_policy(trained, SpecialPolicy.REFUSED) is trained
