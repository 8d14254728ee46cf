"""How well every head of a text model finds who belongs to whom, measured once for all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.services import engine, models
from core.catalog import Family
from core.data.aligned_pairs import aligned_pairs
from core.data.treebank import parsed_sentences
from core.engine import Job, Lane
from core.errors import InputError
from core.explain.attention.relation_heads import RelationHeads, hits, relation_heads
from core.explain.attention.relations import ParsedSentence, Relation, aligned_links, links_of
from core.explain.attention.word_looks import WordLooks
from core.long_work import Progress, Report
from core.outputs.families import TextModel
from core.outputs.head_measures import WordedText
from core.trace import AttentionKind

SLICE: Final = 10  # sentences at a time: what others ask comes in between
ABANDONED: Final = 20.0  # seconds without anybody asking, after which it ends
SIZE: Final = 4_000_000  # bytes at most of what is kept of a model


@dataclass(frozen=True, slots=True)
class Example:
    """A link of a built-in sentence, and who looks where."""

    sentence: ParsedSentence
    word: int  # who looks
    found: int  # where the head looks most
    right: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Every relation that the model's heads could be asked for."""

    table: tuple[RelationHeads, ...]
    sentences: tuple[ParsedSentence, ...]  # that the model's tokens fit
    looks: tuple[WordLooks, ...]

    def example(self, found: RelationHeads, head: int) -> Example:
        """Where this head is right and the best guess is not, as clearly as anywhere.

        Without such a link, the clearest right one; without that, the clearest.
        """
        return _example(self, found.relation, found.baseline, head)


@lru_cache(maxsize=64)  # what was measured of a model is equal only to itself
def _example(measured: Relations, relation: Relation, baseline: str, head: int) -> Example:
    ranked = [
        ((right, right and not guessed, share), example)
        for right, guessed, share, example in _links_of(measured, relation, baseline, head)
    ]
    if not ranked:
        raise ValueError(f"no sentence has {relation}")
    return max(ranked, key=lambda one: one[0])[1]


def _links_of(
    measured: Relations, relation: Relation, baseline: str, head: int
) -> Iterator[tuple[bool, bool, float, Example]]:
    """Of every link: whether the head is right, and the guess; how much the word gets."""
    for sentence, looks in zip(measured.sentences, measured.looks, strict=True):
        links = links_of(sentence).get(relation)
        if links is None:
            continue
        for word, right in hits(links, looks).items():
            guessed = int(links.guesses[baseline][word]) in links.right[word]
            example = Example(sentence, word, int(looks.most[head, word]), links.right[word])
            yield bool(right[head]), guessed, float(looks.shares[head, word]), example


def of_model(model_id: str, *, written: bool) -> Job[Relations]:
    """On its way; `written`: by α‖f(x)‖. Raises what `TextModel.word_looks` raises."""
    return engine.start(
        ("relations", model_id, written),
        lambda report: measured(model_id, written=written, report=report),
        Lane.MEASUREMENTS,
        nbytes=lambda _: SIZE,
        patience=ABANDONED,
    )


def measured(model_id: str, *, written: bool, report: Report) -> Relations:
    """The same here and now: every sentence, a few at a time."""
    card = models.card_of(model_id)
    # An encoder sees no target: any will do, and the model need not decode one.
    target = "." if card is not None and card.family == Family.TRANSLATOR else None
    every = parsed_sentences()
    texts = [WordedText(one.text, one.spans, target) for one in every]
    found = _looks(model_id, texts, report, written=written)
    known = [(one, looks) for one, looks in zip(every, found, strict=True) if looks is not None]
    if not known:
        raise InputError("This model's tokens have no places in the text: words can't be told.")
    sentences, looks = zip(*known, strict=True)
    return Relations(relation_heads([links_of(one) for one in sentences], looks), sentences, looks)


def aligned(model_id: str, *, written: bool, report: Report) -> tuple[RelationHeads, ...]:
    """How well a translator's heads find what the word to be written next translates."""
    pairs = aligned_pairs()
    texts = [WordedText(one.source, one.source_spans, one.target) for one in pairs]
    found = _looks(model_id, texts, report, written=written, kind=AttentionKind.CROSS)
    known = [(one, looks) for one, looks in zip(pairs, found, strict=True) if looks is not None]
    links = [
        aligned_links(one.links, len(one.source.split()), len(one.target.split()))
        for one, _ in known
    ]
    return relation_heads(links, [looks for _, looks in known]) if known else ()


def _looks(
    model_id: str,
    texts: Sequence[WordedText],
    report: Report,
    *,
    written: bool,
    kind: AttentionKind | None = None,
) -> list[WordLooks | None]:
    found: list[WordLooks | None] = []
    ahead = kind == AttentionKind.CROSS
    for start in range(0, len(texts), SLICE):
        report(Progress("sentences", start, len(texts)))
        part = tuple(texts[start : start + SLICE])
        asked = engine.ask(
            TextModel.word_looks, model_id, part, kind=kind, written=written, ahead=ahead
        )
        found += asked.result()
    return found
