"""What gpt-mini's card says: sources, settings named as in the papers, departures from GPT-2."""

from collections.abc import Mapping, Sequence

from transformers import GPT2LMHeadModel

from core.training.common.card import (
    Card,
    Example,
    Run,
)
from core.training.common.sources import (
    BOOKS_BUT_SOME_CHAPTERS,
    ENGLISH_SENTENCES,
    WIKIPEDIA,
)
from core.training.gpt import recipe
from core.training.gpt.corpus import BOOKS_SHARE, REPEATED, REPEATED_SHARE, SENTENCES_SHARE
from core.training.gpt.evaluate import MEANING, UNITS
from core.training.gpt.network import CONTEXT

SOURCES = (WIKIPEDIA, BOOKS_BUT_SOME_CHAPTERS, ENGLISH_SENTENCES)


def departures(device: str) -> tuple[str, ...]:
    """From GPT-2, on "cpu" or "cuda"."""
    return (
        f"6 layers of d_model 256 and a context of {CONTEXT} (GPT-2 small: 12 of 768, 1,024).",
        f"Wikipedia and old books instead of WebText; of the sequences, {BOOKS_SHARE:.0%} are from "
        f"the books, and {SENTENCES_SHARE:.0%} are short everyday sentences one after another, "
        "each a document. Sequences begin anywhere in the text.",
        f"One sequence in {1 / REPEATED_SHARE:.0f} says a piece of {REPEATED[0]} to "
        f"{REPEATED[1] - 1} tokens over and over, so that looking back for what followed "
        "(induction) pays early.",
        "Muon instead of Adam for the matrices inside the layers; AdamW for everything else; "
        f"Muon's learning rate is {recipe.MATRICES_FACTOR:g} times the other one.",
        "No dropout (GPT-2: 0.1).",
        f"Batches of {recipe.SEQUENCES[device] * CONTEXT:,} tokens (GPT-2: 524,288).",
        "The training is a share of its planned time, not a number of steps.",
    )


def settings(device: str) -> dict[str, str]:
    """The training settings; GPT-2's paper names few, so the names are GPT's (2018)."""
    return {
        "batch size": f"{recipe.SEQUENCES[device]} sequences of {CONTEXT} tokens",
        "learning rate": f"{recipe.LEARNING_RATE:g}",
        "learning rate warmup": f"linear, over the first {recipe.WARMUP:.0%} of the training",
        "learning rate decay": "linear, to zero",
        "β1": f"{recipe.BETAS[0]}",
        "β2": f"{recipe.BETAS[1]}",
        "ε": f"{recipe.EPSILON:g}",
        "weight decay": f"{recipe.WEIGHT_DECAY}",
        "gradient clipping": f"{recipe.CLIP:g}",
        "dropout": "0",
        "activation": "gelu",
        "vocabulary": "byte-level byte-pair encoding",
        "seed": f"{recipe.SEED}",
    }


def make(
    model: GPT2LMHeadModel,
    run: Run,
    *,
    metrics: dict[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    return Card(
        id="gpt-mini",
        title="GPT mini (trained here)",
        family="text-decoder",
        task="next token",
        layers=model.config.n_layer,
        heads=model.config.n_head,
        d_model=model.config.n_embd,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        licence="CC BY-SA 3.0",
        paper="Radford et al. 2019, https://cdn.openai.com/better-language-models/"
        "language_models_are_unsupervised_multitask_learners.pdf",
        metrics=metrics,
        metrics_meaning=MEANING,
        metrics_units=UNITS,
        **run.of("gpt-mini"),
        data=SOURCES,
        settings=settings(run.trained_on),
        departures=departures(run.trained_on),
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
