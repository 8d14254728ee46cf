"""Home's "By lecture": topics in the order of a course, each a link to a page as it should stand.

A topic whose page is not built yet has no page; it shows as text, so that a teacher sees
what is coming.
"""

from dataclasses import dataclass, field
from typing import Final

BEGINS: Final = 5  # minutes
GOES_ON: Final = 3


@dataclass(frozen=True)
class Topic:
    """One step of a course; `state` is the linked page's query parameters."""

    title: str
    page: str = "later"  # the url path
    state: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def minutes(self) -> int:
        """What a lecturer may plan for it: a step that goes on (“…”) is shorter than a new one."""
        return GOES_ON if self.title.startswith("…") else BEGINS


STORE = "The man went to the store."
FAMILY = "👩‍👩‍👧‍👦 and 👍🏽 say 🏳️‍🌈"
SEWAGE = "The sewage treatment plant smells particularly special today"

LECTURES: Final = (
    (
        "Input",
        (
            Topic("Subwords: BPE step by step", "tokenization"),
            Topic("… predict the next merge", "tokenization", {"predict": "1"}),
            Topic("… the end of a word glued: a fork", "tokenization", {"fork": "end-glued"}),
            Topic("… births and deaths of tokens", "tokenization", {"view": "lives"}),
            Topic("… against Hugging Face's trainer", "tokenization", {"fork": "library"}),
            Topic(
                "Abwasserbehandlungsanlage, merge by merge",
                "tokenization",
                {"with": "list", "word": "Abwasserbehandlungsanlage", "want": "anlage"},
            ),
            Topic("Several tokenizers on one text", "tokenizers"),
            Topic("… an emoji family, byte by byte", "tokenizers", {"text": FAMILY, "bytes": "1"}),
            Topic("One sentence in fifteen languages", "tokenizers", {"view": "languages"}),
            Topic("Why subwords: coverage and cost", "tokenizers", {"view": "why"}),
            Topic("WordPiece: hug, pug and [UNK]", "tokenizers", {"view": "wordpiece"}),
            Topic("Unigram: the lattice of “unhug”", "tokenizers", {"view": "unigram"}),
            Topic("Positions: sinusoids, and their waves", "positions"),
            Topic("… a shift is a rotation", "positions", {"view": "shift"}),
            Topic("… learned: watch BERT find order", "positions", {"view": "learned"}),
            Topic("… rotary, ALiBi, T5, Swin side by side", "positions", {"view": "relative"}),
            Topic("… order matters: shuffle them", "positions", {"view": "order"}),
        ),
    ),
    (
        "Attention",
        (
            Topic("Attention from scratch", "blocks"),
            Topic("… why √d_k", "blocks", {"part": "root"}),
            Topic("… a real head's M = W^Q (W^K)ᵀ", "blocks", {"part": "metric"}),
            Topic("… why softmax", "blocks", {"part": "entropy"}),
            Topic("… again and again, to its limit", "blocks", {"part": "limit"}),
            Topic(
                "One head: what does “it” look at?", "attention", {"heads": "3.1", "cell": "10.2"}
            ),
            Topic(
                "Many heads, one sentence: all of layer 5",
                "attention",
                {"text": SEWAGE, "heads": ",".join(f"5.{head}" for head in range(12)), "mean": "1"},
            ),
            Topic(
                "Where attention goes to rest: [SEP] and [CLS]",
                "attention",
                {
                    "text": STORE,
                    "pair": "He bought a gallon of milk.",
                    "heads": "4.9",
                    "layout": "lines",
                },
            ),
            Topic(
                "… and what is left without them",
                "attention",
                {
                    "text": STORE,
                    "pair": "He bought a gallon of milk.",
                    "heads": "4.9",
                    "nospecial": "1",
                    "renorm": "1",
                },
            ),
        ),
    ),
    (
        "The Transformer",
        (
            Topic(
                "Translation and beam search",
                "transformer",
                {"view": "beams", "text": "My sister has bought a new car."},
            ),
            Topic("… token by token, and what the mask hides", "transformer"),
            Topic("… Figure 1, part by part", "transformer", {"view": "machine"}),
            Topic("… teacher forcing on your own German", "transformer", {"view": "forcing"}),
            Topic(
                "… alignment, while it is learned",
                "training",
                {"model": "transformer-en-de", "maps": "cross"},
            ),
            Topic("ReLU, GELU, SwiGLU", "blocks", {"view": "activations"}),
            Topic("LayerNorm, RMSNorm; post and pre", "blocks", {"view": "norms"}),
            Topic("Warm-up: the learning rate", "blocks", {"view": "optimisation"}),
            Topic(
                "… label smoothing on a real prediction",
                "blocks",
                {"view": "optimisation", "part": "smoothing"},
            ),
            Topic("… Adam and β₂", "blocks", {"view": "optimisation", "part": "adam"}),
            Topic("What attention costs: n²d and nd²", "blocks", {"view": "cost"}),
            Topic(
                "… every matrix of the base model counted",
                "blocks",
                {"view": "cost", "part": "parameters", "model": "transformer"},
            ),
        ),
    ),
    (
        "BERT and GPT",
        (
            Topic(
                "A pair that belongs together …",
                "attention",
                {"text": STORE, "pair": "He bought a gallon of milk."},
            ),
            Topic(
                "… and one that does not",
                "attention",
                {"text": STORE, "pair": "Penguins are flightless."},
            ),
            Topic(
                "Masked words: “the man went to the [MASK] to buy a [MASK] of milk”",
                "bert",
                {"text": "the man went to the [MASK] to buy a [MASK] of milk"},
            ),
            Topic(
                "… a fact, and the layer where it appears",
                "bert",
                {
                    "view": "layers",
                    "text": "The native language of Victor Hugo is [MASK].",
                },
            ),
            Topic("BERT's input: three vectors, one sum", "bert", {"view": "input"}),
            Topic("… what it learns from: 15 %, 80 / 10 / 10", "bert", {"view": "pretraining"}),
            Topic("… next sentences, and pairs that fool it", "bert", {"view": "next"}),
            Topic("… one word in several sentences", "bert", {"view": "context"}),
            Topic("… its heads forming, in eight moments", "training"),
            Topic("… where fine-tuning attaches", "bert", {"view": "tuning", "task": "answer"}),
            Topic("Next words: “Background music from a ___”", "gpt"),
            Topic(
                "… temperature and top-p, worked out",
                "gpt",
                {"temperature": "0.7", "top_p": "0.9"},
            ),
            Topic("… write on, take back, fork", "gpt", {"view": "generate"}),
            Topic("… surprise and perplexity: a giraffe", "gpt", {"view": "surprise"}),
            Topic("… the answer takes shape, layer by layer", "gpt", {"view": "layers"}),
            Topic("Induction heads: [A][B] … [A] → [B]", "gpt", {"view": "induction"}),
            Topic("Zero-, one- and few-shot", "gpt", {"view": "shots"}),
            Topic("GPT's fine-tuning inputs", "gpt", {"view": "tuning"}),
            Topic("BERT and GPT on the same sentence", "gpt", {"view": "beside"}),
            Topic(
                "Objectives: causal, masked, spans, replaced tokens",
                "blocks",
                {"view": "objectives"},
            ),
            Topic("… a mixture of experts", "blocks", {"view": "objectives", "part": "experts"}),
            Topic("Fine-tuning cheaply: LoRA", "blocks", {"view": "tuning"}),
            Topic("… 8-bit weights and outliers", "blocks", {"view": "tuning", "part": "int8"}),
        ),
    ),
    (
        "Vision",
        (
            Topic("Why patches: 4.3 · 10¹² pairs", "blocks", {"view": "cost", "part": "pictures"}),
            Topic("ViT: from a picture to tokens", "vision"),
            Topic("… where each head looks", "vision", {"view": "attention"}),
            Topic("… how far: local heads, broad heads", "vision", {"view": "how-far"}),
            Topic("… while it learns where to look", "training", {"model": "vit-mini"}),
            Topic("Rollout as a film", "vision", {"view": "rollout"}),
            Topic("Why this class? explanations side by side", "vision", {"view": "why"}),
            Topic("… and are they true?", "vision", {"view": "truth"}),
            Topic("What if: hide patches, silence a head", "vision", {"view": "what-if"}),
            Topic("Swin: shifted windows", "vision", {"view": "swin"}),
            Topic("MAE: seeing a quarter of a picture", "vision", {"view": "mae"}),
            Topic("ViT against CNN: how much data?", "vision", {"view": "data"}),
            Topic("DETR: queries and matching", "vision", {"view": "detr"}),
        ),
    ),
)
