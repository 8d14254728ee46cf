"""A tiny data folder of made-up text and facts, enough to train a few steps on."""

import lzma
import random
from pathlib import Path

SUBJECTS = ("the fox", "a child", "the old king", "my sister", "the river")
VERBS = ("sees", "follows", "forgets", "likes", "finds")
OBJECTS = ("the moon", "a stone", "the green hill", "a song", "the door")
TOWNS = ("Avon", "Brill", "Corby", "Deal", "Epsom", "Frome", "Goole", "Hythe")
LANDS = ("Norland", "Westland", "Eastland", "Southland")
N_ARTICLES = 401  # of which three are held out
N_SENTENCES = 120  # an article: enough for 512 tokens


def write_data(folder: Path, *, chapters: int = 1) -> Path:
    """Write the four files that bert-mini reads; gpt-mini reads the text of them."""
    chance = random.Random(0)
    articles = [_article(chance, N_SENTENCES) for _ in range(N_ARTICLES)]
    _write_xz(folder / "text" / "wiki-en.txt.xz", "\n".join(articles))
    books = [_article(chance, N_SENTENCES) for _ in range(chapters)]
    _write_xz(folder / "text" / "books-en.txt.xz", "\n".join(books))
    triples = [
        f"P36\tcapital\t{land} {number}\t{chance.choice(TOWNS)}"
        for land in LANDS
        for number in range(30)
    ]
    _write_xz(folder / "facts" / "facts.tsv.xz", "\n".join(triples) + "\n")
    (folder / "facts" / "patterns.tsv").write_text(
        "P36\tcapital\tThe capital of [X] is [Y].\nP36\tcapital\t[Y] is the capital of [X].\n"
    )
    return folder


def write_sentence_pairs(folder: Path) -> Path:
    """Write both files of sentence pairs, with English sides alone; some sentences in both."""
    told = [
        f"{subject} {verb} {thing} {number}.".capitalize()
        for subject in SUBJECTS
        for verb in VERBS
        for thing in OBJECTS
        for number in range(8)
    ]
    for language, rows in (("de", told[:700]), ("fr", told[600:])):
        text = "".join(f"{sentence}\t–\n" for sentence in rows)
        _write_xz(folder / "translation" / f"tatoeba-en-{language}.tsv.xz", text)
    return folder


def _article(chance: random.Random, sentences: int) -> str:
    told = [
        f"{chance.choice(SUBJECTS)} {chance.choice(VERBS)} {chance.choice(OBJECTS)}.".capitalize()
        for _ in range(sentences)
    ]
    half = sentences // 2
    return f"= Title =\n{' '.join(told[:half])}\n{' '.join(told[half:])}\n"


def _write_xz(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(text.encode()))
