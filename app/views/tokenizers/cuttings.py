"""Trainings and cuttings as bars over letters and rows of a table; no Streamlit here."""

import math
from collections import Counter
from collections.abc import Container, Sequence
from fractions import Fraction
from typing import Final

from app.components.piece_bars import Bar, PieceBars, Row, Section, packed
from app.services import engine
from app.style.number_format import three
from app.style.visible_space import joined
from app.style.worked import Step, follow, term, total
from core.tokenization import bpe, unigram, wordpiece
from core.tokenization.unigram import Lattice, UnigramModel
from core.tokenization.wordpiece import PREFIX, UNKNOWN, WordPieceStep, WordPieceTraining

COURSE = {
    "h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5,
}  # fmt: skip
"""Every substring of hug, pug, pun, bun, hugs seen twice: Hugging Face course, chapter 6."""

LONGEST_WORD = 40  # letters that are drawn
MOST_TRIES = 12  # vain tries of one search that are drawn
DRAWS = 200  # random cuttings that are counted
PIECE_BYTES: Final = 128  # that a piece takes where cuttings are kept by it


def search_section(word: str, vocabulary: dict[str, int], title: str) -> Section:
    """WordPiece's longest match: a row a try, the ones in vain struck out."""
    found = wordpiece.encode(word, vocabulary)
    rows: list[Row] = []
    for number, step in enumerate(found.steps, start=1):
        left_out = max(0, len(step.tried) - MOST_TRIES)
        for place, piece in enumerate(step.tried[left_out:]):
            end = step.start + len(piece) - (len(PREFIX) if step.start else 0)
            bar = Bar(step.start, end, piece, state="failed", tip=(piece, "not in the vocabulary"))
            note = f"after {left_out} longer ones" if left_out and not place else ""
            rows.append(Row((bar,), f"search {number}" if not place else "", note))
        if step.found is not None:
            tip = (step.found, f"id {vocabulary[step.found]}, the longest that fits here")
            bar = Bar(step.start, step.end, step.found, state="lit", tip=tip)
            rows.append(Row((bar,), "" if step.tried else f"search {number}", "taken"))
    if found.tokens == (UNKNOWN,):
        why = "nothing fits here" if found.steps else "more than 100 letters"
        bar = Bar(0, len(word), UNKNOWN, state="unknown", tip=(UNKNOWN, why))
        rows.append(Row((bar,), "result", f"{why}: the whole word is lost"))
    return Section(title, tuple(rows), joined=found.tokens != (UNKNOWN,))


def tokens_row(
    word: str, tokens: Sequence[str], name: str, *, vocabulary: Container[str], prefix: str = ""
) -> Row:
    """A cutting as one row; tokens stand one after the other."""
    bars: list[Bar] = []
    place = 0
    for number, token in enumerate(tokens):
        unknown = token not in vocabulary
        hidden = len(prefix) if number and token.startswith(prefix) else 0
        end = len(word) if token == UNKNOWN else min(len(word), place + len(token) - hidden)
        tip = (token, f"{name}: not in the vocabulary") if unknown else (token, name)
        state = "unknown" if unknown else "plain"
        bars.append(Bar(place, end, token, strength=0.3, state=state, tip=tip))
        place = end
    plural = "" if len(tokens) == 1 else "s"
    return Row(tuple(bars), name, f"{len(tokens)} token{plural}")


def lattice_figure(
    word: str, model: UnigramModel, *, best: int, alpha: float, seed: int
) -> PieceBars:
    """All cuttings as a lattice, the best ones, and some that are drawn at random."""
    found = unigram.lattice(word, model)
    sections = [
        Section(f"All {len(found.edges)} pieces that fit", _lattice_rows(found), joined=True),
        _best_section(word, model, best),
        _drawn_section(word, model, alpha, seed),
    ]
    return PieceBars(
        letters=tuple(word),
        sections=tuple(sections),
        label=f"The lattice of {word}, its best cuttings, and random ones",
        caption=f"Unigram: {word}; the best path is lit, colour is the posterior",
        marks=tuple(three(node.best_log_probability) for node in found.nodes),
        marks_title="best ln P so far",
    )


