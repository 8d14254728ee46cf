"""Short everyday sentences: the English sides of both files of sentence pairs, each once."""

from pathlib import Path

from core.training.common.datafiles import read_table
from core.training.translation.pairs import PAIRS_FILE, is_held_out

PAIRS_FILES = (PAIRS_FILE, "translation/tatoeba-en-fr.tsv.xz")


def training_sentences(data: Path) -> list[str]:
    """All English sentences but those that the translator, too, has never read."""
    return [sentence for sentence in _english(data) if not is_held_out(sentence)]


def held_out_sentences(data: Path) -> list[str]:
    return [sentence for sentence in _english(data) if is_held_out(sentence)]


def _english(data: Path) -> list[str]:
    """In the files' order, each sentence once."""
    return list(
        dict.fromkeys(row[0] for name in PAIRS_FILES for row in read_table(data / name, columns=2))
    )
