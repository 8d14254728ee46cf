"""What minilm-mlm's card says: sources, settings named as in BERT's paper, departures from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from transformers import BertForMaskedLM

from core.training.bert import masking
from core.training.bert.examples import OBJECT_SHARE
from core.training.common.card import Card, Example, Run, Source
from core.training.common.sources import BOOKS, ENGLISH_SENTENCES, FACTS, WIKIPEDIA
from core.training.minilm import batches, recipe
from core.training.minilm.evaluate import MEANING, MODEL
from core.training.minilm.prepare import LENGTH
from core.training.minilm.rank import SHIPPED

SOURCES = (
    Source(
        "MiniLM-L6 (all-MiniLM-L6-v2), whose weights it changes; they come from a data package",
        "Apache-2.0",
        "Wang et al. 2020, https://arxiv.org/abs/2002.10957; sentence-transformers",
    ),
    WIKIPEDIA,
    BOOKS,
    ENGLISH_SENTENCES,
    FACTS,
)


def departures(device: str) -> tuple[str, ...]:
    """From the papers, on "cpu" or "cuda"."""
    text, short = batches.TEXT_ROWS[device], batches.SHORT_ROWS[device]
    return (
        "It begins with MiniLM's weights, trained for sentence embeddings, and learns masked words "
        "alone: no next sentences, one segment. The head is new; all weights are trained.",
        f"A step reads {text} sequences of {LENGTH} tokens of Wikipedia and books, never padded, "
        f"and {short} short sentences by themselves; in one step of {batches.FACTS_EVERY} told "
        f"facts instead, {OBJECT_SHARE:.0%} of them with exactly their object behind [MASK]. All "
        "masked tokens count alike. The paper: 256 sequences of 512 tokens.",
        "No dropout (the paper: 0.1).",
        "The training is a share of its planned time, not a number of steps.",
        "The vocabulary layer's bias starts at the tokens' log frequencies.",
        SHIPPED.format(base="MiniLM's"),
    )


def settings(device: str) -> dict[str, str]:
    """The training settings, named as in the paper (appendix A.2)."""
    return {
        "batch size": f"{batches.TEXT_ROWS[device]} × {LENGTH} tokens, and "
        f"{batches.SHORT_ROWS[device]} sentences",
        "learning rate": f"{recipe.LEARNING_RATE[device]:g}",
        "learning rate warmup": f"over the first {recipe.WARMUP:.0%} of the training",
        "learning rate decay": "linear, to zero",
        "optimiser": "AdamW",
        "β1": f"{recipe.BETAS[0]}",
        "β2": f"{recipe.BETAS[1]}",
        "ε": f"{recipe.EPSILON:g}",
        "L2 weight decay": f"{recipe.WEIGHT_DECAY}",
        "gradient clipping": f"{recipe.CLIP}",
        "dropout": "0",
        "activation": "gelu",
        "masking": f"{masking.MASK_SHARE:.0%} of the tokens: {masking.MASKED_SHARE:.0%} [MASK], "
        f"{masking.RANDOM_SHARE:.0%} random, the rest unchanged",
        "seed": f"{recipe.SEED}",
    }


def note_of(tokens: int) -> str:
    return f"{tokens:,} tokens were read."


def tokens_read(card: Mapping[str, Any]) -> int:
    """What `note_of` wrote into a finished card."""
    return int(card["notes"]["read"].split()[0].replace(",", ""))


def make(
    model: BertForMaskedLM,
    run: Run,
    *,
    metrics: dict[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    return Card(
        id=MODEL,
        title="MiniLM for masked words (trained here)",
        family="text-encoder",
        task="masked words",
        layers=model.config.num_hidden_layers,
        heads=model.config.num_attention_heads,
        d_model=model.config.hidden_size,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        licence="CC BY-SA 3.0; MiniLM's own weights Apache-2.0",
        paper="Wang et al. 2020, https://arxiv.org/abs/2002.10957; "
        "Devlin et al. 2019, https://arxiv.org/abs/1810.04805",
        metrics=metrics,
        metrics_meaning=MEANING,
        **run.of(MODEL),
        data=SOURCES,
        settings=settings(run.trained_on),
        departures=departures(run.trained_on),
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
