"""The figures of transformer-en-de's card, from the shipped files and the data folder alone."""

from pathlib import Path

from tokenizers import Tokenizer
from transformers import MarianMTModel

from core.errors import InputError
from core.training.translation.measure import bleu, exact, translate
from core.training.translation.pairs import held_out_questions, read_pairs

MEANING = {
    "bleu": "BLEU (sacrebleu) on held-out English sentences, against all their German "
    "translations; beam search with 4 beams, length penalty 0.6",
    "bleu_greedy": "the same, always taking the likeliest token",
    "exact": "share of the sentences whose translation is one of the references, to the letter",
}
UNITS = {"bleu": "BLEU", "bleu_greedy": "BLEU"}


def evaluate(folder: Path, data: Path) -> dict[str, float]:
    """Measure the checkpoint in `folder`; the names are those of MEANING."""
    questions = held_out_questions(read_pairs(data))
    if not (folder / "model.safetensors").is_file():
        raise InputError(f"{folder} holds no model.safetensors; train the model first")
    model = MarianMTModel.from_pretrained(folder, dtype="float32").eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    english = [question.english for question in questions]
    said = translate(model, tokenizer, english)
    greedy = translate(model, tokenizer, english, beams=1)
    return {
        "bleu": round(bleu(said, questions), 2),
        "bleu_greedy": round(bleu(greedy, questions), 2),
        "exact": round(exact(said, questions), 4),
    }
