"""Words with their counts as a person types them: "low 5, lower 2"."""

import re
from typing import Final

from core.errors import InputError

MOST_COUNTED: Final = 50_000  # words of a typed list
LARGEST_COUNT: Final = 1_000_000_000
_ENTRY: Final = re.compile(r"(\S.*?)[\s:=×]+(\d{1,19})", re.DOTALL)

Counts = tuple[tuple[str, int], ...]


def read_counts(text: str) -> Counts:
    """ "low 5, lower 2" → (("low", 5), ("lower", 2)); a word that comes twice is added up."""
    counts: dict[str, int] = {}
    for entry in re.split(r"[,;\n]", text):
        bare = entry.strip()
        if not bare:
            continue
        found = _ENTRY.fullmatch(bare)
        if found is None:
            raise InputError(
                f"“{bare[:60]}” is no word with its count. Write each word and its number, such as "
                "“low 5, lower 2”, or read the corpus as a text."
            )
        word, count = found[1], int(found[2])
        if not 1 <= count <= LARGEST_COUNT:
            raise InputError(f"“{word[:60]}” has the count {count}; 1 to {LARGEST_COUNT:,} go.")
        counts[word] = min(LARGEST_COUNT, counts.get(word, 0) + count)
    if not counts:
        raise InputError("The corpus is empty. Write words with their counts: “low 5, lower 2”.")
    if len(counts) > MOST_COUNTED:
        raise InputError(f"{len(counts):,} words with counts; {MOST_COUNTED:,} go. Upload a text.")
    return tuple(counts.items())


def write_counts(counts: Counts) -> str | None:
    """The same in one line; None where a word would not come back as it is."""
    text = ", ".join(f"{word} {count}" for word, count in counts)
    try:
        return text if read_counts(text) == counts else None
    except InputError:
        return None
