"""A reader's .tiktoken file, special tokens in a text, and letters that no piece covers."""

import pytest

from core.tokenization.pre_tokenizers import WHOLE_TEXT
from tests.core.tokenization.bpe.test_tiktoken_file import FILE, RANKS, as_tiktoken
from tests.pages.tokenizers.shown import give, lanes, opened, take

SAID = "special tokens"


def ids(page) -> list[int]:
    return [int(row["id"]) for row in page.table("tokenizers-on-one-text.csv")]


def test_an_own_tiktoken_file_is_cut_by_its_ranks_and_the_chosen_words():
    page = opened(text="the cat sat", tokenizers="bpe")
    give(page, ("own.tiktoken", FILE))
    assert "own.tiktoken (words as GPT-2)" in lanes(page)
    page.selectbox(key="tokenizers.split").set_value(WHOLE_TEXT.name).run()
    assert list(lanes(page)) == ["BPE", "own.tiktoken (words as The whole text is one word)"]
    expected = as_tiktoken("the cat sat", RANKS, WHOLE_TEXT.pattern)
    assert ids(page)[-len(expected) :] == expected


def test_a_broken_ranks_file_is_refused_by_its_line():
    page = opened(text="the cat", tokenizers="bpe")
    give(page, ("own.tiktoken", FILE.replace("\n", "\n!!! 5\n", 1)))
    assert "Line 2 of the ranks is '!!! 5': '!!!' is not base64" in page.notices
    assert list(lanes(page)) == ["BPE"]


@pytest.mark.parametrize(
    ("policy", "tokens"),
    [("allowed", ["[SEP]"]), ("text", ["[", "se", "##p", "]"])],
)
def test_special_tokens_stand_for_themselves_or_are_text(policy: str, tokens: list[str]):
    page = opened(text="[SEP]", tokenizers="bert-mini", special=policy)
    assert list(lanes(page).values()) == [tokens]


def test_special_tokens_are_asked_about_only_where_there_are_some():
    page = opened(text="the cat", tokenizers="bert-mini,gpt-mini")
    assert "Special tokens in the text" not in page.text
    take(page, "example", SAID)
    assert "Special tokens in the text: [SEP] · [MASK] · <|endoftext|>" in page.text
    page.button_group(key="tokenizers.text.special").set_value("refused").run()
    assert "Character 8 begins '<|endoftext|>', a special token" in page.notices
    assert "Choose at least one tokenizer" in page.notices
    assert page.link["special"] == "refused"


def test_unigram_falls_back_to_bytes():
    page = opened(text="кот", tokenizers="unigram")
    assert any(row["unknown"] == "1" for row in page.table("tokenizers-on-one-text.csv"))
    page = opened(text="кот", tokenizers="unigram", fallback="1")
    tokens = lanes(page)["Unigram"]
    assert tokens[-6:] == [f"<0x{byte:02X}>" for byte in "кот".encode()]
    assert all(row["unknown"] == "0" for row in page.table("tokenizers-on-one-text.csv"))
