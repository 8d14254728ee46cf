"""What minilm-clm's card says: sources, settings, and how it differs from a GPT."""

from collections.abc import Mapping, Sequence

from transformers import BertLMHeadModel

from core.training.common.card import Card, Example, Run, Source
from core.training.common.sources import BOOKS_BUT_SOME_CHAPTERS, ENGLISH_SENTENCES, WIKIPEDIA
from core.training.gpt.corpus import BOOKS_SHARE, REPEATED, REPEATED_SHARE, SENTENCES_SHARE
from core.training.gpt.evaluate import UNITS
from core.training.minilm.causal import recipe
from core.training.minilm.causal.evaluate import MEANING, MODEL
from core.training.minilm.causal.network import CONTEXT
from core.training.minilm.rank import SHIPPED

SOURCES = (
    Source(
        "minilm-mlm, whose weights it changes; trained here, from MiniLM-L6",
        "CC BY-SA 3.0; MiniLM's own weights Apache-2.0",
        "this project; Wang et al. 2020, https://arxiv.org/abs/2002.10957",
    ),
    WIKIPEDIA,
    BOOKS_BUT_SOME_CHAPTERS,
    ENGLISH_SENTENCES,
)

DEPARTURES = (
    "It is no GPT: BERT's layers, with the LayerNorm behind each sublayer, under a causal mask, "
    "and BERT's lower-case WordPiece. It begins with a masked model's weights, its head's too; all "
    "but the word embeddings are trained.",
    f"A context of {CONTEXT} tokens (GPT-2: 1,024). [CLS] stands before each document, [SEP] "
    "behind it.",
    f"Of the sequences, {BOOKS_SHARE:.0%} are from old books, {SENTENCES_SHARE:.0%} are short "
    "everyday sentences one after another, each a document; the rest is Wikipedia. Sequences "
    "begin anywhere in the text. The masked model has read the held-out chapters of the books.",
    f"One sequence in {1 / REPEATED_SHARE:.0f} says a piece of {REPEATED[0]} to {REPEATED[1] - 1} "
    "tokens over and over, so that looking back for what followed (induction) pays early.",
    "No dropout.",
    "The training is a share of its planned time, not a number of steps.",
    SHIPPED.format(base="the masked model's"),
)


def settings(device: str) -> dict[str, str]:
    return {
        "batch size": f"{recipe.SEQUENCES[device]} sequences of {CONTEXT} tokens",
        "learning rate": f"{recipe.LEARNING_RATE[device]:g}",
        "learning rate warmup": f"linear, over the first {recipe.WARMUP:.0%} of the training",
        "learning rate decay": "linear, to zero",
        "optimiser": "AdamW",
        "β1": f"{recipe.BETAS[0]}",
        "β2": f"{recipe.BETAS[1]}",
        "ε": f"{recipe.EPSILON:g}",
        "weight decay": f"{recipe.WEIGHT_DECAY}",
        "gradient clipping": f"{recipe.CLIP:g}",
        "dropout": "0",
        "activation": "gelu",
        "vocabulary": "WordPiece, lower case, 30,522 tokens",
        "seed": f"{recipe.SEED}",
    }


def make(
    model: BertLMHeadModel,
    run: Run,
    *,
    metrics: dict[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    return Card(
        id=MODEL,
        title="MiniLM for writing (trained here)",
        family="text-decoder",
        task="next token",
        layers=model.config.num_hidden_layers,
        heads=model.config.num_attention_heads,
        d_model=model.config.hidden_size,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        licence="CC BY-SA 3.0; MiniLM's own weights Apache-2.0",
        paper="Rothe et al. 2020, https://arxiv.org/abs/1907.12461; "
        "Wang et al. 2020, https://arxiv.org/abs/2002.10957",
        metrics=metrics,
        metrics_meaning=MEANING,
        metrics_units=UNITS,
        **run.of(MODEL),
        data=SOURCES,
        settings=settings(run.trained_on),
        departures=DEPARTURES,
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
