"""How is a language model turned to a task? GPT's input sequences, shapes, head and loss."""

import math
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip, token_row
from app.services import decoder
from app.style.markdown_escape import plain
from app.style.number_format import as_tex, three
from app.style.worked import Step, follow
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export, Table
from app.ui.input_line import quoted
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, model_input
from app.views.gpt.state import MODEL
from app.views.gpt.task_diagram import task_diagram
from core.outputs.decoder import LM_WEIGHT, FineTuningStart, Task

TASKS = {
    Task.CLASSIFICATION.value: "Classification",
    Task.ENTAILMENT.value: "Entailment",
    Task.SIMILARITY.value: "Similarity",
    Task.MULTIPLE_CHOICE.value: "Multiple choice",
}
HERE: Final = Scope("gpt", "tuning")
TASK: Final = HERE.choice("task", TASKS, Task.ENTAILMENT.value)
FIRST: Final = HERE.text("first")
SECOND: Final = HERE.text("second")  # of multiple choice: the answers, one a line
LABEL: Final = HERE.whole("label", 0, 9, 0)
SEED: Final = HERE.whole("seed", 0, 9999, 0)  # of what is new to the model
FIELDS = {
    Task.CLASSIFICATION: ("Text",),
    Task.ENTAILMENT: ("Premise", "Hypothesis"),
    Task.SIMILARITY: ("First text", "Second text"),
    Task.MULTIPLE_CHOICE: ("Context and question",),
}
EXAMPLES = {
    Task.CLASSIFICATION: ("The film was slow, but the music was wonderful.", ""),
    Task.ENTAILMENT: ("A man is playing a guitar on stage.", "A person makes music."),
    Task.SIMILARITY: ("How old is the town?", "When was the town founded?"),
    Task.MULTIPLE_CHOICE: (
        "It began to snow, and he had to go out. What did he do?",
        "He put on his coat.\nHe swam to the bottom of the sea.\nHe ate the piano.",
    ),
}
SAYS = {
    Task.CLASSIFICATION: "One sequence: start, text, extract.",
    Task.ENTAILMENT: "One sequence: the premise, a delimiter, the hypothesis.",
    Task.SIMILARITY: (
        "No order is natural, so **both orders** run, and the two states are **added** before W_y."
    ),
    Task.MULTIPLE_CHOICE: (
        "**One sequence for each answer**; each gets one score, and a softmax over the answers "
        "decides."
    ),
}


def render() -> Figure | None:
    """Task, texts, model; sequences, head, loss."""
    if not FIRST.value and not SECOND.value:
        _take_example()
    with controls("-task"):
        TASK.segmented("Task", quiet=True, on_change=_take_example)
    task = Task(TASK.value)
    texts = _texts(task)
    opened = model_input(quoted(*texts), fields=partial(_fields, task))
    return None if opened is None else partial(_figure, opened, task, texts)


def _take_example() -> None:
    """A text of one task makes no sense in another."""
    first, second = EXAMPLES[Task(TASK.value)]
    FIRST.put(first)
    SECOND.put(second)


def _fields(task: Task) -> None:
    first, *others = FIELDS[task]
    FIRST.area(first)
    if task == Task.MULTIPLE_CHOICE:
        SECOND.area("Answers, one a line", lines=True)
    elif task != Task.CLASSIFICATION:
        SECOND.area(others[0])


def _texts(task: Task) -> tuple[str, ...]:
    if task == Task.CLASSIFICATION:
        return (FIRST.value,)
    if task == Task.MULTIPLE_CHOICE:
        answers = [line.strip() for line in SECOND.value.splitlines() if line.strip()]
        return (FIRST.value, *answers)
    return (FIRST.value, SECOND.value)


