"""WordPiece: the course's published vocabulary, and Hugging Face's own encoder."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from core.errors import InputError
from core.tokenization import bert_text, wordpiece
from tests.core.tokenization.corpora import COURSE, HUG

COURSE_TOKENS = (
    "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh th "
    "is ##thms ##za ##zat ##ut"
)


def test_the_courses_vocabulary_of_seventy():
    training = wordpiece.train("\n".join(COURSE), 25)
    assert " ".join(step.token for step in training.steps) == COURSE_TOKENS
    assert len(training.vocabulary) == 70 - 5  # the course counts five special tokens
    ids = training.ids()
    assert wordpiece.encode("Hugging", ids).tokens == ("Hugg", "##i", "##n", "##g")
    assert wordpiece.encode("HOgging", ids).tokens == ("[UNK]",)


def test_likelihood_and_frequency_choose_differently():
    likelihood = wordpiece.train(HUG, 4)
    assert [step.token for step in likelihood.steps] == ["##gs", "hu", "hugs", "hug"]
    assert likelihood.steps[0].score == 1 / 20
    assert (likelihood.steps[1].score, likelihood.steps[1].n_tied) == (1 / 36, 6)
    assert [step.score for step in likelihood.steps[2:]] == [1 / 15, 1 / 15]
    frequency = wordpiece.train(HUG, 4, "frequency")
    assert [step.token for step in frequency.steps] == ["##ug", "##un", "hug", "pun"]


def test_words_are_cut_as_the_course_shows():
    training = wordpiece.train(HUG, 3)
    cut = {word: tokens for word, _, tokens in training.words_at(3)}
    assert cut["hugs"] == ("hugs",)
    assert cut["hug"] == ("hu", "##g")
    assert training.words_at(0)[0] == ("pun", 12, ("p", "##u", "##n"))


def test_every_search_is_shown():
    vocabulary = {token: i for i, token in enumerate(["b", "##u", "##gs", "##g"])}
    encoding = wordpiece.encode("bugs", vocabulary)
    assert encoding.tokens == ("b", "##u", "##gs")
    assert encoding.steps[0].tried == ("bugs", "bug", "bu")
    assert encoding.steps[2].found == "##gs"
    unknown = wordpiece.encode("bum", vocabulary)
    assert unknown.tokens == ("[UNK]",)
    assert unknown.steps[-1].found is None
    assert unknown.steps[-1].tried == ("##m",)


def test_a_hundred_letters_are_the_limit():
    vocabulary = {"a": 0, "##a": 1}
    assert len(wordpiece.encode("a" * 100, vocabulary).tokens) == 100
    assert wordpiece.encode("a" * 101, vocabulary).tokens == ("[UNK]",)


def their_words(text: str) -> list[tuple[str, tuple[int, int]]]:
    normalized = normalizers.BertNormalizer().normalize_str(text)
    return pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalized)


AWKWARD = st.text(
    alphabet=st.one_of(
        st.sampled_from("aÉßİΣ e\u0301\u200d\u200b\xa0\xad\u2028東京한ぁ!$'’–“😉👍🏽"),
        st.sampled_from("\n\t\r\0\x0b\x85\ufffd"),
        # their Unicode tables are older than Python's: only what both have had for long
        st.characters(exclude_categories=("Cs", "Cn", "Co"), max_codepoint=0x2FFF).filter(
            lambda letter: unicodedata.ucd_3_2_0.category(letter) != "Cn"
        ),
    ),
    max_size=30,
)


@settings(deadline=None, max_examples=200)
@given(AWKWARD)
def test_basic_words_equal_hugging_faces(text: str):
    assert [word.text for word in bert_text.basic_words(text)] == [
        word for word, _ in their_words(text)
    ]


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet="abé ng!東😉́x", max_size=30))
def test_tokens_and_places_equal_hugging_faces(text: str):
    tokens = [
        "[UNK]",
        "a",
        "##a",
        "b",
        "##b",
        "ab",
        "##ab",
        "e",
        "##e",
        "n",
        "##ng",
        "!",
        "東",
        "ba",
    ]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    theirs = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    theirs.normalizer = normalizers.BertNormalizer()
    theirs.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    theirs.decoder = decoders.WordPiece()
    encoding = theirs.encode(text)
    ours = wordpiece.WordPieceTokenizer("ours", vocabulary).tokenize(text)
    assert list(ours.ids) == encoding.ids
    for span, (start, end) in zip(ours.spans, encoding.offsets, strict=True):
        assert span.start == start
        assert span.end in (end, end + 1) or "\u0301" in text  # they drop a stripped accent


def test_places_survive_cleaning():
    vocabulary = {"unicode": 0, "東": 1, "[UNK]": 2}
    spans = wordpiece.WordPieceTokenizer("t", vocabulary).tokenize("Ünïcode\0東x").spans
    assert [(span.token, span.start, span.end) for span in spans] == [
        ("unicode", 0, 7),
        ("東", 8, 9),
        ("[UNK]", 9, 10),
    ]
    assert (spans[1].byte_start, spans[1].byte_end) == (10, 13)
    assert [span.unknown for span in spans] == [False, False, True]


def test_bad_requests_say_so():
    with pytest.raises(InputError, match="no score called 'best'"):
        wordpiece.train(HUG, 3, "best")
    with pytest.raises(InputError, match="holds the marker '##'"):
        wordpiece.train({"a##b": 1}, 3)
    with pytest.raises(InputError, match="no state after 9 merges"):
        wordpiece.train(HUG, 3).words_at(9)
