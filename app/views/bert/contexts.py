"""One word in several sentences, as values: where it stands, its vector in every layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from app.services import encoder
from app.services.engine import TextTrace
from core.explain.embeddings.contextual_vectors import (
    baseline,
    find_word,
    similarities,
    word_vector,
)


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """The sentences that have the word, and its vectors."""

    sentences: tuple[str, ...]
    missing: tuple[str, ...]  # sentences without the word
    pieces: tuple[tuple[str, ...], ...]  # the word's tokens in each sentence
    vectors: Float32[np.ndarray, "layer sentence d_model"]  # layer 0: the embeddings
    cosines: Float32[np.ndarray, "layer sentence sentence"]
    baselines: Float32[np.ndarray, " layer"]  # mean cosine of words of different sentences

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + self.cosines.nbytes + self.baselines.nbytes

    @property
    def last_layer(self) -> int:
        return len(self.vectors) - 1


@dataclass(frozen=True, slots=True)
class Parting:
    """Cosines of pairs of sentences that use a word alike, and of pairs that do not."""

    alike: tuple[float, float]  # least and most
    other: tuple[float, float]
    mixed: int  # pairs of different senses above the least alike pair of one sense
    n_other: int


def parting(cosines: Float32[np.ndarray, "sentence sentence"], senses: str) -> Parting | None:
    """Do the senses, one letter a sentence, part? None where either kind of pair is missing."""
    rows, columns = np.triu_indices(len(senses), 1)
    given = np.array(list(senses))
    same = given[rows] == given[columns]
    values = cosines[rows, columns]
    alike, other = values[same], values[~same]
    if not len(alike) or not len(other):
        return None
    return Parting(
        alike=(float(alike.min()), float(alike.max())),
        other=(float(other.min()), float(other.max())),
        mixed=int((other >= alike.min()).sum()),
        n_other=len(other),
    )


def contexts_of(
    word: str, sentences: Sequence[str], traces: Sequence[TextTrace]
) -> Contexts | None:
    """The word's vectors in the sentences that have it; None if fewer than two do."""
    found: list[tuple[str, tuple[int, ...], TextTrace]] = []
    missing: list[str] = []
    for sentence, traced in zip(sentences, traces, strict=True):
        places = find_word(encoder.encoding_of(traced.trace), sentence, word)
        if places:
            found.append((sentence, places, traced))
        else:
            missing.append(sentence)
    if len(found) < 2:
        return None
    states = [traced.trace.hidden_states() for _, _, traced in found]
    vectors = np.stack(
        [
            np.stack(
                [
                    word_vector(s[layer], places)
                    for s, (_, places, _) in zip(states, found, strict=True)
                ]
            )
            for layer in range(len(states[0]))
        ]
    )
    others = [_other_words(traced, places) for _, places, traced in found]
    baselines = [
        baseline([state[layer][rows] for state, rows in zip(states, others, strict=True)])
        for layer in range(len(states[0]))
    ]
    tokens = tuple(
        tuple(traced.trace.tokens[place] for place in places) for _, places, traced in found
    )
    return Contexts(
        sentences=tuple(sentence for sentence, _, _ in found),
        missing=tuple(missing),
        pieces=tokens,
        vectors=vectors,
        cosines=similarities(vectors),
        baselines=np.array(baselines, dtype=np.float32),
    )


def _other_words(traced: TextTrace, places: Sequence[int]) -> np.ndarray:
    """The sentence's tokens but for the word itself and the special ones."""
    kept = ~encoder.encoding_of(traced.trace).special
    kept[list(places)] = False
    return np.flatnonzero(kept)
