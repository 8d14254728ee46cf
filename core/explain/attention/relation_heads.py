"""Every head as a finder of every relation, against the best guess without a model.

The table of Clark et al. 2019, https://arxiv.org/abs/1906.04341, section 4.2: without the baseline,
a head that looks two words ahead would find most objects. Intervals are bootstrapped over
sentences. The best of many heads is best by luck, too: `held_out` chooses it on every other
sentence and scores it on the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64

from core.explain.attention.head_roles import RoleScore
from core.explain.attention.relations import Links, Relation
from core.explain.attention.word_looks import WordLooks
from core.explain.attribution.bootstrap import Interval, ratio_intervals

FEWEST_LINKS: Final = 12  # for a line of the table
MANY_LINKS: Final = 20  # for a label
Scored = Mapping[Relation, Links]


@dataclass(frozen=True, slots=True, eq=False)
class RelationHeads:
    """How well each head finds one relation. Shares are of all links that may be seen."""

    relation: Relation
    heads: tuple[tuple[int, int], ...]  # (layer, head)
    n_links: int
    n_sentences: int  # that have one
    baseline: str  # the best guess without a model
    baseline_accuracy: float
    accuracy: tuple[Interval, ...]  # a head each
    above: tuple[Interval, ...]  # accuracy − the baseline's, link by link
    held_out: float

    @property
    def best(self) -> int:
        """The most accurate head."""
        return int(np.argmax([found.mean for found in self.accuracy]))


def relation_heads(
    sentences: Sequence[Scored], looks: Sequence[WordLooks]
) -> tuple[RelationHeads, ...]:
    """Every relation that has FEWEST_LINKS, in the order in which they come.

    A link counts where the mask lets one end see the other: heads that look back alone are asked
    what they can see, and so are the guesses. Raises ValueError for no sentence.
    """
    if not looks:
        raise ValueError("there is nothing to score without a sentence")
    relations = dict.fromkeys(relation for one in sentences for relation in one)
    found = (_of_relation(relation, sentences, looks) for relation in relations)
    return tuple(one for one in found if one is not None)


def role_scores(
    table: Sequence[RelationHeads], n_inputs: int
) -> Mapping[tuple[int, int], RoleScore]:
    """Of every head the relation that it finds most surely above the best guess, as a role's score.

    Relations of fewer links than MANY_LINKS are left out. n_inputs: sentences that were read.
    """
    scores: dict[tuple[int, int], RoleScore] = {}
    for one in table:
        if one.n_links < MANY_LINKS:
            continue
        for head, accuracy, above in zip(one.heads, one.accuracy, one.above, strict=True):
            if head not in scores or above.low > scores[head].above.low:
                score = (accuracy.mean, one.baseline_accuracy, above, n_inputs)
                scores[head] = RoleScore(*score, of=str(one.relation))
    return scores


def hits(links: Links, looks: WordLooks) -> dict[int, np.ndarray]:
    """(head,) whether each finds it, by the word that looks, of the links that may be seen."""
    return {
        word: np.isin(looks.most[:, word], list(seen))
        for word, right in links.right.items()
        if (seen := {key for key in right if looks.visible[word, key]})
    }


def _of_relation(
    relation: Relation, sentences: Sequence[Scored], looks: Sequence[WordLooks]
) -> RelationHeads | None:
    sums: list[np.ndarray] = []  # (head,) a sentence each
    guessed: list[np.ndarray] = []  # (guess,)
    counts: list[int] = []
    names: tuple[str, ...] = ()
    for one, seen in zip(sentences, looks, strict=True):
        if relation not in one or not (by_word := hits(one[relation], seen)):
            continue
        links = one[relation]
        names = tuple(links.guesses)
        sums.append(np.sum(list(by_word.values()), axis=0))
        right = [
            [guess[word] in links.right[word] for word in by_word]
            for guess in links.guesses.values()
        ]
        guessed.append(np.sum(right, axis=1))
        counts.append(len(by_word))
    if sum(counts) < FEWEST_LINKS:
        return None
    found, guesses, of = np.array(sums, float), np.array(guessed, float), np.array(counts, float)
    best = int(guesses.sum(axis=0).argmax())
    return RelationHeads(
        relation=relation,
        heads=looks[0].heads,
        n_links=int(of.sum()),
        n_sentences=len(of),
        baseline=names[best],
        baseline_accuracy=float(guesses[:, best].sum() / of.sum()),
        accuracy=ratio_intervals(found, of),
        above=ratio_intervals(found - guesses[:, [best]], of),
        held_out=_held_out(found, of),
    )


def _held_out(found: Float64[np.ndarray, "sentence head"], of: np.ndarray) -> float:
    """Chosen on one half of the sentences, scored on the other, both ways round."""
    halves = np.arange(len(of)) % 2 == 0
    scored = sum(
        found[half, int(found[~half].sum(axis=0).argmax())].sum() for half in (halves, ~halves)
    )
    return float(scored / of.sum())
