"""From a finished training to the folder that ships: weights, vocabulary, snapshots, card."""

import tempfile
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertForPreTraining

from core.training.bert import card
from core.training.bert.corpus import held_out_documents, tokenise
from core.training.bert.evaluate import evaluate
from core.training.bert.gallery import examples
from core.training.bert.heads import describe, pattern_weights
from core.training.bert.network import MAX_POSITIONS
from core.training.bert.recipe import SNAPSHOT_SENTENCE
from core.training.bert.tokenizer import save_tokenizer
from core.training.card import write_card
from core.training.checkpoint import write_whole
from core.training.loop import History, loss_curve

SNAPSHOTS_FILE = "snapshots.npz"


def ship(
    model: BertForPreTraining,
    tokenizer: Tokenizer,
    history: History,
    *,
    data: Path,
    folder: Path,
    run: card.Run,
) -> None:
    """Write every file of the folder, each whole or not at all; the card comes last."""
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        model.half().cpu().save_pretrained(made)
        save_tokenizer(tokenizer, made, max_length=MAX_POSITIONS)
        config = made / "config.json"  # half the bytes on disk, full precision in memory
        config.write_text(config.read_text().replace('"float16"', '"float32"'))
        for file in sorted(made.iterdir()):
            content = file.read_bytes()
            write_whole(folder / file.name, lambda target, content=content: target.write(content))
    kept = snapshots(history, tokenizer)
    write_whole(
        folder / SNAPSHOTS_FILE,
        lambda target: np.savez_compressed(target, **kept),  # pyright: ignore[reportArgumentType]
    )
    shipped = BertForPreTraining.from_pretrained(folder, dtype="float32").eval()
    corpus = tokenise(held_out_documents(data), tokenizer)
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=evaluate(folder, data),
            examples=examples(shipped, tokenizer),
            heads=describe(pattern_weights(shipped, corpus)),
            curve=loss_curve(history),
        ),
    )


def snapshots(history: History, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """The moments of the training, stacked; `steps` and `fractions` say when they were.

    positions (moment, position, d_model) and attention (moment, layer, head, query, key) are
    float16; metrics (moment, 3) are masked top-1, top-5 and next-sentence accuracy on a small
    part of the held-out text.
    """
    taken = history.snapshots
    ends = [*history.fractions, 1.0]
    return {
        "positions": torch.stack([moment["positions"] for moment in taken]).numpy(),
        "attention": torch.stack([moment["attention"] for moment in taken]).numpy(),
        "metrics": torch.stack([moment["metrics"] for moment in taken]).numpy(),
        "metric_names": np.array(["masked_top_1", "masked_top_5", "next_sentence"]),
        "steps": np.array(history.taken_at),
        "fractions": np.array([ends[min(step, len(ends) - 1)] for step in history.taken_at]),
        "tokens": np.array(tokenizer.encode(SNAPSHOT_SENTENCE).tokens),
        "sentence": np.array(SNAPSHOT_SENTENCE),
        "loss_curve": np.array(loss_curve(history), dtype=np.float32),
    }
