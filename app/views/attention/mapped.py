"""One head's map of queries and keys, with the words and the weights that it is told with."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int64

from app.components.heat_map import Cell
from app.services import text_maps
from app.services.shown_maps import HeadId
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.export_bar import Table
from core.explain.attention.query_key_map import QueryKeyMap, query_key_map
from core.explain.attribution.rank_correlation import rank_correlation
from core.trace import AttentionKind, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """What is drawn: tokens of both sides by their place in the map."""

    map: QueryKeyMap
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    query_ids: Int64[np.ndarray, " query"]
    key_ids: Int64[np.ndarray, " key"]
    weights: Float32[np.ndarray, "query key"]  # of the whole row, hidden keys and all
    scores: Float32[np.ndarray, "query key"]
    allowed: Bool[np.ndarray, "query key"]
    words: Bool[np.ndarray, "query key"]  # neither is a special token

    @classmethod
    def of(
        cls, trace: Trace, kind: AttentionKind, place: HeadId, *, special: bool
    ) -> "Mapped | None":
        """None where queries or keys are hidden, and where no token is left."""
        index, head = place
        layer = trace.attention(index, kind=kind)
        asked, given = text_maps.encodings(trace, kind)
        rows, columns = (
            np.flatnonzero(~one.special | np.full(len(one), special)) for one in (asked, given)
        )
        if layer.queries is None or layer.keys is None or not (len(rows) and len(columns)):
            return None
        queries, keys = layer.queries[head, rows], layer.keys[head, columns]
        kept = np.ix_(rows, columns)
        return cls(
            query_key_map(queries, keys, layer.scale),
            tuple(visible(asked.tokens[row]) for row in rows),
            tuple(visible(given.tokens[column]) for column in columns),
            asked.ids[rows],
            given.ids[columns],
            layer.weights[head][kept],
            queries @ keys.T * np.float32(layer.scale),
            layer.allowed()[kept],
            ~(asked.special[rows, None] | given.special[columns]),
        )

    @property
    def agreement(self) -> float:
        """Of nearness in the plane with scores, over the pairs that the mask allows."""
        return rank_correlation(-self.map.distances[self.allowed], self.scores[self.allowed])

    def strong(self, least: float) -> list[Cell]:
        """The pairs with at least this weight, the largest first."""
        order = np.argsort(-self.weights, axis=None, kind="stable")
        pairs = (divmod(int(at), self.weights.shape[1]) for at in order)
        return [pair for pair in pairs if self.weights[pair] >= least]

    def labelled(self, most: int) -> list[tuple[str, int]]:
        """Points to be named, those with the largest weight first; of a side with more, none."""
        sides = (("query", self.weights.max(axis=1)), ("key", self.weights.max(axis=0)))
        points = [
            (float(largest), side, at)
            for side, most_of in sides
            if len(most_of) <= most
            for at, largest in enumerate(most_of)
        ]
        return [(side, at) for _, side, at in sorted(points, key=lambda one: -one[0])]

    def answered(self, layer: int, head: int) -> str:
        """The strongest look of a word at a word, and what the plane keeps."""
        pairs = self.strong(0)
        query, key = next((pair for pair in pairs if self.words[pair]), pairs[0])
        return (
            f"In head {layer}.{head}, **{plain(self.queries[query])}** looks at "
            f"**{plain(self.keys[key])}** with **{three(float(self.weights[query, key]))}**; the "
            f"plane keeps **{three(100 * self.map.share)} %** of the variance of queries and keys."
        )

    @property
    def told_of_queries(self) -> tuple[str, ...]:
        """On hover: the token and its partner."""
        best = self.weights.argmax(axis=1).tolist()
        return tuple(
            f"query {token} looks most at {self.keys[key]}: {three(float(self.weights[at, key]))}"
            f" · token id {self.query_ids[at]}"
            for at, (token, key) in enumerate(zip(self.queries, best, strict=True))
        )

    @property
    def told_of_keys(self) -> tuple[str, ...]:
        best = self.weights.argmax(axis=0).tolist()
        return tuple(
            f"key {token} gets most from {self.queries[row]}: {three(float(self.weights[row, at]))}"
            f" · token id {self.key_ids[at]}"
            for at, (token, row) in enumerate(zip(self.keys, best, strict=True))
        )

    def points_table(self) -> Table:
        """A line a point."""
        sides = (("query", self.queries, self.map.queries), ("key", self.keys, self.map.keys))
        lines = (
            (side, at, token, *map(repr, map(float, points[at])))
            for side, tokens, points in sides
            for at, token in enumerate(tokens)
        )
        return ("side", "place", "token", "first_axis", "second_axis"), lines

    def pairs_table(self) -> Table:
        """A line a pair that the mask allows."""
        numbers = (self.weights, self.scores, self.map.distances)
        lines = (
            (self.queries[row], self.keys[at], *(repr(float(one[row, at])) for one in numbers))
            for row, at in np.argwhere(self.allowed).tolist()
        )
        return ("query", "key", "weight", "score", "distance"), lines

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """For NPZ."""
        return {
            "queries": self.map.queries,
            "keys": self.map.keys,
            "query_tokens": np.array(self.queries),
            "key_tokens": np.array(self.keys),
            "weights": self.weights,
            "scores": self.scores,
            "allowed": self.allowed,
            "words": self.words,
            "share": np.array(self.map.share),
        }
