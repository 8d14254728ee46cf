"""Places in characters, bytes and graphemes; where tokenizers disagree; what words miss."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from core.errors import InputError
from core.tokenization import bpe, comparison, coverage, glyphs, loading, wordpiece
from core.tokenization.bpe.tokenizer import byte_level_tokenizer
from core.tokenization.hub_tokenizer import HubTokenizer
from core.tokenization.pre_tokenizers import GPT2
from tests.core.tokenization.corpora import LECTURE

TEXT = "low lower 👍🏽 newest"


def test_half_an_emoji_has_exact_bytes_and_shares_its_character():
    tokenizer = byte_level_tokenizer("bytes", [("ð", "Ł")], GPT2)
    spans = tokenizer.tokenize("a👍").spans
    assert [(span.byte_start, span.byte_end) for span in spans] == [(0, 1), (1, 3), (3, 4), (4, 5)]
    assert [(span.start, span.end) for span in spans] == [(0, 1), (1, 2), (1, 2), (1, 2)]
    clusters = glyphs.glyphs("a👍")
    assert [glyphs.splits_glyph(span, clusters) for span in spans] == [False, True, True, True]


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet="ab é東👍🏽\u200d\n'", max_size=25))
def test_byte_level_spans_tile_the_text(text: str):
    training = bpe.train("ab é東 👍🏽 ab'ab é東\n", 40, byte_level=True)
    ours = bpe.from_training(training).tokenize(text)
    ends = [0, *(span.byte_end for span in ours.spans)]
    assert [span.byte_start for span in ours.spans] == ends[:-1]
    assert ends[-1] == len(text.encode())
    theirs = HubTokenizer("hub", Tokenizer.from_str(bpe.tokenizer_json(training)), None)
    assert theirs.tokenize(text).spans == ours.spans


def test_family_emoji_is_one_glyph():
    family, accent, letter = glyphs.glyphs("👨‍👩‍👧‍👦e\u0301a")
    assert len(family.code_points) == 7
    assert len(family.bytes) == 25
    assert family.names[1] == "ZERO WIDTH JOINER"
    assert accent.code_points == ("U+0065", "U+0301")
    assert (letter.start, letter.byte_start) == (9, 28)
    assert glyphs.glyphs(" ")[0].aliases == ("Ġ",)
    assert not glyphs.glyphs("\u200b")[0].visible
    assert glyphs.glyphs("\n")[0].names == ("LINE FEED",)


def test_composed_and_decomposed_text_differ_in_bytes():
    composed, decomposed, *_ = glyphs.normal_forms("é")
    assert (composed.is_input, composed.byte_length) == (True, 2)
    assert (decomposed.code_points, decomposed.byte_length) == (2, 3)
    assert glyphs.normal_forms("ﬁ")[2].text == "fi"


def test_disagreement_is_found_inside_words_only():
    short = bpe.from_training(bpe.train(LECTURE, 5), title="5")
    long = bpe.from_training(bpe.train(LECTURE, 13), title="13")
    view = comparison.compare("low widest", [short, long])
    assert [row.tokenizer for row in view.rows] == ["5", "13"]
    assert view.rows[0].tokens == ("low", "</w>", "w", "i", "d", "est</w>")
    assert view.rows[1].tokens == ("low</w>", "widest</w>")
    # after the w, the i and the d of widest: the space and the marker say nothing
    assert [(cut.byte, cut.made_by) for cut in view.cuts] == [
        (5, (True, False)),
        (6, (True, False)),
        (7, (True, False)),
    ]
    assert view.agreement == pytest.approx(1 - 3 / 7)
    assert view.disputed_spans(0) == (2, 3, 4, 5)
    assert comparison.compare("", [short]).agreement == 1.0


def test_fertility_and_premium():
    tokenizer = byte_level_tokenizer("bytes", [], GPT2)
    english, japanese = comparison.fertilities({"en": "two cats", "ja": "二匹の猫"}, [tokenizer])
    assert (english.tokens, english.words, english.premium) == (8, 2, 1.0)
    assert english.tokens_per_word == 4.0
    assert (japanese.tokens, japanese.premium) == (12, 1.5)
    assert (japanese.tokens_per_character, japanese.bytes_per_token) == (3.0, 1.0)
    with pytest.raises(InputError, match="Each sample needs a text"):
        comparison.fertilities({"en": " "}, [tokenizer])


def test_word_coverage_of_the_lecture_corpus():
    corpus = bpe.train(LECTURE, 0).corpus
    points = coverage.word_coverage(corpus, sizes=[0, 1, 2, 4, 9])
    assert [point.coverage for point in points] == [0.0, 6 / 16, 11 / 16, 1.0, 1.0]
    assert (points[2].unknown_words, points[2].unknown_running) == (2, 5)
    test = bpe.train({"low": 1, "lowest": 3}, 0).corpus
    (point,) = coverage.word_coverage(corpus, test, sizes=[4])
    assert (point.coverage, point.unknown_words) == (0.25, 1)
    assert [point.vocabulary_size for point in coverage.word_coverage(corpus)] == [1, 2, 4]
    with pytest.raises(InputError, match="sizes start at 0"):
        coverage.word_coverage(corpus, sizes=[-1])


def test_vocabulary_size_trade_off():
    training = bpe.train(LECTURE, 10)
    first, last = coverage.size_trade_off(training, sizes=[0, 10])
    assert (first.corpus_length, first.tokens_per_word, first.compression) == (95, 95 / 16, 1.0)
    assert (last.corpus_length, last.vocabulary_size) == (28, 21)
    assert [point.n_merges for point in coverage.size_trade_off(training)] == [0, 1, 2, 5, 10]
    with pytest.raises(InputError, match="this training has 10"):
        coverage.size_trade_off(training, sizes=[11])


def test_the_category_rule():
    text = "dog dog! a dog, the dog. Dog dogma bulldog dog"
    tokenizer = byte_level_tokenizer("bytes", [], GPT2)
    forms = {form.form: form.count for form in coverage.word_forms(text, "dog", tokenizer)}
    assert forms == {"dog": 1, " dog!": 1, " dog,": 1, " dog.": 1, " Dog": 1, " dog": 1}
    with pytest.raises(InputError, match="word to look for"):
        coverage.word_forms(text, " ", tokenizer)


def test_special_tokens_stand_for_themselves():
    tokenizer = byte_level_tokenizer("t", [], GPT2, special_tokens=("<|endoftext|>",))
    spans = tokenizer.tokenize("a<|endoftext|>b").spans
    assert [span.token for span in spans] == ["a", "<|endoftext|>", "b"]
    assert spans[1].id == 256
    assert spans[2].start == 14


def test_byte_fallback_equals_hugging_faces():
    training = bpe.train("aab aab", 3, end_of_word=None)
    ours = bpe.from_training(training, byte_fallback=True)
    model = models.BPE(dict(ours.ids), list(training.merges), byte_fallback=True, unk_token=None)
    theirs = Tokenizer(model)
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    for text in ("aab", "é", "a東b", "\n 👍 b"):
        assert list(ours.tokenize(text).ids) == theirs.encode(text).ids
    spans = ours.tokenize("a東").spans
    assert [span.token for span in spans] == ["a", "<0xE6>", "<0x9D>", "<0xB1>"]
    assert [(span.start, span.byte_start, span.byte_end) for span in spans[1:]] == [
        (1, 1, 2),
        (1, 2, 3),
        (1, 3, 4),
    ]


def test_files_of_every_kind_load():
    training = bpe.train("low lower newest", 12, byte_level=True)
    from_json = loading.load_tokenizer(bpe.tokenizer_json(training).encode(), "tokenizer.json")
    from_merges = loading.load_tokenizer(bpe.merges_txt(training).encode(), "merges.txt")
    assert from_json.tokenize(TEXT).ids == from_merges.tokenize(TEXT).ids
    glued = loading.load_tokenizer(bpe.merges_txt(bpe.train(LECTURE, 10, glued=True)).encode(), "m")
    assert glued.tokenize("newest").tokens == ("newest</w>",)
    vocabulary = b"[PAD]\n[UNK]\nlow\n##er\nnew\n"
    bert = loading.load_tokenizer(vocabulary, "vocab.txt")
    assert isinstance(bert, wordpiece.WordPieceTokenizer)
    assert bert.tokenize("Lower news").ids == (2, 3, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b'{"model": ', "is not JSON"),
        (b'{"model": {"type": "Nonsense"}}', "no tokenizer.json that"),
        (b"[UNK]\nword\n", "has no tokens with ##"),
        (b"one two three four", "a rule is two tokens"),
    ],
)
def test_bad_files_say_what_is_wrong(content: bytes, message: str):
    with pytest.raises(InputError, match=message):
        loading.load_tokenizer(content, "file")


def test_a_files_padding_and_truncation_are_not_the_texts():
    tokenizer = Tokenizer.from_str(bpe.tokenizer_json(bpe.train("low lower", 3)))
    tokenizer.enable_padding(length=9)
    tokenizer.enable_truncation(2)
    loaded = loading.load_tokenizer(tokenizer.to_str().encode(), "tokenizer.json")
    assert "".join(loaded.tokenize("lower").tokens).startswith("lower")
    assert len(loaded.tokenize("low low low").tokens) < 9
