"""From a finished training to the folder that ships: update, config, tokenizer, snapshots, card."""

from functools import partial
from pathlib import Path

import numpy as np
import torch
from transformers import BertLMHeadModel

from core.catalog.checkpoints import locate, weights_hash
from core.training.common.card import Run, write_card
from core.training.common.export import write_snapshots, write_tokenizer
from core.training.common.loop import History, loss_curve
from core.training.gpt.corpus import Prepared, batch, tokenise
from core.training.gpt.gallery import examples
from core.training.gpt.heads import report
from core.training.gpt.moments import snapshots
from core.training.minilm.causal import card
from core.training.minilm.causal.evaluate import evaluate, open_model
from core.training.minilm.causal.network import (
    BASE,
    CONTEXT,
    END,
    START,
    base_model,
    next_token_loss,
)
from core.training.minilm.causal.recipe import RANKS
from core.training.minilm.causal.tokenizer import save_writing_tokenizer
from core.training.minilm.rank import TIED, Weights, ship_rank

CHOOSING_SEED = 20_201  # of the text by which the rank is chosen: training text, drawn anew
CHOOSING_ROWS = 48  # sequences of it
ROWS_AT_ONCE = 8


def ship(
    model: BertLMHeadModel,
    prepared: Prepared,
    history: History,
    *,
    data: Path,
    folder: Path,
    run: Run,
) -> None:
    """Write every file of the folder, each whole or not at all; the card comes last."""
    rank = ship_update(model, prepared, folder)
    write_tokenizer(folder, partial(save_writing_tokenizer, prepared.tokenizer))
    write_snapshots(folder, snapshots(history, prepared.tokenizer))
    shipped = open_model(folder)
    documents = ((document,) for document in prepared.held_out.wiki)
    text = tokenise(documents, prepared.tokenizer, before=START, behind=END)
    write_card(
        folder,
        card.make(
            shipped,
            run,
            metrics=evaluate(folder, data),
            examples=examples(shipped, prepared.tokenizer),
            notes={"base": base_note(), "rank": rank} | report(shipped, text),
            curve=loss_curve(history),
        ),
    )


def ship_update(model: BertLMHeadModel, prepared: Prepared, folder: Path) -> str:
    """Write the weights; return for the card how their rank was chosen."""
    base, trained = _weights(base_model()), _weights(model)
    drawn = batch(prepared, (CHOOSING_ROWS, CONTEXT), np.random.default_rng(CHOOSING_SEED))
    loss = partial(mean_loss, model, drawn)
    chosen = ship_rank(model, base, trained, loss, ranks=RANKS, folder=folder)
    return (
        f"Rank {chosen.rank}: on training text drawn anew the loss is {chosen.shipped:.3f} nats a "
        f"token as shipped, {chosen.trained:.3f} as trained and {chosen.without:.3f} with the "
        f"masked model's weights; what is shipped holds {chosen.energy:.0%} of the change's "
        "squared norm."
    )


def base_note() -> str:
    """For the card: an update of other weights would be folded in without an error."""
    return f"It updates {BASE}'s weights of SHA-256 {weights_hash(locate(BASE)[1])}, and no others."


def mean_loss(model: BertLMHeadModel, rows: np.ndarray) -> float:
    """In nats a token; rows (sequence, token)."""
    parts = torch.from_numpy(rows).to(model.device).split(ROWS_AT_ONCE)
    with torch.inference_mode():
        losses = [float(next_token_loss(model, part)) for part in parts]
    return float(np.average(losses, weights=[len(part) for part in parts]))


def _weights(model: torch.nn.Module) -> Weights:
    """Copies: the model's own are overwritten while ranks are tried."""
    own = model.state_dict().items()
    return {name: value.detach().cpu().clone() for name, value in own if name not in TIED}
