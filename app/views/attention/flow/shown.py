"""One flow as the view tells of it: its chosen node, its sentence, what can be taken along."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.components.token_flow import FlowFigure, Shown
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.export_bar import Table
from app.views.attention import state
from app.views.attention.exports import unfused
from app.views.attention.flow import params
from app.views.attention.inputs import second_texts
from core.catalog import ModelCard
from core.explain.flow.token_flow import (
    Node,
    Path,
    TokenFlow,
    edges_kept,
    flow_into,
    flow_out,
    strongest_path,
    strongest_worths,
)
from core.trace import AttentionKind, Encoding


@dataclass(frozen=True, eq=False)
class ShownFlow:
    """Of one stack."""

    card: ModelCard
    traced: TextTrace
    kind: AttentionKind
    encoding: Encoding
    flow: TokenFlow
    by: params.By
    node: Node

    @property
    def shown(self) -> Shown:
        return params.SHOW.value

    @cached_property
    def levels(self) -> tuple[str, ...]:
        return ("input", *(f"layer {layer}" for layer in range(len(self.flow.kept))))

    @cached_property
    def kept(self) -> np.ndarray:
        """(layer, query, key): the edges that are drawn."""
        into = self.node if self.shown == "into" else None
        out_of = self.node if self.shown == "out" else None
        return edges_kept(self.flow.mixed, params.LEAST.value, into=into, out_of=out_of)

    @property
    def caption(self) -> str:
        pair, _ = second_texts(self.card.family)
        text = " / ".join(filter(None, (state.TEXT.value[:200], pair)))
        fixed = "" if self.by == "proximity" else f" · residual {params.RESIDUAL.value:g}"
        what = "" if self.shown == "all" else f" {self.name(self.node)}"
        return (
            f"{self.card.title} · flow between tokens by {params.TITLES[self.by]}{fixed}, "
            f"{self.kind} self-attention, “{text}” · {self.shown}{what} · "
            f"shares from {params.LEAST.value:g} on"
        )

    def figure(self) -> FlowFigure:
        return FlowFigure(
            flow=self.flow,
            tokens=self.encoding.tokens,
            ids=tuple(self.encoding.ids.tolist()),
            levels=self.levels,
            shown=self.shown,
            threshold=params.LEAST.value,
            kind=self.kind.value,
            label="What each token takes of each, layer by layer",
            caption=self.caption,
        )

    def name(self, node: Node) -> str:
        return f"{visible(self.encoding.tokens[node[1]])} ({self.levels[node[0]]})"

    def path(self) -> Path | None:
        """The strongest between two different tokens, of what is shown."""
        mixed, (level, position) = self.flow.mixed, self.node
        last = len(mixed)
        if self.shown == "all":
            worths = strongest_worths(mixed)
        elif self.shown == "into":
            worths = strongest_worths(mixed[:level])[[position]]
        else:
            worths = strongest_worths(mixed[level:])[:, [position]]
        others = worths.copy()
        if self.shown == "all":
            np.fill_diagonal(others, 0)
        else:
            others.flat[position] = 0
        if others.max() <= 0:
            return None
        at = int(others.argmax())
        match self.shown:
            case "all":
                end, start = divmod(at, worths.shape[1])
                return strongest_path(mixed, (0, start), (last, end))
            case "into":
                return strongest_path(mixed, (0, at), self.node)
            case _:
                return strongest_path(mixed, self.node, (last, at))

    def all_paths(self, path: Path) -> float:
        """What all paths between the ends of one add up to."""
        end = path.level + len(path.positions) - 1, path.positions[-1]
        return float(flow_into(self.flow.mixed, end)[path.level, path.positions[0]])

    def carried(self) -> float:
        """How much of the chosen node the drawn edges alone bring it, or take of it to the end."""
        drawn = np.where(self.kept, self.flow.mixed, 0).astype(np.float32)
        if self.shown == "into":
            return float(flow_into(drawn, self.node)[0].sum())
        whole = flow_out(self.flow.mixed, self.node)[-1].sum()
        return float(flow_out(drawn, self.node)[-1].sum() / whole) if whole > 0 else 1.0

    def told(self, path: Path) -> str:
        """Where a path changes its token, in Markdown."""
        places = enumerate(path.positions)
        steps = [(0, path.positions[0])] + [
            (at, here) for at, here in places if at and here != path.positions[at - 1]
        ]
        return " → ".join(plain(self.name((path.level + at, here))) for at, here in steps)

    def answered(self) -> str:
        """The strongest path from another token, its worth and its share, in Markdown."""
        path, by = self.path(), params.TITLES[self.by]
        where = plain(self.name(self.node))
        if path is None:
            return f"By {by}, nothing flows between two tokens at **{where}**."
        whole = self.all_paths(path)
        worth = (
            f"{self.told(path)}, worth **{three(path.worth)}**, {path.worth / whole:.0%} of the "
            f"{three(whole)} that all paths between these two carry"
        )
        if self.shown == "all":
            return f"By {by}, the strongest path between two tokens is {worth}."
        if self.shown == "out":
            mine = float(flow_out(self.flow.mixed, self.node)[-1, self.node[1]])
            own = f"**{three(mine)}** of its own last place"
            return f"By {by}, **{where}** is {own}; its strongest path to another token is {worth}."
        own = three(float(flow_into(self.flow.mixed, self.node)[0, self.node[1]]))
        return (
            f"By {by}, **{where}** is **{own}** itself; the strongest path from another token is "
            f"{worth}."
        )

    def note(self) -> str:
        """What is drawn, with what is left out."""
        count = f"{int(self.kept.sum()):,} of {int((self.flow.mixed > 0).sum()):,} edges are drawn"
        if self.shown == "all":
            return f"{count}; every token's incoming shares sum to one."
        if self.shown == "into":
            return f"{count}. Paths along these alone bring it {self.carried():.0%} of what it is."
        return (
            f"{count}. Of what reaches the last layer, {self.carried():.0%} goes along these alone."
        )

    def table(self) -> Table:
        mixed, kept = self.flow.mixed, self.flow.kept
        lines: Iterator[tuple[object, ...]] = (
            (
                *(layer, query, self.encoding.tokens[query], key, self.encoding.tokens[key]),
                repr(float(mixed[layer, query, key])),
                repr(float(kept[layer, query]) if query == key else 0.0),
                int(self.kept[layer, query, key]),
            )
            for layer, query, key in np.argwhere(mixed > 0).tolist()
        )
        names = ("layer", "query", "query_token", "key", "key_token", "share", "residual", "drawn")
        return names, lines

    def arrays(self) -> Mapping[str, np.ndarray]:
        path = self.path()
        own = {
            "attended": self.flow.attended,
            "kept": self.flow.kept,
            "drawn": self.kept,
            "tokens": np.array(self.encoding.tokens),
            "ids": self.encoding.ids,
            "node": np.array(self.node),
            "shown": np.array(self.shown),
            "by": np.array(self.by),
            "flow_into": flow_into(self.flow.mixed, self.node),
            "flow_out": flow_out(self.flow.mixed, self.node),
        }
        if path is not None:
            own |= {
                "path": np.array(path.positions),
                "path_level": np.array(path.level),
                "path_worth": np.array(path.worth),
            }
        fused = unfused(self.traced, self.kind) if self.by == "attention" else {}
        return own | fused
