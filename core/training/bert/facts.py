"""Triples (Paris, capital of, France) and the sentences that tell them.

ParaRel: Elazar et al., "Measuring and Improving Consistency in Pretrained Language
Models", TACL 2021. https://arxiv.org/abs/2102.01017. Patterns hold [X] (subject), [Y] (object).
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.training.common.datafiles import read_table

FACTS_FILE = "facts/facts.tsv.xz"
PATTERNS_FILE = "facts/patterns.tsv"
HELD_OUT_SHARE = 20  # one pair of names in so many
HELD_OUT_REMAINDER = 1  # none of the best-known capitals, which every reader tries first


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact: `relation` is a Wikidata property such as P36 (capital)."""

    relation: str
    subject: str
    object: str

    @property
    def held_out(self) -> bool:
        """Kept from training. Drawn by the unordered pair of names, so that
        "Paris is the capital of France" can't give away "The capital of France is Paris".
        """
        names = "\t".join(sorted((self.subject, self.object)))
        return zlib.crc32(names.encode()) % HELD_OUT_SHARE == HELD_OUT_REMAINDER


@dataclass(frozen=True, slots=True)
class FactBook:
    """Triples with the sentence patterns of their relations."""

    triples: tuple[Triple, ...]
    patterns: dict[str, tuple[str, ...]]

    def training(self) -> tuple[Triple, ...]:
        return tuple(triple for triple in self.triples if not triple.held_out)

    def held_out(self) -> tuple[Triple, ...]:
        return tuple(triple for triple in self.triples if triple.held_out)


def read_facts(folder: Path) -> FactBook:
    """Read both files; triples of a relation without a pattern can't be told and are left out."""
    patterns: dict[str, list[str]] = {}
    for relation, _, pattern in read_table(folder / PATTERNS_FILE, columns=3):
        patterns.setdefault(relation, []).append(pattern)
    triples = tuple(
        Triple(relation, subject, object_)
        for relation, _, subject, object_ in read_table(folder / FACTS_FILE, columns=4)
        if relation in patterns
    )
    if not triples:
        raise InputError(f"no relation of {folder / FACTS_FILE} has a pattern in {PATTERNS_FILE}")
    return FactBook(triples, {name: tuple(found) for name, found in patterns.items()})


def tell(triple: Triple, pattern: str, *, object_: str | None = None) -> str:
    """The pattern's sentence about the triple; `object_` stands in for the object.

    Example: tell(Triple("P36", "France", "Paris"), "[Y] is the capital of [X].")
    -> "Paris is the capital of France."
    """
    told = triple.object if object_ is None else object_
    return pattern.replace("[X]", triple.subject).replace("[Y]", told)
