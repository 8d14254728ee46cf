"""The app's only door to the core: submit requests, get values.

Nothing here imports torch: the engine does so in its own thread, once, while the first
page is already on the screen.
"""

import gc
import os
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from app.content.examples import ATTENTION
from core.catalog import CATALOG, Family, ModelCard, Origin
from core.catalog.checkpoints import card_sheet, is_on_board, locate
from core.engine import EmbeddedEngine, Request
from core.errors import InputError
from core.explain.attention.head_overview import HeadOverview, head_overview
from core.explain.attention.worked_weight import WorkedCell, worked_cell
from core.trace import AttentionKind, Encoding, Trace

DEFAULT_MODEL = "minilm-l6"
DEFAULT_TEXT = ATTENTION[0].text
ONCE = threading.Lock()
COLLECTION_PAUSE = 5.0  # seconds between the garbage collections that reruns no longer do
OWN_CHECKPOINTS = "GLASSFORMER_CHECKPOINTS"  # directories, separated as in PATH
TEXT_FAMILIES = (Family.TEXT_ENCODER, Family.TEXT_DECODER, Family.TRANSLATOR)


@cache
def _only_engine() -> EmbeddedEngine:
    return EmbeddedEngine()


def engine() -> EmbeddedEngine:
    """The process's one engine; `cache` alone would let two first callers make two."""
    with ONCE:
        return _only_engine()


@dataclass(frozen=True)
class Models:
    """What a picker offers, and what is wrong with the server's own directories."""

    cards: tuple[ModelCard, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class TextTrace:
    """A trace and the request that it answers, by which all that follows from it is cached."""

    request: Request
    trace: Trace


@cache
def text_models() -> Models:
    """Every text model: those on board first, then the server's own directories, then the hub's."""
    on_board = [card for card in CATALOG if is_on_board(card)]
    own, problems = _own_models()
    others = [card for card in CATALOG if card not in on_board and card.origin != Origin.EMBEDDED]
    cards = [card for card in (*on_board, *own, *others) if card.family in TEXT_FAMILIES]
    return Models(tuple(cards), tuple(problems))


def needs_network(card: ModelCard) -> bool:
    """Whether opening the model may have to download it."""
    return card.origin != Origin.DIRECTORY and not is_on_board(card)


def embedded_sheets() -> dict[str, dict[str, Any]]:
    """card.json of every embedded model on board, by title."""
    embedded = [card for card in CATALOG if card.origin == Origin.EMBEDDED and is_on_board(card)]
    return {card.title: card_sheet(card) for card in embedded}


def request_trace(
    model_id: str, text: str, *, pair: str | None = None, target: str | None = None
) -> tuple[Request, Future[Trace]]:
    """One forward pass, traced. The future raises InputError or ModelUnavailableError."""
    given = {"text": text, "pair": pair, "target": target}
    arguments = {name: value for name, value in given.items() if value is not None}
    request = Request(model_id, "trace", arguments)
    return request, engine().submit(request)


def loaded_card(model_id: str) -> Future[ModelCard]:
    """The card with the counts that only the opened model tells."""
    return engine().submit(Request(model_id, "card"))


def download_progress(model_id: str) -> tuple[int, int] | None:
    """Bytes so far and in all while a hub model comes."""
    return engine().download_progress(model_id)


def weights(traced: TextTrace, kind: AttentionKind, layer: int) -> np.ndarray:
    """(head, query, key) of one layer, computed once for all who look at it."""
    key = ("weights", traced.request, kind, layer)
    return engine().derived(key, lambda: traced.trace.attention(layer, kind=kind).weights)


def overview(traced: TextTrace, kind: AttentionKind) -> HeadOverview:
    """All heads of a kind, as the grid draws them."""

    def compute() -> HeadOverview:
        queries, keys = encodings(traced.trace, kind)
        layers = traced.trace.layers[kind]
        return head_overview(
            (layer.weights for layer in layers),
            n_heads=sum(layer.n_heads for layer in layers),
            query_tokens=queries.tokens,
            key_tokens=keys.tokens,
            special_queries=queries.special,
            special_keys=keys.special,
        )

    return engine().derived(("overview", traced.request, kind), compute)


def encodings(trace: Trace, kind: AttentionKind) -> tuple[Encoding, Encoding]:
    """What the rows and the columns of a kind's maps stand for."""
    queries, keys = trace.query_encoding(kind), trace.key_encoding(kind)
    if queries is None or keys is None:
        raise ValueError("a text's trace has encodings")
    return queries, keys


def cell(
    trace: Trace, kind: AttentionKind, *, layer: int, place: tuple[int, int, int]
) -> WorkedCell:
    """One weight (head, query, key), worked out. Raises InputError where q and k are hidden."""
    attention = trace.attention(layer, kind=kind)
    queries, keys = encodings(trace, kind)
    if attention.queries is None or attention.keys is None or attention.values is None:
        raise InputError(
            "This model writes out its own softmax and hides queries and keys, so a single "
            "weight can't be worked out. Its maps are exact all the same."
        )
    return worked_cell(
        attention.queries,
        attention.keys,
        attention.values,
        bias=attention.bias,
        scale=attention.scale,
        cell=place,
        query_tokens=queries.tokens,
        key_tokens=keys.tokens,
    )


@cache
def warm_up() -> None:
    """Open the default model in the background, then keep garbage out of the reruns' way.

    Only the first call does something.
    """

    def work() -> None:
        request_trace(DEFAULT_MODEL, DEFAULT_TEXT)[1].exception()
        gc.collect()
        gc.freeze()
        while True:
            time.sleep(COLLECTION_PAUSE)
            gc.collect()

    threading.Thread(target=work, name="warm-up", daemon=True).start()


def _own_models() -> tuple[list[ModelCard], list[str]]:
    """Cards of the directories that the server's owner named, and what is wrong with others."""
    cards: list[ModelCard] = []
    problems: list[str] = []
    for entry in os.environ.get(OWN_CHECKPOINTS, "").split(os.pathsep):
        if not entry:
            continue
        try:
            cards.append(locate(entry)[0])
        except InputError as error:
            problems.append(str(error))
    return cards, problems
