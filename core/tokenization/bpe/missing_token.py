"""Why a wanted token is not in a word's encoding: which earlier merge took its letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.tokenization.bpe.encoding import EncodeStep, Encoding, MergeNode
from core.tokenization.bpe.segmentation import Pair


class Verdict(StrEnum):
    """What became of the wanted token."""

    IS_THERE = "is there"
    NOT_IN_WORD = "not in the word"
    NO_RULE = "no rule makes it"
    ABSORBED = "made, and then absorbed"
    LETTERS_TAKEN = "an earlier merge took a letter"
    PARTS_MISSING = "its parts were not made"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The fate of a wanted token at one place of a word."""

    wanted: str
    verdict: Verdict
    span: tuple[int, int] | None
    """Initial symbols that it would cover."""
    rule: int | None
    """Rank of the first rule that makes the wanted token."""
    step: int | None
    """Index of the step that took its letters, or absorbed it."""
    taken_by: EncodeStep | None
    taken_span: tuple[int, int] | None
    """Initial symbols of the token that this step made."""


def why_not(encoding: Encoding, wanted: str, merges: Sequence[Pair]) -> tuple[WhyNot, ...]:
    """Follow a wanted token at each place of the word where its letters stand."""
    rule = next((rank for rank, pair in enumerate(merges) if "".join(pair) == wanted), None)
    spans = _spans(encoding.symbols, wanted)
    if not spans:
        return (WhyNot(wanted, Verdict.NOT_IN_WORD, None, rule, None, None, None),)
    return tuple(_fate(encoding, wanted, span, rule) for span in spans)


def _fate(encoding: Encoding, wanted: str, span: tuple[int, int], rule: int | None) -> WhyNot:
    start, end = span
    final = [(node.start, node.end) for node in encoding.tree]
    if span in final:
        return WhyNot(wanted, Verdict.IS_THERE, span, rule, None, None, None)
    inside = [node for node in _nodes(encoding.tree) if node.start < end and start < node.end]
    made = any((node.start, node.end) == span for node in inside)
    # inner nodes in the order in which they were made
    grown = sorted((node for node in inside if node.step is not None), key=lambda n: n.step or 0)
    thief = next((node for node in grown if node.start < start or node.end > end), None)
    if rule is None and not made and end - start > 1:
        verdict = Verdict.NO_RULE
    elif made and thief is not None:
        verdict = Verdict.ABSORBED
    elif thief is not None:
        verdict = Verdict.LETTERS_TAKEN
    else:
        verdict = Verdict.PARTS_MISSING
    if thief is None or thief.step is None:
        return WhyNot(wanted, verdict, span, rule, None, None, None)
    taken = encoding.steps[thief.step]
    return WhyNot(wanted, verdict, span, rule, thief.step, taken, (thief.start, thief.end))


def _nodes(tree: Sequence[MergeNode]) -> list[MergeNode]:
    found: list[MergeNode] = []
    waiting = list(tree)
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children)
    return found


def _spans(symbols: Sequence[str], wanted: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start in range(len(symbols)):
        text, end = "", start
        while end < len(symbols) and len(text) < len(wanted):
            text += symbols[end]
            end += 1
        if text == wanted:
            spans.append((start, end))
    return spans
