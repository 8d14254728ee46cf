"""The figures of bert-mini's card, from the shipped files and the data folder alone."""

from pathlib import Path

from tokenizers import Tokenizer
from transformers import BertForPreTraining

from core.errors import InputError
from core.training.bert.corpus import require_long_documents, tokenise
from core.training.bert.facts import read_facts
from core.training.bert.guesses import guesses
from core.training.bert.measure import held_out_facts, masked_words, next_sentence
from core.training.bert.network import MAX_POSITIONS
from core.training.bert.prepare import NEEDS
from core.training.common import everyday
from core.training.common.datafiles import data_folder
from core.training.common.texts import held_out_articles

BLOCKS = 20  # of 8,192 tokens, for the masked words
PAIRS = 4_000  # of sentences

MEANING = {
    "masked_top_1": "held-out Wikipedia articles, sequences of 128 tokens, 15 % of the tokens "
    "behind [MASK]: share guessed rightly",
    "masked_top_5": "the same, among the five likeliest",
    "masked_top_1_at_512": "the same as masked_top_1, in sequences of 512 tokens",
    "next_sentence": "accuracy on pairs of single sentences of held-out articles; half of the "
    "second sentences come from another article",
    "facts_top_1": "held-out triples told through all their patterns, object of one token "
    "behind [MASK]",
    "facts_top_5": "the same, among the five likeliest",
    "everyday_top_5": everyday.MEANING + "the blank stands behind [MASK]",
}


def evaluate(folder: Path, data: Path) -> dict[str, float]:
    """Measure the checkpoint in `folder`; the names are those of MEANING."""
    data_folder(data, needs=NEEDS)
    if not (folder / "model.safetensors").is_file():
        raise InputError(f"{folder} holds no model.safetensors; train the model first")
    model = BertForPreTraining.from_pretrained(folder, dtype="float32").eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    corpus = tokenise(held_out_articles(data), tokenizer)
    require_long_documents(corpus, MAX_POSITIONS)
    words = masked_words(model, corpus, blocks=BLOCKS)
    far = masked_words(model, corpus, blocks=BLOCKS // 2, length=MAX_POSITIONS)
    facts = held_out_facts(model, read_facts(data), tokenizer)
    figures = {
        "masked_top_1": words.top_1,
        "masked_top_5": words.top_5,
        "masked_top_1_at_512": far.top_1,
        "next_sentence": next_sentence(model, corpus, pairs=PAIRS),
        "facts_top_1": facts.top_1,
        "facts_top_5": facts.top_5,
        "everyday_top_5": everyday.share_answered(
            everyday.everyday(everyday.Half.MEASURED), guesses(model, tokenizer)
        ),
    }
    return {name: round(value, 4) for name, value in figures.items()}
