"""GPT's fine-tuning inputs on the first step: real tokens and shapes, a new head that guesses.

Radford et al. 2018, sections 3.2 and 3.3, figure 1: each task becomes one or more sequences
between a start and an extract token, parts divided by a delimiter; the last token's state goes
through a new matrix W_y. The loss is L2 + λ L1, with the language model's own loss as L1, λ = ½.
What is new is drawn at random, as at the beginning of a fine-tuning, and nothing is trained here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.errors import InputError
from core.outputs.decoder import (
    CLASSES,
    DELIMITER,
    EXTRACT,
    MOST_ANSWERS,
    NEW,
    START,
    FineTuningStart,
    Task,
    TaskSequence,
)
from core.trace import read_only


def layouts(task: Task, texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The parts of each sequence, new tokens included. Raises InputError for missing texts."""
    expected = {Task.CLASSIFICATION: 1, Task.ENTAILMENT: 2, Task.SIMILARITY: 2}
    if task in expected and len(texts) != expected[task]:
        raise ValueError(f"{task} takes {expected[task]} texts, not {len(texts)}")
    if task == Task.MULTIPLE_CHOICE and not 3 <= len(texts) <= MOST_ANSWERS + 1:
        raise InputError(
            f"A question with {len(texts) - 1} answers: give 2 to {MOST_ANSWERS}, one a line."
        )
    if any(not text.strip() for text in texts):
        raise InputError("One of the texts is empty. Type at least one word in each.")
    match task:
        case Task.CLASSIFICATION:
            return ((START, texts[0], EXTRACT),)
        case Task.ENTAILMENT:
            return ((START, texts[0], DELIMITER, texts[1], EXTRACT),)
        case Task.SIMILARITY:
            first, second = texts
            return (
                (START, first, DELIMITER, second, EXTRACT),
                (START, second, DELIMITER, first, EXTRACT),
            )
        case Task.MULTIPLE_CHOICE:
            return tuple((START, texts[0], DELIMITER, answer, EXTRACT) for answer in texts[1:])


def fine_tuning_start(
    model: Any, task: Task, texts: Sequence[str], *, seed: int = 0
) -> FineTuningStart:
    """Run a decoder on a task's sequences with new tokens and a new head drawn from the seed.

    Raises InputError for empty texts and for sequences longer than the model can read.
    """
    parts = layouts(task, texts)
    width = int(model.module.get_input_embeddings().weight.shape[1])
    random = torch.Generator().manual_seed(seed)
    spread = float(getattr(model.module.config, "initializer_range", 0.02))
    new = torch.randn(len(NEW), width, generator=random) * spread
    sequences = tuple(_run(model, sequence, new.to(model.device)) for sequence in parts)
    states = np.stack([sequence.state for sequence in sequences])
    answers = task == Task.MULTIPLE_CHOICE
    classes = tuple(texts[1:]) if answers else CLASSES[task]
    outputs = 1 if answers else len(classes)
    head = (torch.randn(states.shape[1], outputs, generator=random) * spread).numpy()
    # similarity adds the states of both orders; answers compete through one score each
    logits = (states @ head)[:, 0] if answers else states.sum(axis=0) @ head
    exponentials = np.exp(logits - logits.max())
    return FineTuningStart(
        task=task,
        sequences=sequences,
        classes=classes,
        head=read_only(head),
        logits=read_only(logits),
        probabilities=read_only(exponentials / exponentials.sum()),
        new_parameters=head.size + new.numel(),
    )


def _run(model: Any, parts: Sequence[str], new: Tensor) -> TaskSequence:
    embed = model.module.get_input_embeddings()
    vocabulary = embed.weight.shape[0]
    ids: list[int] = []
    for part in parts:
        ids += [vocabulary + NEW.index(part)] if part in NEW else model.ids_of(part.strip())
    if len(ids) > model.token_limit:
        raise InputError(
            f"The sequence has {len(ids)} tokens, new ones included; {model.card.title} reads up "
            f"to {model.token_limit}. Shorten the texts."
        )
    given = torch.tensor(ids, device=model.device)
    with torch.inference_mode():
        vectors = torch.cat([embed.weight, new])[given][None]
        output = model.module(inputs_embeds=vectors, output_hidden_states=True, use_cache=False)
        state = output.hidden_states[-1][0]
        # the new tokens' rows of the output layer are their embeddings (tied)
        logits = torch.cat([output.logits[0].float(), state @ new.T], dim=1)
        loss = torch.nn.functional.cross_entropy(logits[:-1], given[1:])
    is_new = np.array([index >= vocabulary for index in ids])
    return TaskSequence(
        tokens=tuple(
            NEW[index - vocabulary]
            if index >= vocabulary
            else model.tokenizer.convert_ids_to_tokens(index)
            for index in ids
        ),
        ids=read_only(np.array(ids, dtype=np.int64)),
        is_new=read_only(is_new),
        state=read_only(state[-1].float().cpu().numpy()),
        lm_loss=float(loss),
    )
