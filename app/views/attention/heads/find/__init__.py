"""Which head does this? A pair of tokens, a role or a relation, looked for over all heads."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.services import relations, text_maps
from app.services.engine import TextTrace
from app.services.relations import Relations
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui import progress
from app.ui.answer import answer
from app.ui.chosen_words import InText, pair_in
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.options import one_of, option_widget
from app.ui.page import View
from app.ui.param_values import Cell
from app.views.attention.heads.find import examples, figure, lists
from app.views.attention.heads.find.lists import Ranking
from app.views.attention.heads.find.options import LABELS, PAIR, offered, relation
from app.views.attention.heads.find.state import HEADS, HERE, PARAMS, RANK, WHAT
from app.views.attention.inputs import of_sentence
from app.views.attention.kind import pick_kind
from app.views.attention.one_head import head_name
from app.views.attention.opening import Opened, open_head
from app.views.attention.state import CELL, KIND_TITLES, NAMES
from app.views.attention.words import facts
from core.catalog import ModelCard
from core.data.known_roles import Layers
from core.explain.attention.find_heads import FoundHead
from core.explain.attention.relation_heads import RelationHeads
from core.trace import AttentionKind

Linked = tuple[Relations, RelationHeads]


def _figure(traced: TextTrace, card: ModelCard) -> Export | None:
    kind = pick_kind(traced.trace.kinds)
    said = answer()
    every = offered(traced.trace, kind)
    with controls():
        if WHAT.value not in every:
            WHAT.reset()
        asked = _pick_what(every)
        cell = _pick_pair(traced, kind) if asked == PAIR else None
        if asked != PAIR and relation(asked) is None:
            RANK.segmented("Ranked", on_change=HEADS.reset)
        NAMES.control()
    named = NAMES.layers(traced.trace.model_id, kind)
    linked = _linked(card, asked)
    if linked is None and relation(asked) is not None:
        return None
    ranking = _ranking(traced, kind, asked, cell, named, linked)
    if not ranking.found:
        st.info(NONE_HERE)
        return None
    caption = f"{card.title}, {KIND_TITLES[kind]} · a head that {LABELS[asked]}"
    left, right = st.columns([7, 6], gap="medium")
    with left:
        label = f"Heads ranked: {LABELS[asked]}"
        chosen = figure.ranked(ranking, named, label, caption, kind.value)
    said.markdown(_answered(traced, kind, asked, cell, ranking, linked))
    with right:
        figure.head_map(traced, kind, chosen.place, asked, cell, caption)
        opened = _opened(card, kind, chosen, asked, cell, linked)
    if opened is not None:
        open_head(opened)
    return Export(
        "found-heads",
        caption,
        lambda: (("rank", "layer", "head", "score", "baseline", *ranking.columns), _rows(ranking)),
        lambda: _arrays(ranking, chosen, asked, cell),
        facts=facts(card, kind, traced),
    )


NONE_HERE: Final = (
    "No token of this sentence has such a place to look at, and this model's heads were not "
    "measured over many texts. Write another sentence, or let them be measured (Names)."
)


def _pick_what(every: Sequence[str]) -> str:
    label, named = "A head that", LABELS.__getitem__
    return one_of(WHAT, st.selectbox, label, every, named, width=380, changed=HEADS.reset)


def _pick_pair(traced: TextTrace, kind: AttentionKind) -> Cell:
    """Two tokens, by their names; the page's chosen cell, else its strongest look."""
    queries, keys = (one.tokens for one in text_maps.encodings(traced.trace, kind))
    chosen = InText(CELL, pair_in(queries, keys))
    present = chosen.value or _strongest(traced, kind)

    def pick(label: str, tokens: tuple[str, ...], at: int) -> None:
        def take(place: object) -> None:
            if isinstance(place, int):
                pair = (place, present[1]) if at == 0 else (present[0], place)
                chosen.put(pair)
                HEADS.reset()

        option_widget(
            st.selectbox,
            label,
            range(len(tokens)),
            lambda place: f"{visible(tokens[int(place)])} · {place}",
            key=HERE.key(label),
            shown=present[at],
            take=take,
            width=150,
        )

    pick("From", queries, 0)
    pick("To", keys, 1)
    return present


