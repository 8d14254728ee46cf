"""One word through a list of merges: every state, and the tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from app.components.frame import pack
from app.components.mount import register
from core.tokenization.bpe import Encoding, MergeNode

_mount: Final = register("bpe_encoding")


@dataclass(frozen=True, slots=True)
class EncodingView:
    """An encoding, what it was made with, and letters that a question is about."""

    encoding: Encoding
    caption: str
    marker: str = ""
    asked: tuple[tuple[int, int], ...] = ()
    """Initial symbols that a wanted token would cover."""
    culprit: int | None = None
    """The step that took its letters."""


def bpe_encoding(view: EncodingView, *, key: str) -> None:
    """Draw the tree and the word line by line."""
    _mount(key=key, data=bpe_encoding_frame(view))


@lru_cache(maxsize=16)
def bpe_encoding_frame(view: EncodingView) -> bytes:
    """The byte frame that bpe_encoding/view.js draws; also for the standalone page."""
    encoding = view.encoding
    header = {
        "caption": view.caption,
        "word": encoding.word,
        "marker": view.marker,
        "symbols": encoding.symbols,
        "tokens": encoding.tokens,
        "steps": [
            [step.rank, *step.pair, step.token, step.merged, step.tokens] for step in encoding.steps
        ],
        "nodes": _nodes(encoding.tree),
        "asked": view.asked,
        "culprit": -1 if view.culprit is None else view.culprit,
    }
    return pack(header, {})


def _nodes(tree: tuple[MergeNode, ...]) -> list[list[Any]]:
    """Every node after its children: token, start, end, rank, step, indices of the children."""
    nodes: list[list[Any]] = []
    place: dict[int, int] = {}  # by identity
    waiting: list[tuple[MergeNode, bool]] = [(node, False) for node in reversed(tree)]
    while waiting:
        node, ready = waiting.pop()
        if not ready:
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]
            continue
        place[id(node)] = len(nodes)
        children = [place[id(child)] for child in node.children]
        nodes.append([node.token, node.start, node.end, node.rank, node.step, children])
    return nodes
