"""The byte-pair encoding that both languages share, trained on both.

Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", ACL 2016.
https://arxiv.org/abs/1508.07909, section 3.2 (joint BPE); as in Vaswani et al. 2017, 5.1.
"""

from collections.abc import Iterable
from pathlib import Path

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

SPECIAL_TOKENS = ("<pad>", "</s>", "<unk>", "<s>")
PAD, END, UNK, START = range(4)
ALPHABET_LIMIT = 200  # characters; rarer ones become <unk>
SPACE = "▁"  # a word begins with it


def train_tokenizer(sentences: Iterable[str], *, size: int) -> Tokenizer:
    """Train on the sentences of both languages; every encoding ends with </s>."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always"),
            pre_tokenizers.Punctuation("isolated"),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL_TOKENS),
        limit_alphabet=ALPHABET_LIMIT,
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", END)]
    )
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path, *, max_length: int) -> None:
    """Write tokenizer.json and tokenizer_config.json, which `AutoTokenizer` reads."""
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        model_input_names=["input_ids", "attention_mask"],
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        bos_token="<s>",
    ).save_pretrained(folder)
