"""From a finished training to the folder that ships: the update, its config, snapshots, card."""

from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from transformers import BertForMaskedLM

from core.models.text.folded import tensors_of
from core.training.bert.masking import choose
from core.training.common.card import Run, write_card
from core.training.common.export import moments, write_snapshots
from core.training.common.loop import History, loss_curve
from core.training.minilm import card
from core.training.minilm.evaluate import evaluate, open_model
from core.training.minilm.examples import text_rows
from core.training.minilm.gallery import examples
from core.training.minilm.low_rank import RANKS
from core.training.minilm.network import MASK, WORDS, base_folder
from core.training.minilm.prepare import LENGTH, Prepared
from core.training.minilm.rank import TIED, ship_rank
from core.training.minilm.recipe import SNAPSHOT_SENTENCE

PREFIX = "bert."  # of the encoder's tensors in a BertForMaskedLM
CHOOSING_SEED = 20_201  # of the text by which the rank is chosen: training text, drawn anew
CHOOSING_ROWS = 96  # sequences of it


def ship(
    model: BertForMaskedLM,
    prepared: Prepared,
    history: History,
    *,
    data: Path,
    folder: Path,
    run: Run,
    tokens_read: int,
) -> None:
    """Write every file of the folder, each whole or not at all; the card comes last."""
    rank = ship_update(model, prepared, folder)
    write_snapshots(folder, snapshots(history, prepared))
    metrics = evaluate(folder, data)
    shipped = open_model(folder)
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=metrics,
            examples=examples(shipped, prepared.tokenizer),
            notes={"read": card.note_of(tokens_read), "rank": rank},
            curve=loss_curve(history),
        ),
    )


def ship_update(model: BertForMaskedLM, prepared: Prepared, folder: Path) -> str:
    """Write the weights; return for the card how their rank was chosen."""
    base = {PREFIX + name: value for name, value in tensors_of(base_folder()).items()}
    trained = {name: value.cpu() for name, value in model.state_dict().items() if name not in TIED}
    base = {name: value for name, value in base.items() if name in trained}  # not the pooler
    rows = text_rows(prepared.corpus, (CHOOSING_ROWS, LENGTH), np.random.default_rng(CHOOSING_SEED))
    loss = partial(masked_loss, model, rows)
    chosen = ship_rank(model, base, trained, loss, ranks=RANKS, folder=folder)
    return (
        f"Rank {chosen.rank}: on training text drawn anew the masked-LM loss is "
        f"{chosen.shipped:.3f} as shipped, {chosen.trained:.3f} as trained and "
        f"{chosen.without:.3f} with MiniLM's own encoder under the trained head; what is shipped "
        f"holds {chosen.energy:.0%} of the change's squared norm."
    )


def snapshots(history: History, prepared: Prepared) -> dict[str, np.ndarray]:
    """The moments of the training, stacked; `steps` and `fractions` say when they were.

    positions (moment, position, d_model) and attention (moment, layer, head, query, key) are
    float16; metrics (moment, 2) are masked top-1 and top-5 on a small part of held-out text.
    """
    return moments(history) | {
        "metric_names": np.array(["masked_top_1", "masked_top_5"]),
        "tokens": np.array(prepared.tokenizer.encode(SNAPSHOT_SENTENCE).tokens),
        "sentence": np.array(SNAPSHOT_SENTENCE),
    }


def masked_loss(model: BertForMaskedLM, rows: np.ndarray) -> float:
    """Mean cross-entropy of 15 % of the words behind [MASK], in nats; always the same ones."""
    chosen = choose(rows >= WORDS[0], np.random.default_rng(CHOOSING_SEED))
    summed = 0.0
    for ids, asked in zip(np.array_split(rows, 6), np.array_split(chosen, 6), strict=True):
        hidden = torch.from_numpy(np.where(asked, MASK, ids)).to(model.device)
        with torch.inference_mode():
            states = model.bert(hidden).last_hidden_state[torch.from_numpy(asked)]
            wanted = torch.from_numpy(ids[asked]).to(model.device)
            summed += float(
                functional.cross_entropy(model.cls.predictions(states), wanted, reduction="sum")
            )
    return summed / int(chosen.sum())
