"""A tiny data folder of made-up sentence pairs: every word has one translation, in order."""

import lzma
import random
from pathlib import Path

WORDS = {
    "I": "ich",
    "you": "du",
    "Tom": "Tom",
    "see": "sehe",
    "like": "mag",
    "the": "das",
    "house": "Haus",
    "book": "Buch",
    "child": "Kind",
    "never": "nie",
    "today": "heute",
    "always": "immer",
}
N_PAIRS = 3_000
LONGEST = 9  # words


def write_pairs(folder: Path) -> Path:
    """Write the file that transformer-en-de reads; some sentences come twice, ending otherwise."""
    chance = random.Random(0)
    lines: list[str] = []
    for _ in range(N_PAIRS):
        words = chance.choices(list(WORDS), k=chance.randint(3, LONGEST))
        english, german = " ".join(words), " ".join(WORDS[word] for word in words)
        lines.append(f"{english}.\t{german}.")
        if chance.random() < 0.1:
            lines.append(f"{english}.\t{german}!")
    path = folder / "translation" / "tatoeba-en-de.tsv.xz"
    path.parent.mkdir(parents=True)
    path.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode()))
    return folder
