"""MiniLM's WordPiece for a model that writes: nothing stands behind a prompt, and words part.

BERT's own adds [SEP], and its decoder sets no space before the first word, so that what was
written on could not be put behind what stood there.
"""

from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, processors

from core.training.gpt.tokenizer import save_tokenizer
from core.training.minilm.causal.network import CONTEXT, START
from core.training.minilm.network import read_tokenizer

GLUED = Regex(r"^(?!##|[.,!?;:%)\]}'’]$)")  # every other token has a space before it


def writing_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of `folder`: [CLS] text; "un", "##til", "." are written " until."."""
    tokenizer = read_tokenizer(folder)
    start = tokenizer.id_to_token(START)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A", pair=f"{start} $A $B", special_tokens=[(start, START)]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(GLUED, " "), decoders.Replace(Regex("^##"), ""), decoders.Fuse()]
    )
    return tokenizer


def save_writing_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json, which `AutoTokenizer` reads."""
    save_tokenizer(
        tokenizer,
        folder,
        max_length=CONTEXT,
        start="[CLS]",
        end="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
    )
