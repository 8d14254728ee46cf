"""Next-sentence prediction: the pooler's probability, pairs that fool it, and what it is worth."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.services import encoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import Step, follow, term, total
from app.ui import page_links, progress
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.page import Figure, View
from app.views.bert import inputs, papers, state
from app.views.bert.facts import next_sentence_accuracy
from app.views.bert.papers import printed
from core.catalog import ModelCard
from core.outputs.encoder import NextSentence

# Pairs with what a reader would say, and why they are here. The probabilities are computed.
Pair = tuple[str, str, bool, str]
PAIRS: Final[tuple[Pair, ...]] = (
    ("The man went to the store.", "He bought a gallon of milk.", True, "the paper's pair"),
    ("The man went to the store.", "Penguins are flightless.", False, "the paper's other pair"),
    (
        "The river rises in the mountains of northern Spain.",
        "It flows through three provinces before it reaches the sea.",
        True,
        "one topic, right order",
    ),
    (
        "It flows through three provinces before it reaches the sea.",
        "The river rises in the mountains of northern Spain.",
        False,
        "the same, in the wrong order",
    ),
    (
        "The river rises in the mountains of northern Spain.",
        "The album sold two million copies in its first year.",
        False,
        "two topics",
    ),
    (
        "The river rises in the mountains of northern Spain.",
        "Mountains are higher than hills.",
        False,
        "one word in common",
    ),
    (
        "The band released its first album in 1994.",
        "The band was a species of beetle.",
        False,
        "the same words, no sense",
    ),
    ("The man went to the store.", "The man went to the store.", False, "the sentence itself"),
    ("She won the race.", "She lost the race.", False, "a contradiction"),
    ("asdf qwer zxcv", "asdf qwer zxcv", False, "no words at all"),
    ("It was raining.", "He took an umbrella.", True, "no word in common, but it follows"),
)


def render() -> Figure | None:
    """Ask for two sentences, draw the head's arithmetic, then test it on pairs."""
    title = inputs.encoder_title(state.NEXT_MODEL)
    with input_line(quoted(state.FIRST.value, state.SECOND.value), title):
        first = state.FIRST.area("Sentence A")
        second = state.SECOND.area("Sentence B")
        card = inputs.encoder_picker(state.NEXT_MODEL)
        pairs = {pair[3]: pair for pair in PAIRS}
        example_chips(pairs, _take_pair, key=state.HERE.key("pair-example"))
    if card is None:
        return None
    profile = inputs.opened(card)
    if profile is None:
        return None
    if not profile.next_sentence:
        inputs.lacks(card, profile, inputs.NEXT_SENTENCE, state.NEXT_MODEL)
        _worth()
        return None
    found = progress.outcome(encoder.next_sentence(card.id, first, second), card.id)
    return None if found is None else partial(figure, card, found, first, second)


def figure(card: ModelCard, found: NextSentence, first: str, second: str) -> Export:
    """Everything below the input."""
    answer(
        f"B follows A with **{three(found.probability)}**: the logits are "
        f"**{three(float(found.logits[0]))}** for “follows” and "
        f"**{three(float(found.logits[1]))}** for “elsewhere”."
    )
    _verdict(found)
    pooled = _arithmetic(card, found)
    _fooled(card)
    _worth()
    return Export(
        name="next-sentence",
        caption=f"{card.title} · A “{first}” · B “{second}” · p(follows) {found.probability:.4g}",
        table=lambda: _table(found),
        arrays=lambda: {
            "state": found.state, "pooled": found.pooled, "weight": found.weight,
            "bias": found.bias, "logits": found.logits,
        },
        offline=("heat_map", lambda: heat_map_frame(pooled)),
        facts={"accuracy": next_sentence_accuracy(card)},
    )  # fmt: skip


def _verdict(found: NextSentence) -> None:
    left, right = st.columns([5, 4], gap="large", vertical_alignment="center")
    with left:
        candidates(
            (
                Candidate("follows", found.probability, f"logit {found.logits[0]:.3g}"),
                Candidate("elsewhere", 1 - found.probability, f"logit {found.logits[1]:.3g}"),
            ),
            label="Does sentence B follow sentence A?",
            key=state.HERE.key("next"),
            clickable=False,
            caption="Next sentence",
        )
    with right:
        counts = [int((found.encoding.segments == segment).sum()) for segment in (0, 1)]
        st.caption(
            f"{plain(found.encoding.tokens[0])} A {plain('[SEP]')} B {plain('[SEP]')}: "
            f"{counts[0]} tokens of segment A, {counts[1]} of segment B. Only the last layer's "
            f"{plain(found.encoding.tokens[0])} is asked."
        )