def _lattice_rows(found: Lattice) -> tuple[Row, ...]:
    bars: list[Bar] = []
    for edge in found.edges:
        before = found.nodes[edge.start].best_log_probability
        best = found.nodes[edge.end].best_log_probability
        own = edge.log_probability
        is_best = math.isclose(before + own, best, abs_tol=1e-12)
        verdict = "the best way to come here" if is_best else f"the best is {three(best)}"
        said = follow(
            {"p": math.exp(own), "own": own, "before": before, "sum": before + own},
            [
                Step("own", ("p",), math.log),
                Step("sum", ("before", "own"), total),
            ],
        )
        tip = (
            edge.piece + (" (no piece: unknown)" if edge.unknown else ""),
            f"p = {said['p']}, ln p = {said['own']}",
            f"Viterbi: {said['before']} + {term(said['own'])} = {said['sum']} · {verdict}",
            f"in {three(100 * edge.posterior)} % of random cuttings (α = 1)",
        )
        state = "lit" if edge.best else "plain"
        bars.append(Bar(edge.start, edge.end, edge.piece, edge.posterior, state, tip))
    return packed(bars)


def _best_section(word: str, model: UnigramModel, best: int) -> Section:
    rows = tuple(
        Row(
            _cut_bars(cutting.tokens, cutting.share),
            f"{rank}.",
            f"P = {three(math.exp(cutting.log_probability))} · share {three(cutting.share)}",
        )
        for rank, cutting in enumerate(unigram.n_best(word, model, best), start=1)
    )
    return Section(f"The {len(rows)} most probable cuttings", rows)


def _drawn_section(word: str, model: UnigramModel, alpha: float, seed: int) -> Section:
    pieces = tuple(model.log_probabilities.items())
    counts = engine.derived(
        ("random cuttings", word, pieces, model.unknown, alpha, seed),
        lambda: Counter(
            unigram.sample(word, model, alpha, seed + draw).tokens for draw in range(DRAWS)
        ),
        lambda _: PIECE_BYTES * len(pieces),
    )
    rows = tuple(
        Row(_cut_bars(tokens, count / DRAWS), f"{count} ×", f"{count / DRAWS:.3g} of the draws")
        for tokens, count in counts.most_common(5)
    )
    return Section(f"{DRAWS} drawn at random, α = {alpha:g}: the five most frequent", rows)


def _cut_bars(tokens: Sequence[str], strength: float) -> tuple[Bar, ...]:
    bars: list[Bar] = []
    place = 0
    for token in tokens:
        bars.append(Bar(place, place + len(token), token, strength))
        place += len(token)
    return tuple(bars)


def bpe_steps(training: bpe.BPETraining) -> dict[str, list[str]]:
    """BPE's merges as columns: what was glued, its count, how many pairs had as many."""
    return {
        "pair": [joined(step.pair) for step in training.steps],
        "token": [step.token for step in training.steps],
        "count": [f"{step.count}{_tie(step.n_tied)}" for step in training.steps],
    }


def wordpiece_steps(training: WordPieceTraining) -> dict[str, list[str]]:
    """WordPiece's merges as columns, with the fraction that decided."""
    likelihood = training.score is wordpiece.Score.LIKELIHOOD
    return {
        "pair": [joined(step.pair) for step in training.steps],
        "token": [step.token for step in training.steps],
        "score" if likelihood else "count": [
            (_score(step) if likelihood else str(step.count)) + _tie(step.n_tied)
            for step in training.steps
        ],
    }


def _score(step: WordPieceStep) -> str:
    value = Fraction(step.count, step.left_count * step.right_count)
    return f"{step.count}/({step.left_count}·{step.right_count}) = {value}"


def _tie(n_tied: int) -> str:
    return f" · {n_tied} tied" if n_tied > 1 else ""
