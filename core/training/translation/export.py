"""From a finished training to the folder that ships: weights, vocabulary, snapshots, card."""

from functools import partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from transformers import MarianMTModel

from core.training.common.card import Run, write_card
from core.training.common.export import moments, write_model, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.translation import card
from core.training.translation.evaluate import evaluate
from core.training.translation.gallery import examples
from core.training.translation.heads import report
from core.training.translation.network import MAX_POSITIONS
from core.training.translation.pairs import Prepared
from core.training.translation.recipe import SNAPSHOT_PAIR
from core.training.translation.tokenizer import START, save_tokenizer


def ship(
    model: MarianMTModel,
    prepared: Prepared,
    history: History,
    *,
    data: Path,
    folder: Path,
    run: Run,
) -> None:
    """Write every file of the folder, each whole or not at all; the card comes last."""
    tokenizer = prepared.tokenizer
    write_model(
        model, folder, save_tokenizer=partial(save_tokenizer, tokenizer, max_length=MAX_POSITIONS)
    )
    write_snapshots(folder, snapshots(history, tokenizer))
    shipped = MarianMTModel.from_pretrained(folder, dtype="float32").eval()
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=evaluate(folder, data),
            examples=examples(shipped, tokenizer),
            notes=report(shipped, tokenizer, prepared.held_out),
            curve=loss_curve(history),
        ),
    )


def snapshots(history: History, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """The moments of the training, stacked; `steps` and `fractions` say when they were.

    encoder, decoder and cross (moment, layer, head, query, key) are float16: the attention of
    one pair, its German fed behind <s>; metrics (moment, 1) are BLEU on a small part of the
    held-out sentences, decoded greedily.
    """
    english, german = (tokenizer.encode(side) for side in SNAPSHOT_PAIR)
    start = tokenizer.id_to_token(START) or ""
    return moments(history) | {
        "metric_names": np.array(["bleu_greedy"]),
        "tokens": np.array(english.tokens),
        "target_tokens": np.array([start, *german.tokens[:-1]]),
        "sentence": np.array(SNAPSHOT_PAIR[0]),
        "target": np.array(SNAPSHOT_PAIR[1]),
    }
