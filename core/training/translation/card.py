"""What the translation model's card says: sources, settings as the paper names them, departures."""

from collections.abc import Mapping, Sequence

from transformers import MarianMTModel

from core.training.common.card import (
    Card,
    Example,
    Run,
    Source,
)
from core.training.translation import batches, recipe
from core.training.translation.evaluate import MEANING, UNITS
from core.training.translation.network import D_FF, LABEL_SMOOTHING, P_DROP, P_DROP_EVERYWHERE
from core.training.translation.pairs import HELD_OUT_SHARE

SOURCES = (
    Source(
        "165,000 English–German sentence pairs of Tatoeba "
        f"(one English sentence in {HELD_OUT_SHARE} held out, with all its translations)",
        "CC BY 2.0 FR",
        "Tatoeba's contributors (tatoeba.org), via manythings.org/anki",
    ),
)


def departures(device: str) -> tuple[str, ...]:
    """From the paper, on "cpu" or "cuda"."""
    dropped = (
        f"Dropout only of the embeddings with their positions ({P_DROP}), not of every sub-layer's "
        "output: on a CPU that would take half as much time again."
        if device == "cpu"
        else f"Dropout {P_DROP_EVERYWHERE} (the base model: 0.1): every pair is read many times."
    )
    return (
        "4 + 4 layers of d_model 256 (the base model: 6 + 6 of 512), 8 heads as there.",
        dropped,
        f"Batches of {batches.TOKENS[device]:,} tokens of each language, padding included; the "
        "paper: 25,000.",
        f"Pairs longer than {batches.WIDTHS[-1]} tokens are left out (one in 1,000).",
        "The training is a share of its planned time, not a number of steps. The learning rate "
        f"ends linearly at zero over the last {recipe.COOLDOWN:.0%}; the paper takes the mean of "
        "the last five checkpoints instead.",
        f"The gradient's norm is clipped at {recipe.CLIP:g}.",
        "Marian's layout orders the sinusoids as all sines, then all cosines; the paper "
        "interleaves them. The decoder starts from <s>.",
    )


def settings(device: str) -> dict[str, str]:
    """The training settings, named as in the paper (sections 3 and 5)."""
    return {
        "N": "4",
        "d_ff": f"{D_FF}",
        "optimizer": "Adam",
        "β1": f"{recipe.BETAS[0]}",
        "β2": f"{recipe.BETAS[1]}",
        "ε": f"{recipe.EPSILON:g}",
        "learning rate": f"{recipe.LEARNING_RATE[device]:g} at its peak; then its inverse square "
        "root",
        "warmup": f"linear, over the first {recipe.WARMUP:.0%} of the training",
        "P_drop": f"{P_DROP if device == 'cpu' else P_DROP_EVERYWHERE}",
        "ε_ls (label smoothing)": f"{LABEL_SMOOTHING}",
        "vocabulary": "byte-pair encoding, shared",
        "seed": f"{recipe.SEED}",
    }


def make(
    model: MarianMTModel,
    run: Run,
    *,
    metrics: dict[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    return Card(
        id="transformer-en-de",
        title="Transformer, English to German (trained here)",
        family="translator",
        task="translation from English to German",
        layers=model.config.encoder_layers,
        heads=model.config.encoder_attention_heads,
        d_model=model.config.d_model,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        licence="CC BY 2.0 FR",
        paper="Vaswani et al. 2017, https://arxiv.org/abs/1706.03762",
        metrics=metrics,
        metrics_meaning=MEANING,
        metrics_units=UNITS,
        **run.of("transformer-en-de"),
        data=SOURCES,
        settings=settings(run.trained_on),
        departures=departures(run.trained_on),
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
