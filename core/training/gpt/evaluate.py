"""The figures of gpt-mini's card, from the shipped files and the data folder alone."""

from pathlib import Path

from tokenizers import Tokenizer
from transformers import GPT2LMHeadModel, PreTrainedModel

from core.errors import InputError
from core.training.common import everyday
from core.training.gpt.corpus import HeldOut, read_held_out
from core.training.gpt.guesses import guesses
from core.training.gpt.measure import bits_per_byte
from core.training.gpt.tokenizer import END

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
    return figures(model, tokenizer, held_out, context=model.config.n_positions)


def figures(
    model: PreTrainedModel,
    tokenizer: Tokenizer,
    held_out: HeldOut,
    *,
    context: int,
    start: int = END,
) -> dict[str, float]:
    """Of a causal model whose documents begin with the id `start`."""
    beginnings = [
        question
        for question in everyday.everyday(everyday.Half.MEASURED)
        if question.beginning is not None
    ]
    found = {
        name: bits_per_byte(
            model, tokenizer, documents, tokens=TOKENS, context=context, start=start
        )
        for name, documents in (
            ("bits_per_byte_wiki", held_out.wiki),
            ("bits_per_byte_books", held_out.books),
        )
    }
    answered = guesses(model, tokenizer, start=start)
    found["everyday_top_5"] = everyday.share_answered(beginnings, answered)
    return {name: round(value, 4) for name, value in found.items()}
