"""Sentences with dependency heads, and what their pronouns stand for, in CoNLL-U.

The format and the labels are those of Universal Dependencies 2, https://universaldependencies.org/
format.html. What a pronoun stands for is MISC's `Antecedent`, an ID of the same sentence. The
built-in sentences (`assets/sentences.conllu`) were written and annotated for Glassformer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from core.errors import InputError
from core.explain.attention.relations import ROOT, ParsedSentence

FILE: Final = Path(__file__).parents[2] / "assets" / "sentences.conllu"
COLUMNS: Final = 10  # ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC


@cache
def parsed_sentences() -> tuple[ParsedSentence, ...]:
    """Sixty sentences of our own."""
    return read_treebank(FILE.read_text("utf-8"))


def read_treebank(text: str) -> tuple[ParsedSentence, ...]:
    """Raises InputError for what is no CoNLL-U, no tree, or points at words that do not exist."""
    found: list[ParsedSentence] = []
    for number, rows in _blocks(text):
        try:
            found.append(_sentence(rows))
        except ValueError as error:
            raise InputError(f"The sentence that begins in line {number}: {error}.") from error
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[int, list[list[str]]]]:
    """Each sentence's words, as columns, and the line that it begins in."""
    rows: list[list[str]] = []
    for number, line in enumerate((*text.splitlines(), ""), 1):
        if line and not line.startswith("#"):
            rows.append(line.split("\t"))
        elif not line and rows:
            yield number - len(rows), rows
            rows = []


def _sentence(rows: Sequence[Sequence[str]]) -> ParsedSentence:
    if any(len(row) != COLUMNS for row in rows):
        raise ValueError(f"every word needs {COLUMNS} columns, parted by tabs")
    if [row[0] for row in rows] != [str(place) for place in range(1, len(rows) + 1)]:
        raise ValueError("its words are not numbered 1, 2, 3 …")
    text, spans = "", list[tuple[int, int]]()
    misc = [_features(row[9]) for row in rows]
    for row, more in zip(rows, misc, strict=True):
        spans.append((len(text), len(text) + len(row[1])))
        text += row[1] + ("" if more.get("SpaceAfter") == "No" else " ")
    heads = tuple(_place(row[6], len(rows), lowest=0) for row in rows)
    _check_tree(heads)
    return ParsedSentence(
        text=text.rstrip(),
        words=tuple(row[1] for row in rows),
        spans=tuple(spans),
        tags=tuple(row[3] for row in rows),
        heads=heads,
        relations=tuple(row[7] for row in rows),
        antecedents=tuple(
            (place, _place(more["Antecedent"], len(rows), lowest=1))
            for place, more in enumerate(misc)
            if "Antecedent" in more
        ),
    )


def _features(written: str) -> Mapping[str, str]:
    parts = (part.partition("=") for part in written.split("|"))
    return {name: value for name, _, value in parts}


def _place(written: str, count: int, *, lowest: int) -> int:
    """An ID as a place; 0 is ROOT."""
    if not written.isdecimal() or not lowest <= int(written) <= count:
        raise ValueError(f"“{written[:20]}” is none of its {count} words")
    return int(written) - 1


def _check_tree(heads: Sequence[int]) -> None:
    if heads.count(ROOT) != 1:
        raise ValueError(f"it has {heads.count(ROOT)} roots instead of one")
    for word in range(len(heads)):
        above, at = {word}, heads[word]
        while at != ROOT:
            if at in above:
                raise ValueError(f"word {word + 1} hangs on itself")
            above.add(at)
            at = heads[at]
