"""Merges from lists and files, what is wrong with them, and files that `tokenizers` reads."""

import base64
import json

import pytest
from tokenizers import Tokenizer

from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.pre_tokenizers import GPT2, custom
from tests.core.tokenization.corpora import LECTURE


@pytest.mark.parametrize(
    "text",
    [
        "e s\nes t\nest </w>",
        "e s · es t · est </w>",
        "e s, es t, est </w>\n",
        "e s\r\nes t\r\n\r\nest </w>",
    ],
)
def test_lists_in_many_hands(text: str):
    found = bpe.read_merges(text)
    assert found.merges == (("e", "s"), ("es", "t"), ("est", "</w>"))
    assert (found.end_of_word, found.glued, found.byte_level) == ("</w>", False, False)


def test_a_header_is_no_rule_but_a_hash_is():
    assert bpe.read_merges("#version: 0.2\n# #\n## #").merges == (("#", "#"), ("##", "#"))


@pytest.mark.parametrize("glued", [False, True])
def test_merges_txt_comes_back(glued: bool):
    training = bpe.train(LECTURE, 10, glued=glued)
    found = bpe.read_merges(bpe.merges_txt(training))
    assert (found.merges, found.end_of_word, found.glued) == (training.merges, "</w>", glued)


@pytest.mark.parametrize(
    "training",
    [
        bpe.train(LECTURE, 12),
        bpe.train(LECTURE, 12, glued=True),
        bpe.train("low lower newest widest, newest!", 25, end_of_word=None),
        bpe.train("Low lower, it's 12345 newest\n👍🏽 é東京 newest!", 40, byte_level=True),
        bpe.train("It's 12345 o'clock\r\n\n now!", 20, byte_level=True, pre_tokenizer="cl100k"),
        bpe.train("It's 12345 O'Clock\r\n\n now!", 20, byte_level=True, pre_tokenizer="o200k"),
    ],
    ids=["separate", "glued", "bare", "gpt2", "cl100k", "o200k"],
)
def test_tokenizers_loads_the_export_and_cuts_alike(training: bpe.BPETraining):
    theirs = Tokenizer.from_str(bpe.tokenizer_json(training))
    ours = bpe.from_training(training)
    for text in ("lowest newer  low", "newest\n\n low  ", *training.corpus.words):
        got = theirs.encode(text).ids
        known = [number for number in ours.tokenize(text).ids if number is not None]
        assert got == known, text
    if training.settings.byte_level:
        text = "Any text: 東 👍🏽 \t\n12345 it's"
        assert theirs.decode(theirs.encode(text).ids) == text


def test_the_export_can_stop_at_a_step():
    training = bpe.train(LECTURE, 10)
    model = json.loads(bpe.tokenizer_json(training, upto=4))["model"]
    assert len(model["merges"]) == 4
    assert len(model["vocab"]) == training.n_initial + 4


def test_tokenizer_json_comes_back():
    training = bpe.train("low lower newest", 12, byte_level=True)
    found = bpe.read_merges(bpe.tokenizer_json(training))
    assert (found.merges, found.vocabulary, found.byte_level) == (
        training.merges,
        training.vocabulary,
        True,
    )


def test_merges_are_recovered_from_tiktokens_ranks():
    training = bpe.train("the theme of these thesis " * 3, 30, byte_level=True)
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += ["".join(pair).replace("Ġ", " ").encode() for pair in training.merges]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    found = bpe.read_merges("\n".join(lines))
    assert (found.source, found.merges, found.notes) == ("tiktoken ranks", training.merges, ())
    assert found.whole_word_first


def test_ranks_that_no_merge_makes_are_named():
    # abcd can't be joined: neither ab nor bc nor cd is a token
    tokens = [b"a", b"b", b"c", b"d", b"abcd"]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    found = bpe.read_merges("\n".join(lines))
    assert found.merges == ()
    assert found.notes == ("No merge makes 'abcd': its bytes never join to it.",)


def test_flaws_of_a_hand_written_list():
    rules = bpe.read_merges("a b · b c · a bc · x yz · a b · ab cd · c d").merges
    found = {flaw.rank: (flaw.flaw, flaw.other) for flaw in bpe.audit(rules)}
    assert found == {
        2: (bpe.Flaw.UNREACHABLE, 0),
        3: (bpe.Flaw.MISSING_PART, None),
        4: (bpe.Flaw.DUPLICATE, 0),
        5: (bpe.Flaw.LATE_PART, 6),
    }


def test_flaws_of_end_of_word_markers():
    rules = [("e", "s"), ("es</w>", "t"), ("t", "</w>")]
    assert [flaw.flaw for flaw in bpe.audit(rules, "</w>")] == [bpe.Flaw.MARKER]
    glued = bpe.audit([("e", "s"), ("es", "t</w>"), ("t", "</w>")], "</w>", glued=True)
    assert [(flaw.rank, flaw.flaw) for flaw in glued] == [(2, bpe.Flaw.MARKER)]


@pytest.mark.parametrize("glued", [False, True])
def test_a_trained_list_has_no_flaws(glued: bool):
    training = bpe.train(LECTURE, 14, glued=glued)
    alphabet = training.vocabulary[: training.n_initial]
    assert bpe.audit(training.merges, "</w>", glued, alphabet=alphabet) == ()
    assert bpe.audit(training.merges, "</w>", glued) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "No merges came"),
        ("a b\na b c", "Line 2 holds 'a b c'"),
        ("{", "is not JSON"),
        ("{}", "has no 'model'"),
        ('{"model": {"type": "WordPiece", "vocab": {}}}', "holds a WordPiece model"),
        ('{"model": {"type": "BPE", "merges": ["a b c"], "vocab": {}}}', "Merge 0"),
        ('{"model": {"type": "BPE", "merges": 3, "vocab": {}}}', "are not a list"),
        ('{"model": {"type": "BPE", "merges": [], "vocab": []}}', "has no vocab"),
        ("YQ== 0\nYQ= 1", "Line 2 of the ranks"),
        ("YQ== 0\nYg== 0", "rank 0 a second time"),
    ],
)
def test_bad_merges_say_what_is_wrong(text: str, message: str):
    with pytest.raises(InputError, match=message):
        bpe.read_merges(text)


def test_a_separate_marker_exports_only_with_whitespace_words():
    training = bpe.train("a b-c", 2, pre_tokenizer=custom(r"\w|-"))
    with pytest.raises(InputError, match="only with words between whitespace"):
        bpe.tokenizer_json(training)
    assert GPT2.words("it's ok") == ["it", "'s", " ok"]
