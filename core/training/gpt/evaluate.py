"""The figures of gpt-mini's card, from the shipped files and the data folder alone."""

from pathlib import Path

from tokenizers import Tokenizer
from transformers import GPT2LMHeadModel

from core.errors import InputError
from core.training.common import everyday
from core.training.gpt.corpus import read_held_out
from core.training.gpt.guesses import guesses
from core.training.gpt.measure import bits_per_byte

TOKENS = 100_000  # of either text

MEANING = {
    "bits_per_byte_wiki": "held-out Wikipedia articles, bits a byte of UTF-8 text; every token "
    "with at least half the context before it, where its document has that",
    "bits_per_byte_books": "the same, on held-out chapters of the books",
    "everyday_top_5": everyday.MEANING + "of those alone whose blank is the last word, and from "
    "what stands before it; a guess is one token",
}
UNITS = {"bits_per_byte_wiki": "bits a byte", "bits_per_byte_books": "bits a byte"}


def evaluate(folder: Path, data: Path) -> dict[str, float]:
    """Measure the checkpoint in `folder`; the names are those of MEANING."""
    held_out = read_held_out(data)
    if not (folder / "model.safetensors").is_file():
        raise InputError(f"{folder} holds no model.safetensors; train the model first")
    model = GPT2LMHeadModel.from_pretrained(folder, dtype="float32").eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    beginnings = [
        question
        for question in everyday.everyday(everyday.Half.MEASURED)
        if question.beginning is not None
    ]
    context = model.config.n_positions
    figures = {
        "bits_per_byte_wiki": bits_per_byte(
            model, tokenizer, held_out.wiki, tokens=TOKENS, context=context
        ),
        "bits_per_byte_books": bits_per_byte(
            model, tokenizer, held_out.books, tokens=TOKENS, context=context
        ),
        "everyday_top_5": everyday.share_answered(beginnings, guesses(model, tokenizer)),
    }
    return {name: round(value, 4) for name, value in figures.items()}
