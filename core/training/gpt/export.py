"""From a finished training to the folder that ships: weights, vocabulary, snapshots, card."""

from functools import partial
from pathlib import Path

from transformers import GPT2LMHeadModel

from core.training.common.card import Run, write_card
from core.training.common.export import write_model, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.gpt import card
from core.training.gpt.corpus import Prepared, tokenise
from core.training.gpt.evaluate import evaluate
from core.training.gpt.gallery import examples
from core.training.gpt.heads import report
from core.training.gpt.moments import snapshots
from core.training.gpt.network import CONTEXT
from core.training.gpt.tokenizer import save_tokenizer


def ship(
    model: GPT2LMHeadModel,
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
        model, folder, save_tokenizer=partial(save_tokenizer, tokenizer, max_length=CONTEXT)
    )
    write_snapshots(folder, snapshots(history, tokenizer))
    shipped = GPT2LMHeadModel.from_pretrained(folder, dtype="float32").eval()
    text = tokenise(((document,) for document in prepared.held_out.wiki), tokenizer)
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=evaluate(folder, data),
            examples=examples(shipped, tokenizer),
            notes=report(shipped, text),
            curve=loss_curve(history),
        ),
    )