def _figure(opened: Opened, task: Task, texts: tuple[str, ...]) -> Export | None:
    """Sequences, head, loss; the seed that changes them is chosen below them."""
    future = decoder.fine_tuning_start(opened.card.id, task, texts, SEED.value)
    start = progress.outcome(future, opened.card.id)
    if start is None:
        return None
    label = LABEL.kept_below(len(start.classes))
    answer(
        f"Before the first update *{plain(start.classes[label])}* has "
        f"**{three(float(start.probabilities[label]))}**, and the loss is "
        f"**{three(start.loss(label))}** nats."
    )
    for index, sequence in enumerate(start.sequences):
        token_row(
            tuple(
                Chip(
                    token,
                    state="masked" if new else "plain",
                    tip=("new: its embedding is drawn at random",) if new else (),
                    token_id=own,
                )
                for token, own, new in zip(
                    sequence.tokens, sequence.ids.tolist(), sequence.is_new, strict=True
                )
            ),
            label=f"Sequence {index + 1}",
            key=HERE.key(f"sequence.{index}"),
            clickable=False,
        )
    st.caption(SAYS[start.task] + " What is new to the model has a dashed edge.")
    left, right = st.columns([5, 4], gap="large")
    with left:
        task_diagram(opened.card, start)
        _states(start)
    with right:
        _losses(start)
    return Export(
        facts=opened.facts,
        name="fine-tuning",
        caption=f"{opened.card.title}: {TASKS[start.task.value]} before the first update",
        table=lambda: _table(start),
        arrays=lambda: {
            "states": np.stack([sequence.state for sequence in start.sequences]),
            "head": start.head,
            "logits": start.logits,
        },
    )


def _states(start: FineTuningStart) -> None:
    """The extract tokens' states, as strips; for similarity their sum, too."""
    states = [sequence.state for sequence in start.sequences]
    names = [f"h{index + 1}" for index in range(len(states))]
    if start.task == Task.SIMILARITY:
        states.append(states[0] + states[1])
        names.append("h1+h2")
    heat_map(
        HeatMap(
            values=np.stack(states).astype(np.float32),
            rows=tuple(names),
            columns=tuple(map(str, range(len(states[0])))),
            label="States of the extract token after the last layer",
            title=f"h: the extract token's state, {len(states[0])} numbers a sequence",
            column_title="dimension",
            cell=(6, 24),
        ),
        key=HERE.key("states"),
    )


def _losses(start: FineTuningStart) -> None:
    boxes = st.columns([5, 3], vertical_alignment="bottom")
    boxes[0].selectbox(
        "True answer",
        list(range(len(start.classes))),
        format_func=start.classes.__getitem__,
        key=LABEL.key,
    )
    with boxes[1]:
        SEED.number_input("Seed of what is new", step=1)
    label = LABEL.value
    data_table(
        {
            "class": list(start.classes),
            "h · W_y": [three(float(z)) for z in start.logits],
            "softmax": [three(float(p)) for p in start.probabilities],
        },
        height="content",
    )
    chance = float(start.probabilities[label])
    said = follow(
        {"p": chance, "L2": -math.log(chance), "L1": start.lm_loss, "L3": start.loss(label)},
        [
            Step("L2", ("p",), lambda p: -math.log(p)),
            Step("L3", ("L2", "L1"), lambda one, other: one + LM_WEIGHT * other),
        ],
    )
    tex = {name: as_tex(text) for name, text in said.items()}
    st.latex(rf"L_2=-\ln P(y\mid x)=-\ln ({tex['p']})={tex['L2']}")
    st.latex(rf"L_1=\text{{language model, mean over tokens}}={tex['L1']}")
    st.latex(
        rf"L_3=L_2+\lambda L_1={tex['L2']}+{LM_WEIGHT:g}\cdot{tex['L1']}"
        rf"={tex['L3']}\ \text{{nats}}"
    )
    st.caption(
        f"W_y and the new embeddings are random, so the answer is a guess: L2 starts near "
        f"ln {len(start.classes)} = {three(float(np.log(len(start.classes))))}. Fine-tuning "
        "changes all weights, the old ones too."
    )


def _table(start: FineTuningStart) -> Table:
    header = ["sequence", "position", "token", "id", "new"]
    rows = [
        (index, position, token, int(sequence.ids[position]), int(sequence.is_new[position]))
        for index, sequence in enumerate(start.sequences)
        for position, token in enumerate(sequence.tokens)
    ]
    return header, rows


VIEW: Final = View("tuning", "Fine-tuning", (MODEL, TASK, FIRST, SECOND, LABEL, SEED), render)