def _arithmetic(card: ModelCard, found: NextSentence) -> HeatMap:
    st.subheader(f"From {found.encoding.tokens[0]} to the probability")
    products = found.weight * found.pooled
    columns = tuple(str(index) for index in range(len(found.state)))

    def strip(title: str, rows: dict[str, np.ndarray]) -> HeatMap:
        return HeatMap(
            values=np.stack(list(rows.values())).astype(np.float32),
            rows=tuple(rows),
            columns=columns,
            label=f"{title}, one column a dimension",
            caption=f"{card.title} · {title}",
            title=title,
            cell=(12, 20),
        )

    heat_map(strip("the last layer's [CLS]", {"h": found.state}), key=state.HERE.key("cls"))
    pooled = strip("pooled: tanh(W h + b)", {"pooled": found.pooled})
    heat_map(pooled, key=state.HERE.key("pooler"))
    heat_map(
        strip("each class's weights × pooled", {"follows": products[0], "elsewhere": products[1]}),
        key=state.HERE.key("classes"),
    )
    said = _worked(products.sum(axis=1, dtype=np.float64), found)
    st.markdown(
        "Each class adds up its row, and its bias: "
        f"follows {said['sum 0']} + {term(said['bias 0'])} = **{said['logit 0']}**, "
        f"elsewhere {said['sum 1']} + {term(said['bias 1'])} = **{said['logit 1']}**. "
        f"Softmax of both: e^{said['logit 0']} ÷ (e^{said['logit 0']} + e^{said['logit 1']}) = "
        f"**{said['p']}**."
    )
    return pooled


def _worked(sums: np.ndarray, found: NextSentence) -> dict[str, str]:
    """Both classes' sums, biases and logits, and the probability, as printed."""
    values = {"p": found.probability}
    for place in range(2):
        values[f"sum {place}"] = float(sums[place])
        values[f"bias {place}"] = float(found.bias[place])
        values[f"logit {place}"] = float(found.logits[place])
    steps = [Step(f"logit {place}", (f"sum {place}", f"bias {place}"), total) for place in range(2)]
    softmax = Step(
        "p", ("logit 0", "logit 1"), lambda a, b: math.exp(a) / (math.exp(a) + math.exp(b))
    )
    return follow(values, [*steps, softmax])


def _fooled(card: ModelCard) -> None:
    st.subheader("Pairs that fool it")
    futures = [encoder.next_sentence(card.id, first, second) for first, second, *_ in PAIRS]
    answers = [progress.outcome(future, card.id) for future in futures]
    known = [(pair, answer) for pair, answer in zip(PAIRS, answers, strict=True) if answer]
    wrong = [(pair, one) for pair, one in known if (one.probability >= 0.5) != pair[2]]
    data_table(
        {
            "A": [pair[0] for pair, _ in known],
            "B": [pair[1] for pair, _ in known],
            "why it is here": [pair[3] for pair, _ in known],
            "follows?": ["yes" if pair[2] else "no" for pair, _ in known],
            "p(follows)": [one.probability for _, one in known],
            "": ["wrong" if (pair, one) in wrong else "" for pair, one in known],
        },
        column_config={"p(follows)": st.column_config.NumberColumn(format="%.3f")},
    )
    st.caption(
        f"{plain(card.title)} is wrong on {len(wrong)} of these {len(known)}, which were chosen to "
        "fool it. In training, a B that does not follow comes from another document, so it can be "
        "told by its topic alone (Lan et al. 2020, section 3.1, who ask for the order instead)."
        f"{_order(known)}"
    )


def _order(known: Sequence[tuple[Pair, NextSentence]]) -> str:
    """What the model makes of one pair both ways round."""
    found = {(first, second): one.probability for (first, second, *_), one in known}
    there = next(((a, b) for a, b in found if (b, a) in found and a != b), None)
    if there is None:
        return ""
    first, second = there
    return (
        f" Here the two sentences on one river get p(follows) {found[first, second]:.3f} in the "
        f"right order and {found[second, first]:.3f} in the wrong one."
    )


def _worth() -> None:
    st.subheader("What is it worth? Two papers, two answers")
    left, right = st.columns([5, 6], gap="medium")
    with left:
        data_table(printed(papers.ABLATION))
        st.caption(
            "Devlin et al. 2019, table 5: without NSP, QNLI falls from 88.4 to 84.9. But the "
            "inputs stay segment pairs."
        )
    with right:
        data_table(printed(papers.FORMATS))
        st.caption(
            "Liu et al. 2019, table 2: whole blocks of text without NSP do as well or better; "
            "short sentence pairs with NSP do worst. They suspect that Devlin et al. left out the "
            "loss, but kept the pairs as inputs. XLNet: as they quote it."
        )
    page_links.link(
        "attention",
        "See how the two sentences look at each other",
        {"model": state.NEXT_MODEL.value, "text": state.FIRST.value}
        | ({"pair": state.SECOND.value} if state.SECOND.value.strip() else {}),
        icon=":material/visibility:",
    )


def _take_pair(pair: tuple[str, str, bool, str]) -> None:
    state.FIRST.put(pair[0])
    state.SECOND.put(pair[1])


def _table(found: NextSentence) -> Table:
    header = ["dimension", "cls_state", "pooled", "weight_follows", "weight_elsewhere"]
    return header, [
        (index, *map(float, row))
        for index, row in enumerate(
            zip(found.state, found.pooled, found.weight[0], found.weight[1], strict=True)
        )
    ]


VIEW: Final = View("next", "Next sentence", (state.NEXT_MODEL, state.FIRST, state.SECOND), render)
