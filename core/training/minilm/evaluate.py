"""The figures of minilm-mlm's card, from the shipped update, its base and the data folder."""

from pathlib import Path
from typing import cast

import torch
from tokenizers import Tokenizer
from transformers import BertForMaskedLM

from core.catalog import card_of
from core.errors import InputError
from core.models.text.folded import UPDATE_FILE
from core.models.text.loading import load_pretrained
from core.training.bert.corpus import require_long_documents, tokenise
from core.training.bert.facts import read_facts
from core.training.bert.guesses import guesses
from core.training.bert.measure import held_out_facts
from core.training.common import everyday
from core.training.common.datafiles import data_folder
from core.training.common.texts import held_out_articles
from core.training.minilm.measure import masked_words, sentence_words
from core.training.minilm.network import base_folder, read_tokenizer
from core.training.minilm.prepare import LENGTH, NEEDS
from core.training.translation.english import held_out_sentences

MODEL = "minilm-mlm"
BLOCKS = 10  # of 8,192 tokens, for the masked words
FACTS = 2_000  # sentences

MEANING = {
    "masked_top_1": "held-out Wikipedia articles, sequences of 128 tokens, 15 % of the tokens "
    "behind [MASK]: share guessed rightly, among 30,522",
    "masked_top_5": "the same, among the five likeliest",
    "sentence_top_1": "one whole word of a held-out everyday sentence (Tatoeba) behind [MASK]: "
    "share guessed rightly",
    "sentence_top_5": "the same, among the five likeliest",
    "facts_top_1": "held-out triples told through their patterns, object of one token behind "
    "[MASK]",
    "everyday_top_5": everyday.MEANING + "the blank stands behind [MASK]",
}


def evaluate(folder: Path, data: Path) -> dict[str, float]:
    """Measure the update in `folder` on its base; the names are those of MEANING."""
    data_folder(data, needs=NEEDS)
    if not (folder / UPDATE_FILE).is_file():
        raise InputError(f"{folder} holds no {UPDATE_FILE}; train the model first")
    return figures(open_model(folder), read_tokenizer(base_folder()), data)


def open_model(folder: Path) -> BertForMaskedLM:
    """The model as everybody loads it: the update in `folder` folded into its base."""
    card = card_of(MODEL)
    if card is None:
        raise ValueError(f"the catalog has no {MODEL}")
    return cast("BertForMaskedLM", load_pretrained(card, folder, torch.device("cpu"))[1])


def figures(model: BertForMaskedLM, tokenizer: Tokenizer, data: Path) -> dict[str, float]:
    corpus = tokenise(held_out_articles(data), tokenizer)
    require_long_documents(corpus, LENGTH)
    words = masked_words(model, corpus, blocks=BLOCKS)
    sentences = sentence_words(model, tokenizer, held_out_sentences(data))
    asked = everyday.everyday(everyday.Half.MEASURED)
    found = {
        "masked_top_1": words.top_1,
        "masked_top_5": words.top_5,
        "sentence_top_1": sentences.top_1,
        "sentence_top_5": sentences.top_5,
        "facts_top_1": held_out_facts(model, read_facts(data), tokenizer, limit=FACTS).top_1,
        "everyday_top_5": everyday.share_answered(asked, guesses(model, tokenizer)),
    }
    return {name: round(value, 4) for name, value in found.items()}
