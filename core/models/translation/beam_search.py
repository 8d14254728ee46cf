"""Beam search with everything it looked at: live, finished and pruned hypotheses of every step.

Scores are Σ −log P in nats: at least 0, and smaller is better. What Wu et al. 2016,
https://arxiv.org/abs/1609.08144, and transformers' `generate` maximise is the negative of it.
No model here: `next_log_probabilities` says how a list of hypotheses may go on.

With both margins off, the result is `generate`'s (num_beams > 1, early_stopping=False): of
2 × beams candidates, an end counts among the first `beams`, the first `beams` others live on,
and the search stops when the best live hypothesis, divided by the penalty of its present
length, is no better than the worst of `beams` finished ones. One beam is greedy decoding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float32

from core.outputs.translation import Fate, SearchSettings


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hypothesis: a node of the tree. Node 0 is the empty hypothesis."""

    node: int
    parent: int  # -1 for the root
    token: int
    word_score: float  # −log P of its last token
    score: float  # Σ −log P of all its tokens
    normalised: float  # score ÷ penalty of its length
    fate: Fate


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One more token: the candidates that came near the beam, best score first."""

    length: int  # tokens of each candidate
    candidates: tuple[Candidate, ...]

    @property
    def live(self) -> tuple[Candidate, ...]:
        return tuple(one for one in self.candidates if one.fate == Fate.LIVE)

    @property
    def finished(self) -> tuple[Candidate, ...]:
        return tuple(one for one in self.candidates if one.fate in (Fate.FINISHED, Fate.LIMIT))


@dataclass(frozen=True, slots=True)
class Search:
    """All steps, and the finished hypotheses, best normalised score first, at most `beams`."""

    steps: tuple[SearchStep, ...]
    finished: tuple[Candidate, ...]

    def path(self, node: int) -> tuple[Candidate, ...]:
        """A hypothesis from its first token to its last."""
        by_node = {one.node: one for step in self.steps for one in step.candidates}
        found: list[Candidate] = []
        while node > 0:
            found.append(by_node[node])
            node = by_node[node].parent
        return tuple(reversed(found))


# (hypotheses as token lists, the row of the last call that each goes on from) -> log P
Continue = Callable[[Sequence[Sequence[int]], Sequence[int]], Float32[np.ndarray, "live token"]]
ROOT = Candidate(0, -1, -1, 0.0, 0.0, 0.0, Fate.LIVE)


def beam_search(next_log_probabilities: Continue, settings: SearchSettings, *, end: int) -> Search:
    """Search for the hypothesis with the smallest normalised score. `end`: the end's token."""
    live: list[tuple[Candidate, tuple[int, ...]]] = [(ROOT, ())]
    rows = [0]
    steps: list[SearchStep] = []
    finished: list[Candidate] = []
    nodes = 1
    for length in range(1, settings.limit + 1):
        log_p = next_log_probabilities([tokens for _, tokens in live], rows)
        candidates, origins = _candidates(log_p, [one for one, _ in live], nodes, length, settings)
        nodes += len(candidates)
        candidates = _fates(candidates, finished, end, length, settings)
        step = SearchStep(length, tuple(candidates))
        steps.append(step)
        finished = sorted((*finished, *step.finished), key=lambda one: one.normalised)
        finished = finished[: settings.beams]
        going_on = [
            (one, origin)
            for one, origin in zip(candidates, origins, strict=True)
            if one.fate == Fate.LIVE
        ]
        rows = [origin for _, origin in going_on]
        live = [(one, (*live[origin][1], one.token)) for one, origin in going_on]
        if not live or _is_settled(live[0][0], finished, length, settings):
            break
    return Search(tuple(steps), tuple(finished))


def _candidates(
    log_p: Float32[np.ndarray, "live token"],
    live: Sequence[Candidate],
    first_node: int,
    length: int,
    settings: SearchSettings,
) -> tuple[list[Candidate], list[int]]:
    """The best 2 × beams continuations, and as many that the word margin lets through."""
    totals = log_p + np.array([-one.score for one in live], dtype=np.float32)[:, None]
    allowed = np.isfinite(log_p)
    within = allowed
    if settings.word_margin is not None:
        within = allowed & (log_p >= log_p.max() - settings.word_margin)
    chosen = set(_best(totals, allowed, 2 * settings.beams))
    chosen |= set(_best(totals, within, 2 * settings.beams))
    flat, vocabulary = totals.ravel(), log_p.shape[1]
    candidates: list[Candidate] = []
    origins: list[int] = []
    for place in sorted(chosen, key=lambda place: -flat[place]):
        origin, token = divmod(place, vocabulary)
        score = -float(flat[place])
        candidates.append(
            Candidate(
                node=first_node + len(candidates),
                parent=live[origin].node,
                token=token,
                word_score=-float(log_p[origin, token]),
                score=score,
                normalised=score / settings.penalty(length),
                fate=Fate.LIVE if within[origin, token] else Fate.WORD_MARGIN,
            )
        )
        origins.append(origin)
    return candidates, origins


def _best(totals: np.ndarray, allowed: np.ndarray, count: int) -> list[int]:
    """Flat places of the `count` largest totals that are allowed, largest first."""
    flat = np.where(allowed, totals, -np.inf).ravel()
    count = min(count, int(allowed.sum()))
    places = np.argpartition(-flat, count - 1)[:count]
    return places[np.argsort(-flat[places], kind="stable")].tolist()


def _fates(
    candidates: Sequence[Candidate],
    finished: Sequence[Candidate],
    end: int,
    length: int,
    settings: SearchSettings,
) -> list[Candidate]:
    """Who ends, who lives on, who is dropped; by rank among those the word margin let through."""
    decided: list[Candidate] = []
    rank = n_live = 0
    for one in candidates:
        fate = one.fate
        if fate == Fate.LIVE:
            in_beam = rank < settings.beams
            rank += 1
            if one.token == end:
                fate = Fate.FINISHED if in_beam else Fate.OUTSIDE
            elif length == settings.limit:
                fate = Fate.LIMIT if in_beam else Fate.OUTSIDE
            elif n_live == settings.beams:
                fate = Fate.OUTSIDE
            else:
                n_live += 1
        decided.append(replace(one, fate=fate))
    if settings.beams == 1 and decided and _first(decided).fate == Fate.FINISHED:
        decided = [  # greedy: the most probable word was the end
            replace(one, fate=Fate.OUTSIDE) if one.fate == Fate.LIVE else one for one in decided
        ]
    return _within_margin(decided, finished, settings.hypothesis_margin)


def _first(candidates: Sequence[Candidate]) -> Candidate:
    return next(one for one in candidates if one.fate != Fate.WORD_MARGIN)


def _within_margin(
    candidates: list[Candidate], finished: Sequence[Candidate], margin: float | None
) -> list[Candidate]:
    ended = [one for one in candidates if one.fate in (Fate.FINISHED, Fate.LIMIT)]
    scores = [one.normalised for one in (*finished, *ended)]
    if margin is None or not scores:
        return candidates
    worst = min(scores) + margin
    return [
        replace(one, fate=Fate.HYPOTHESIS_MARGIN)
        if one.fate in (Fate.LIVE, Fate.FINISHED, Fate.LIMIT) and one.normalised > worst
        else one
        for one in candidates
    ]


def _is_settled(
    best: Candidate, finished: Sequence[Candidate], length: int, settings: SearchSettings
) -> bool:
    """Whether no live hypothesis is better, at its present length, than all finished ones."""
    full = len(finished) == settings.beams
    return full and best.score / settings.penalty(length) >= finished[-1].normalised