def _strongest(traced: TextTrace, kind: AttentionKind) -> Cell:
    pairs = [one for layer in text_maps.overview(traced, kind).strongest for one in layer if one]
    if not pairs:
        return 0, 0
    best = max(pairs, key=lambda one: one.weight)
    return best.query, best.key


def _linked(card: ModelCard, asked: str) -> Linked | None:
    """The relation's scores; None after saying why there are none."""
    wanted = relation(asked)
    if wanted is None:
        return None
    job = relations.of_model(card.id, written=NAMES.by.value == "written")
    measured = progress.trained(job, "Scoring the heads", "sentences")
    if measured is None:
        return None
    found = next((one for one in measured.table if one.relation == wanted), None)
    if found is None:
        st.info("This model's heads look back alone: no such pair can be seen. Choose another.")
        return None
    return measured, found


def _ranking(
    traced: TextTrace,
    kind: AttentionKind,
    asked: str,
    cell: Cell | None,
    named: Layers | None,
    linked: Linked | None,
) -> Ranking:
    if cell is not None:
        return lists.of_pair(traced, kind, cell)
    if linked is not None:
        return lists.of_relation(linked[1])
    return lists.of_role(traced, kind, asked, named, by_file=RANK.value == "file")


def _answered(
    traced: TextTrace,
    kind: AttentionKind,
    asked: str,
    cell: Cell | None,
    ranking: Ranking,
    linked: Linked | None,
) -> str:
    """The best of them, and the next."""
    best, next_one = ranking.found[0], ranking.found[1:2]
    then = "".join(
        f"; next head **{head_name(one.place)}** with **{_score(one, linked)}**" for one in next_one
    )
    if cell is not None:
        queries, keys = (one.tokens for one in text_maps.encodings(traced.trace, kind))
        looks, at = plain(visible(queries[cell[0]])), plain(visible(keys[cell[1]]))
        even = f"even attention {three(best.baseline)}"
        return (
            f"Of {len(ranking.found)} heads **{head_name(best.place)}** looks most from "
            f"**{looks}** to **{at}**: **{three(best.score)}**, {even}{then}."
        )
    where = "on the annotated sentences" if linked else _where(ranking)
    return (
        f"Of {len(ranking.found)} heads **{head_name(best.place)}** most clearly {LABELS[asked]} "
        f"{where}: **{_score(best, linked)}**, {'the best guess' if linked else 'baseline'} "
        f"{_baseline(best, linked)}{then}."
    )


def _where(ranking: Ranking) -> str:
    by_file = "here" not in ranking.columns or RANK.value == "file"
    return "over many texts" if by_file and "many texts" in ranking.columns else "on this sentence"


def _score(one: FoundHead, linked: Linked | None) -> str:
    return f"{one.score:.0%}" if linked else three(one.score)


def _baseline(one: FoundHead, linked: Linked | None) -> str:
    return f"{one.baseline:.0%}" if linked else three(one.baseline)


def _opened(
    card: ModelCard,
    kind: AttentionKind,
    chosen: FoundHead,
    asked: str,
    cell: Cell | None,
    linked: Linked | None,
) -> Opened | None:
    """What the reader wants to open, if anything."""
    name = head_name(chosen.place)
    label = f"Open head {name} on this sentence"
    if st.button(label, type="tertiary", icon=":material/visibility:", key=HERE.key("open")):
        return Opened(kind, chosen.place, cell)
    if asked == PAIR or not examples.asked_for(name):
        return None
    if linked is not None:
        return examples.of_relation(card, *linked, chosen.place)
    return examples.of_role(card, kind, chosen.place, asked)


def _rows(ranking: Ranking) -> list[tuple[object, ...]]:
    return [
        (
            *(rank, one.layer, one.head, repr(one.score), repr(one.baseline)),
            *(said(one) for said in ranking.columns.values()),
        )
        for rank, one in enumerate(ranking.found, 1)
    ]


def _arrays(
    ranking: Ranking, chosen: FoundHead, asked: str, cell: Cell | None
) -> Mapping[str, np.ndarray]:
    return {
        "asked": np.array(asked),
        "pair": np.array(cell or (-1, -1)),
        "chosen": np.array(chosen.place),
        "heads": np.array([one.place for one in ranking.found]),
        "scores": np.array([one.score for one in ranking.found]),
        "baselines": np.array([one.baseline for one in ranking.found]),
    }


VIEW: Final = View("find", "Find one", PARAMS, of_sentence(_figure))
