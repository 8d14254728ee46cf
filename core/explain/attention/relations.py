"""Who a word should look at, by syntax and reference: the questions that heads are scored on.

Clark et al. 2019, https://arxiv.org/abs/1906.04341, sections 4.2 and 4.3: a head finds a relation
if the word it most looks at is the right one, and has to beat the best guess without a model.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from jaxtyping import Int64
from typing_extensions import override

ROOT: Final = -1
NOWHERE: Final = -1
FARTHEST: Final = 8  # words: offsets that a baseline tries
UNSCORED: Final = frozenset({"root", "punct"})
NOUNS: Final = frozenset({"NOUN", "PROPN"})
ALL: Final = "any"
COREFERENCE: Final = "coreference"
TRANSLATION: Final = "translation"
NEAREST_NOUN: Final = "last noun"

Guess = Int64[np.ndarray, " query"]  # a word for each, NOWHERE for none


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """One sentence, its words counted from 0."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]  # characters [start, end) of each word
    tags: tuple[str, ...]  # universal parts of speech
    heads: tuple[int, ...]  # the word that each hangs on, ROOT for one
    relations: tuple[str, ...]  # how it hangs there
    antecedents: tuple[tuple[int, int], ...]  # a pronoun, and the word that it stands for


class Relation(NamedTuple):
    """What is looked for, and which way."""

    label: str  # of Universal Dependencies, ALL, COREFERENCE, or TRANSLATION
    towards: Literal["head", "dependent", "antecedent", "source"]  # from the link's other end

    @override
    def __str__(self) -> str:
        """ "det → governor": who looks at whom."""
        if self.towards == "dependent":
            return f"governor → {self.label}"
        asked = "pronoun" if self.label == COREFERENCE else self.label
        return f"{asked} → {'governor' if self.towards == 'head' else self.towards}"


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """One relation in one sentence: who looks, and which words are right."""

    right: Mapping[int, frozenset[int]]
    guesses: Mapping[str, Guess]  # what may be guessed without a model, by name


def links_of(sentence: ParsedSentence) -> Mapping[Relation, Links]:
    """Every relation of a sentence, towards heads and towards dependents, and its pronouns.

    A word with several dependents of a kind may look at any. ALL holds every word's head.
    """
    right: dict[Relation, dict[int, set[int]]] = {}
    for word, (head, label) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if label in UNSCORED:
            continue
        for name in (label, ALL):
            right.setdefault(Relation(name, "head"), {})[word] = {head}
        right.setdefault(Relation(label, "dependent"), {}).setdefault(head, set()).add(word)
    for pronoun, antecedent in sentence.antecedents:
        right.setdefault(Relation(COREFERENCE, "antecedent"), {})[pronoun] = {antecedent}
    offsets = offset_guesses(np.arange(len(sentence.words)), len(sentence.words))
    with_nouns = {**offsets, NEAREST_NOUN: _nearest_noun(sentence)}
    return {
        relation: Links(
            {word: frozenset(words) for word, words in of_words.items()},
            with_nouns if relation.label == COREFERENCE else offsets,
        )
        for relation, of_words in right.items()
    }


def aligned_links(
    pairs: Iterable[tuple[int, int]], n_source: int, n_target: int
) -> Mapping[Relation, Links]:
    """Of a target's words the source's: pairs are (source word, target word).

    A guess stands so many places from where as much of the source is said as of the target.
    """
    right: dict[int, set[int]] = {}
    for source, target in pairs:
        right.setdefault(target, set()).add(source)
    anchors = np.rint(np.arange(n_target) * (n_source - 1) / max(1, n_target - 1))
    links = {word: frozenset(words) for word, words in right.items()}
    guesses = offset_guesses(anchors.astype(np.int64), n_source)
    return {Relation(TRANSLATION, "source"): Links(links, guesses)}


def offset_guesses(anchors: Int64[np.ndarray, " query"], n_keys: int) -> Mapping[str, Guess]:
    """The key that stands so many places from each query's anchor; NOWHERE past an end."""
    found: dict[str, Guess] = {}
    for offset in range(-FARTHEST, FARTHEST + 1):
        places = anchors + offset
        inside = (places >= 0) & (places < n_keys)
        found[f"{offset:+d}".replace("-", "−")] = np.where(inside, places, NOWHERE)
    return found


def _nearest_noun(sentence: ParsedSentence) -> Guess:
    found: list[int] = []
    nearest = NOWHERE
    for place, tag in enumerate(sentence.tags):
        found.append(nearest)
        nearest = place if tag in NOUNS else nearest
    return np.array(found)
