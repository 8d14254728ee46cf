"""What bert-mini's card says: sources, settings named as in the paper, departures from it."""

from collections.abc import Mapping, Sequence

from transformers import BertForPreTraining

from core.training.bert import batches, masking, recipe
from core.training.bert.evaluate import MEANING
from core.training.bert.examples import OBJECT_SHARE, OTHER_DOCUMENT_SHARE, SINGLE_SHARE
from core.training.common.card import (
    Card,
    Example,
    Run,
)
from core.training.common.sources import BOOKS, ENGLISH_SENTENCES, FACTS, WIKIPEDIA

SOURCES = (WIKIPEDIA, BOOKS, ENGLISH_SENTENCES, FACTS)


def tokens_a_step(device: str) -> int:
    """Of running text; blocks of all shapes hold the same number."""
    return batches.BLOCKS_A_STEP * batches.SHORT[0] * batches.SHORT[1] * batches.TIMES[device]


def departures(device: str) -> tuple[str, ...]:
    """From the paper, on "cpu" or "cuda"."""
    times = batches.TIMES[device]
    return (
        "Muon instead of Adam for the matrices inside the layers; AdamW for everything else; "
        f"Muon's learning rate is {recipe.MATRICES_FACTOR:g} times the other one.",
        "No dropout (the paper: 0.1).",
        "The training is a share of its planned time, not a number of steps.",
        f"Batches of {tokens_a_step(device):,} tokens, in {batches.BLOCKS_A_STEP} blocks: "
        f"sequences of 64 at first; after {batches.SHORT_UNTIL:.0%} of the time a mixture: of 64 "
        f"({batches.LATE_SHARES[0]:.0%} of the blocks), of 128 ({batches.LATE_SHARES[1]:.0%}), of "
        f"512 ({batches.LATE_SHARES[2]:.0%}), so that every position up to 512 is trained. The "
        "paper: 131,072 tokens, of 128, then of 512.",
        f"{SINGLE_SHARE:.0%} of the sequences have one segment and no next-sentence question.",
        "Every sequence is filled to its end; the paper pads.",
        f"Beside the text, every step reads {batches.FACTS_A_STEP * times} told facts (relations "
        f"equally often), their loss weighted {recipe.FACTS_WEIGHT}; {OBJECT_SHARE:.0%} of them "
        "have exactly their object behind [MASK], the others 15 % of their words; and "
        f"{batches.SENTENCES_A_STEP * times} short everyday sentences, each by itself, their loss "
        f"weighted {recipe.SENTENCES_WEIGHT}.",
        "Words that are objects of training facts are single tokens of the vocabulary.",
        "The vocabulary layer's bias starts at the tokens' log frequencies.",
    )


def settings(device: str) -> dict[str, str]:
    """The training settings, named as in the paper (appendix A.2)."""
    return {
        "batch size": f"{tokens_a_step(device):,} tokens, "
        f"{batches.FACTS_A_STEP * batches.TIMES[device]} told facts and "
        f"{batches.SENTENCES_A_STEP * batches.TIMES[device]} everyday sentences",
        "learning rate": f"{recipe.LEARNING_RATE[device]:g}",
        "learning rate warmup": f"over the first {recipe.WARMUP:.0%} of the training",
        "learning rate decay": "linear, to zero",
        "β1": f"{recipe.BETAS[0]}",
        "β2": f"{recipe.BETAS[1]}",
        "ε": f"{recipe.EPSILON:g}",
        "L2 weight decay": f"{recipe.WEIGHT_DECAY}",
        "gradient clipping": f"{recipe.CLIP}",
        "dropout": "0",
        "activation": "gelu",
        "masking": f"{masking.MASK_SHARE:.0%} of the tokens: {masking.MASKED_SHARE:.0%} [MASK], "
        f"{masking.RANDOM_SHARE:.0%} random, the rest unchanged",
        "next sentence": f"{OTHER_DOCUMENT_SHARE:.0%} from another document",
        "seed": f"{recipe.SEED}",
    }


def make(
    model: BertForPreTraining,
    run: Run,
    *,
    metrics: dict[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    return Card(
        id="bert-mini",
        title="BERT mini (trained here)",
        family="text-encoder",
        task="masked words and next sentences",
        layers=model.config.num_hidden_layers,
        heads=model.config.num_attention_heads,
        d_model=model.config.hidden_size,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        licence="CC BY-SA 3.0",
        paper="Devlin et al. 2019, https://arxiv.org/abs/1810.04805",
        metrics=metrics,
        metrics_meaning=MEANING,
        **run.of("bert-mini"),
        data=SOURCES,
        settings=settings(run.trained_on),
        departures=departures(run.trained_on),
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
