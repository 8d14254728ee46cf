"""Published models as shapes, with the number of parameters that their papers print.

And the variations of Vaswani et al. 2017, table 3 (https://arxiv.org/abs/1706.03762): what
each change cost and gained on the development set of English–German (newstest2013).
"""

from dataclasses import dataclass, replace
from typing import Final

from core.blocks.parameters import Shape


@dataclass(frozen=True)
class Preset:
    """A published model: its shape, and the number of parameters that its paper prints."""

    title: str
    shape: Shape
    published: int  # millions
    paper: str
    why: str = ""  # ours differs


TRANSFORMER: Final = Shape("encoder-decoder", 6, 512, 2048, 8, 64, 37_000, attention_bias=False)
BERT: Final = Shape("encoder", 12, 768, 3072, 12, 64, 30_522, positions=512)
GPT2: Final = Shape("decoder", 12, 768, 3072, 12, 64, 50_257, positions=1024)
VIT: Final = Shape("vision", 12, 768, 3072, 12, 64, 1000, positions=197, patch=16)
T5: Final = Shape("t5", 12, 768, 3072, 12, 64, 32_128)
GPT3: Final = replace(GPT2, positions=2048)


def _wide(shape: Shape, layers: int, d_model: int, heads: int, d_head: int = 64) -> Shape:
    """The same family with d_ff = 4 · d_model."""
    return replace(
        shape, layers=layers, d_model=d_model, d_ff=4 * d_model, heads=heads, d_head=d_head
    )


ABOUT_37K: Final = "The paper says “about 37,000” tokens and prints rounded sums."
BERT_WHY: Final = "The paper rounds."
MISPRINT: Final = "A misprint: the authors corrected 117, 345, 762, 1542 to 124, 355, 774, 1558."
VIT_WHY: Final = "The paper does not say whether a head is counted; ours has 1000 classes."
GPT3_WHY: Final = "heads · d_head is not d_model in the paper's table 2.1; ours takes it literally."
PRESETS: Final = {
    "transformer": Preset(
        "Transformer base", TRANSFORMER, 65, "Vaswani et al. 2017, table 3", ABOUT_37K
    ),
    "transformer-big": Preset(
        "Transformer big", _wide(TRANSFORMER, 6, 1024, 16), 213,
        "Vaswani et al. 2017, table 3", ABOUT_37K,
    ),
    "bert": Preset("BERT base", BERT, 110, "Devlin et al. 2019, section 3", BERT_WHY),
    "bert-large": Preset(
        "BERT large", _wide(BERT, 24, 1024, 16), 340, "Devlin et al. 2019, section 3", BERT_WHY
    ),
    "gpt": Preset(
        "GPT", replace(GPT2, vocabulary=40_478, positions=512), 117,
        "Radford et al. 2019, table 2 (its smallest is called the equal of GPT)",
        "GPT's block has its norms after the sums and none at the end: 1,536 fewer.",
    ),
    "gpt2": Preset("GPT-2 small", GPT2, 117, "Radford et al. 2019, table 2", MISPRINT),
    "gpt2-medium": Preset(
        "GPT-2 medium", _wide(GPT2, 24, 1024, 16), 345, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt2-large": Preset(
        "GPT-2 large", _wide(GPT2, 36, 1280, 20), 762, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt2-xl": Preset(
        "GPT-2 XL", _wide(GPT2, 48, 1600, 25), 1542, "Radford et al. 2019, table 2", MISPRINT
    ),
    "gpt3-xl": Preset(
        "GPT-3 XL", _wide(GPT3, 24, 2048, 24, 128), 1320,
        "Brown et al. 2020, table 2.1", GPT3_WHY,
    ),
    "gpt3-13b": Preset(
        "GPT-3 13B", _wide(GPT3, 40, 5140, 40, 128), 12_850,
        "Brown et al. 2020, table 2.1", GPT3_WHY,
    ),
    "gpt3": Preset(
        "GPT-3 175B", _wide(GPT3, 96, 12_288, 96, 128), 174_600, "Brown et al. 2020, table 2.1"
    ),
    "vit": Preset("ViT-B/16", VIT, 86, "Dosovitskiy et al. 2021, table 1", VIT_WHY),
    "vit-large": Preset(
        "ViT-L/16", _wide(VIT, 24, 1024, 16), 307, "Dosovitskiy et al. 2021, table 1", VIT_WHY
    ),
    "vit-huge": Preset(
        "ViT-H/14", replace(_wide(VIT, 32, 1280, 16, 80), positions=257, patch=14), 632,
        "Dosovitskiy et al. 2021, table 1", VIT_WHY,
    ),
    "t5": Preset("T5 base", T5, 220, "Raffel et al. 2020, section 3.1.1", "“about 220 million”."),
}  # fmt: skip


@dataclass(frozen=True)
class Variation:
    """One row of table 3: what differs from the base model, and what came of it."""

    row: str
    change: str
    shape: Shape
    perplexity: float  # per word piece
    bleu: float
    millions: int | None  # of parameters, where the table prints them


def _heads(heads: int, width: int) -> Shape:
    return replace(TRANSFORMER, heads=heads, d_head=width)


def _keys(width: int) -> Shape:
    return replace(TRANSFORMER, d_head=width, d_value=64)


def _model(d_model: int, d_head: int) -> Shape:
    return replace(TRANSFORMER, d_model=d_model, d_head=d_head)


VARIATIONS: Final = (
    Variation("base", "", TRANSFORMER, 4.92, 25.8, 65),
    Variation("A", "1 head, d_k = d_v = 512", _heads(1, 512), 5.29, 24.9, None),
    Variation("A", "4 heads, d_k = d_v = 128", _heads(4, 128), 5.00, 25.5, None),
    Variation("A", "16 heads, d_k = d_v = 32", _heads(16, 32), 4.91, 25.8, None),
    Variation("A", "32 heads, d_k = d_v = 16", _heads(32, 16), 5.01, 25.4, None),
    Variation("B", "d_k = 16", _keys(16), 5.16, 25.1, 58),
    Variation("B", "d_k = 32", _keys(32), 5.01, 25.4, 60),
    Variation("C", "2 layers", replace(TRANSFORMER, layers=2), 6.11, 23.7, 36),
    Variation("C", "4 layers", replace(TRANSFORMER, layers=4), 5.19, 25.3, 50),
    Variation("C", "8 layers", replace(TRANSFORMER, layers=8), 4.88, 25.5, 80),
    Variation("C", "d_model 256, d_k = d_v = 32", _model(256, 32), 5.75, 24.5, 28),
    Variation("C", "d_model 1024, d_k = d_v = 128", _model(1024, 128), 4.66, 26.0, 168),
    Variation("C", "d_ff 1024", replace(TRANSFORMER, d_ff=1024), 5.12, 25.4, 53),
    Variation("C", "d_ff 4096", replace(TRANSFORMER, d_ff=4096), 4.75, 26.2, 90),
    Variation("D", "dropout 0", TRANSFORMER, 5.77, 24.6, None),
    Variation("D", "dropout 0.2", TRANSFORMER, 4.95, 25.5, None),
    Variation("D", "label smoothing 0", TRANSFORMER, 4.67, 25.3, None),
    Variation("D", "label smoothing 0.2", TRANSFORMER, 5.47, 25.7, None),
    Variation("E", "learned positions", TRANSFORMER, 4.92, 25.7, None),
    Variation(
        "big", "d_model 1024, d_ff 4096, 16 heads, dropout 0.3, 300,000 steps",
        PRESETS["transformer-big"].shape, 4.33, 26.4, 213,
    ),
)  # fmt: skip
