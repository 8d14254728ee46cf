"""From a finished training to the folder that ships: weights, vocabulary, snapshots, card."""

from functools import partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from transformers import BertForPreTraining

from core.training.bert import card
from core.training.bert.corpus import tokenise
from core.training.bert.evaluate import evaluate
from core.training.bert.gallery import examples
from core.training.bert.heads import report
from core.training.bert.network import MAX_POSITIONS
from core.training.bert.recipe import SNAPSHOT_SENTENCE
from core.training.bert.tokenizer import save_tokenizer
from core.training.common.card import Run, write_card
from core.training.common.export import moments, write_model, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.common.texts import held_out_articles


def ship(
    model: BertForPreTraining,
    tokenizer: Tokenizer,
    history: History,
    *,
    data: Path,
    folder: Path,
    run: Run,
) -> None:
    """Write every file of the folder, each whole or not at all; the card comes last."""
    write_model(
        model, folder, save_tokenizer=partial(save_tokenizer, tokenizer, max_length=MAX_POSITIONS)
    )
    write_snapshots(folder, snapshots(history, tokenizer))
    shipped = BertForPreTraining.from_pretrained(folder, dtype="float32").eval()
    corpus = tokenise(held_out_articles(data), tokenizer)
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=evaluate(folder, data),
            examples=examples(shipped, tokenizer),
            notes=report(shipped, corpus),
            curve=loss_curve(history),
        ),
    )


def snapshots(history: History, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """The moments of the training, stacked; `steps` and `fractions` say when they were.

    positions (moment, position, d_model) and attention (moment, layer, head, query, key) are
    float16; metrics (moment, 3) are masked top-1, top-5 and next-sentence accuracy on a small
    part of the held-out text.
    """
    return moments(history) | {
        "metric_names": np.array(["masked_top_1", "masked_top_5", "next_sentence"]),
        "tokens": np.array(tokenizer.encode(SNAPSHOT_SENTENCE).tokens),
        "sentence": np.array(SNAPSHOT_SENTENCE),
    }
