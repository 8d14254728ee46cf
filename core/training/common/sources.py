"""The data that several recipes read, with the credit each is owed."""

from core.training.common.card import Source
from core.training.common.texts import CHAPTER_SHARE, HELD_OUT_SHARE

WIKIPEDIA = Source(
    f"51,405 English Wikipedia articles (July 2019; one in {HELD_OUT_SHARE} held out)",
    "CC BY-SA 3.0",
    "Wikipedia contributors",
)
_BOOKS = "84 classic children's and adventure books"
BOOKS = Source(_BOOKS, "public domain", "their authors")
BOOKS_BUT_SOME_CHAPTERS = Source(
    f"{_BOOKS} (one chapter in {CHAPTER_SHARE} held out, not whole books)",
    "public domain",
    "their authors",
)
ENGLISH_SENTENCES = Source(
    "Tatoeba: the English sides of English–German and English–French sentence pairs "
    "(one sentence in 100 held out)",
    "CC BY 2.0 FR",
    "Tatoeba's contributors, via manythings.org/anki",
)
FACTS = Source(
    "ParaRel: facts in sentence patterns (one pair of names in 20 held out)",
    "MIT (triples: T-REx/Wikidata, CC0)",
    "Elazar et al. 2021, https://arxiv.org/abs/2102.01017",
)
