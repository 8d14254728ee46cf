"""gpt-mini's text in MiniLM's tokens: `[CLS]` before each document, `[SEP]` behind it."""

from pathlib import Path

from tokenizers import Tokenizer

from core.training.gpt.corpus import Prepared, prepared_with
from core.training.minilm.causal.network import CONTEXT, END, START


def prepare(data: Path, cache: Path, tokenizer: Tokenizer) -> Prepared:
    """Make or reopen the cached tokens of these very data files."""
    return prepared_with(
        data,
        cache,
        lambda: tokenizer,
        key=("minilm", START, END),
        longest=CONTEXT,
        before=START,
        behind=END,
    )
