"""Encoding one word: every state, the tree, the variants, and why a token is missing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.bpe.segmentation import Variant, merge_ranks, segment
from core.tokenization.bpe.tiktoken_ranks import recover_merges
from tests.core.tokenization.corpora import LECTURE, random_words

LECTURE_LIST = (
    "A b · a s · e r · s er · w as · Ab was · Abwas ser · B e · a n · d l · h an · n g · u ng · "
    "Be han · dl ung · Behan dlung · A n · a g · l ag"
)
WORD = "Abwasserbehandlungsanlage"


def merges(text: str) -> tuple[tuple[str, str], ...]:
    return bpe.read_merges(text).merges


def test_the_lectures_word_with_every_state():
    encoding = bpe.encode(WORD, merges(LECTURE_LIST), "</w>")
    assert " ".join(encoding.tokens) == "Abwasser b e han dlung s an lag e </w>"
    states = [" ".join(state) for state in encoding.states()]
    assert states[0] == "A b w a s s e r b e h a n d l u n g s a n l a g e </w>"
    assert states[1] == "Ab w a s s e r b e h a n d l u n g s a n l a g e </w>"
    assert states[7] == "Abwasser b e h a n d l u n g s a n l a g e </w>"
    assert states[8] == "Abwasser b e h an d l u n g s an l a g e </w>"
    assert states[-1] == "Abwasser b e han dlung s an lag e </w>"
    assert len(states) == 16
    assert encoding.steps[7].merged == (4, 11)  # both "an" in one step
    assert [step.rank for step in encoding.steps] == sorted(step.rank for step in encoding.steps)


def test_the_tree_holds_every_merge():
    encoding = bpe.encode(WORD, merges(LECTURE_LIST), "</w>")
    root = encoding.tree[0]
    assert (root.token, root.start, root.end, root.rank) == ("Abwasser", 0, 8, 6)
    assert [child.token for child in root.children] == ["Abwas", "ser"]
    assert [child.token for child in root.children[0].children] == ["Ab", "was"]
    assert encoding.tree[1].children == ()
    assert "".join(node.token for node in encoding.tree) == WORD + "</w>"


def test_why_lage_and_behandlung_are_not_there():
    rules = merges(LECTURE_LIST + " · lag e")
    encoding = bpe.encode(WORD, rules[:-1], "</w>")
    (lage,) = bpe.why_not(encoding, "lage", rules[:-1])
    assert lage.verdict is bpe.Verdict.NO_RULE
    (ung,) = bpe.why_not(encoding, "ung", rules)
    assert ung.verdict is bpe.Verdict.ABSORBED
    assert ung.taken_by is not None
    assert ung.taken_by.token == "dlung"
    (missing,) = bpe.why_not(encoding, "Behandlung", rules)
    assert missing.verdict is bpe.Verdict.NOT_IN_WORD  # the word has a small b
    (there,) = bpe.why_not(encoding, "lag", rules)
    assert (there.verdict, there.span) == (bpe.Verdict.IS_THERE, (21, 24))


def test_why_not_names_the_merge_that_took_a_letter():
    # san crosses the border that the rule (s, an) of GPT-2 ignores: here the other way round
    rules = merges("s a · a n · sa n · u n")
    encoding = bpe.encode("usan", rules)
    (an,) = bpe.why_not(encoding, "an", rules)
    assert an.verdict is bpe.Verdict.LETTERS_TAKEN
    assert an.taken_by is not None
    assert (an.taken_by.token, an.taken_span, an.rule, an.step) == ("sa", (1, 3), 1, 0)


def test_one_more_letter_rewrites_the_past():
    # rust-gems' dictionary: a b c ab cb ac bb cbb acbb, as ranks
    tokens = [token.encode() for token in ["a", "b", "c", "ab", "cb", "ac", "bb", "cbb", "acbb"]]
    rules, lost = recover_merges(tokens)
    assert lost == []
    assert bpe.encode("abacb", rules).tokens == ("ab", "a", "cb")
    assert bpe.encode("abacbb", rules).tokens == ("ab", "acbb")


def test_tiktoken_looks_up_the_joined_string():
    rules = [("b", "c"), ("a", "b"), ("ab", "c")]
    assert bpe.encode("abc", rules).tokens == ("a", "bc")
    assert bpe.encode("abc", rules, variant="concatenation").tokens == ("abc",)
    assert bpe.encode("xabc", rules, variant="concatenation").tokens == ("x", "abc")
    assert bpe.encode("xabc", rules, variant="whole-word").tokens == ("x", "a", "bc")
    assert bpe.encode("abc", rules, variant="whole-word").tokens == ("abc",)


def test_runs_are_merged_from_the_left():
    (step,) = bpe.encode("aaaaa", [("a", "a")]).steps
    assert (step.tokens, step.merged, step.starts) == (("aa", "aa", "a"), (0, 1), (0, 2))


def test_upto_shows_the_word_while_training_goes_on():
    training = bpe.train(LECTURE, 10)
    cut = [bpe.encode("lowest", training.merges, "</w>", upto=k).tokens for k in (0, 3, 5, 10)]
    assert cut == [
        ("l", "o", "w", "e", "s", "t", "</w>"),
        ("l", "o", "w", "est</w>"),
        ("low", "est</w>"),
        ("low", "est</w>"),
    ]


def test_a_word_of_the_corpus_is_cut_as_in_training():
    for seed in range(40):
        words = random_words(seed)
        training = bpe.train(words, 25)
        end = training.state_at(len(training.steps))
        for index, word in enumerate(words):
            encoded = bpe.encode(word, training.merges, "</w>")
            assert encoded.tokens == end.word(index).tokens


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="abc", max_size=25), st.integers(0, 500), st.sampled_from(Variant))
def test_replay_and_fast_path_agree(word: str, seed: int, variant: Variant):
    rules = bpe.train(random_words(seed) | {"abcab": 5}, 20, end_of_word=None).merges
    encoding = bpe.encode(word, rules, variant=variant)
    assert list(encoding.tokens) == segment(tuple(word), merge_ranks(rules, variant))
    assert "".join(encoding.tokens) == word


def test_dropout_is_repeatable_and_reaches_both_ends():
    rules = bpe.train(LECTURE, 10).merges
    whole = bpe.encode("lowest", rules, "</w>").tokens
    assert bpe.encode("lowest", rules, "</w>", dropout=1.0).tokens == (*"lowest", "</w>")
    drawn = [bpe.encode("lowest", rules, "</w>", dropout=0.3, seed=seed) for seed in range(60)]
    assert len({encoding.tokens for encoding in drawn}) > 3
    assert whole in {encoding.tokens for encoding in drawn}
    again = bpe.encode("lowest", rules, "</w>", dropout=0.3, seed=7)
    assert again == drawn[7]


def test_byte_level_word():
    training = bpe.train("東京 東京", 10, byte_level=True)
    encoding = bpe.encode("京", training.merges, byte_level=True)
    assert len(encoding.symbols) == 3


def test_what_cannot_be_encoded_says_so():
    with pytest.raises(InputError, match="1,001 symbols"):
        bpe.encode("a" * 1001, [])
    with pytest.raises(InputError, match="no variant called 'fast'"):
        bpe.encode("a", [], variant="fast")
    with pytest.raises(InputError, match=r"dropout is 1\.5"):
        bpe.encode("a", [], dropout=1.5)
    with pytest.raises(InputError, match="lone surrogate"):
        bpe.encode("a\ud800", [])
    assert bpe.encode("", []).tokens == ()
