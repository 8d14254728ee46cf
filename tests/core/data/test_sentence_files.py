"""A reader's file of sentences: what comes through, and what is told before any model reads."""

import pytest

from core.data.sentence_files import read_sentences
from core.errors import InputError
from core.limits import SENTENCE_CHARACTERS, SENTENCES


def test_lines_are_sentences_and_keep_their_numbers():
    read = read_sentences("tales.txt", b"\xef\xbb\xbfOne cat.\r\n\r\n  Two  dogs. \rThree.\n\n\n")
    assert read.texts == ("One cat.", "Two  dogs.", "Three.")
    assert read.lines == (1, 3, 4)
    assert (len(read), read.blank) == (3, 1)


def test_as_many_and_as_long_as_allowed():
    line = "ä" * SENTENCE_CHARACTERS
    assert len(read_sentences("most.txt", "\n".join([line] * SENTENCES).encode())) == SENTENCES


def test_the_digest_is_of_the_sentences():
    one, same = (read_sentences(name, b"A b.\nC d.") for name in ("one", "same"))
    assert one.digest == same.digest != read_sentences("one", b"A b.\nC e.").digest


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "holds no sentence; 2 to 500 go. Write one sentence a line"),
        (b"\n \t\n\n", "holds no sentence"),
        (b"Only this.", "holds one sentence"),
        (b"\x89PNG\r\n\x1a\n\x00", "no UTF-8 text (byte 0 can't be read). Save it as UTF-8"),
        ("Grüße.\nDu.".encode("latin-1"), "byte 2 can't be read"),
        ("One.\nTwo.".encode("utf-16"), "no UTF-8 text"),
        (b"One.\nTwo\0.\n", "it holds a byte 0"),
        (b"One.\n" + b"x" * 100_000, "Line 2 of own.txt is 100,000 characters long; up to 1,000"),
        (b"x" * 1001 + b"\n" + b"y" * 1002 + b"\nz", "1,001 characters long; up to 1,000 go. So "),
        (b"Yes.\n" * 501, "holds 501 sentences; up to 500 go. Keep 500 of its lines"),
    ],
    ids=["empty", "blank", "one", "picture", "latin", "utf-16", "zero", "long", "both", "many"],
)
def test_what_is_wrong_is_told_with_what_is_allowed(content: bytes, told: str):
    with pytest.raises(InputError) as error:
        read_sentences("own.txt", content)
    assert "own.txt" in str(error.value)
    assert told in str(error.value)
