"""The figures of minilm-clm's card, from the shipped update, its bases and the data folder."""

from pathlib import Path
from typing import cast

import torch
from transformers import BertLMHeadModel

from core.catalog import card_of
from core.errors import InputError
from core.models.text.folded import UPDATE_FILE
from core.models.text.loading import load_pretrained
from core.training.gpt.corpus import read_held_out
from core.training.gpt.evaluate import MEANING as GPT
from core.training.gpt.evaluate import figures
from core.training.minilm.causal.network import CONTEXT, START
from core.training.minilm.causal.tokenizer import writing_tokenizer
from core.training.minilm.network import base_folder

MODEL = "minilm-clm"
LOWER_CASE = (
    "; bytes of the text as it is written, although this vocabulary has no capitals and accents: "
    "not foretelling them spares it bits that gpt-mini has to pay"
)
MEANING = {
    "bits_per_byte_wiki": GPT["bits_per_byte_wiki"] + LOWER_CASE,
    "bits_per_byte_books": GPT["bits_per_byte_books"] + ", which the masked model that it began "
    "with has read" + LOWER_CASE,
    "everyday_top_5": GPT["everyday_top_5"],
}


def evaluate(folder: Path, data: Path) -> dict[str, float]:
    """Measure the update in `folder` on its bases; the names are those of MEANING."""
    held_out = read_held_out(data)
    if not (folder / UPDATE_FILE).is_file():
        raise InputError(f"{folder} holds no {UPDATE_FILE}; train the model first")
    model, tokenizer = open_model(folder), writing_tokenizer(base_folder())
    return figures(model, tokenizer, held_out, context=CONTEXT, start=START)


def open_model(folder: Path) -> BertLMHeadModel:
    """The model as everybody loads it: the update in `folder` folded into its bases."""
    card = card_of(MODEL)
    if card is None:
        raise ValueError(f"the catalog has no {MODEL}")
    return cast("BertLMHeadModel", load_pretrained(card, folder, torch.device("cpu"))[1])
