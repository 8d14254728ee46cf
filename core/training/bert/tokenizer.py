"""The WordPiece vocabulary of bert-mini, trained on its own text.

Schuster & Nakajima, "Japanese and Korean Voice Search", ICASSP 2012, as in BERT
(https://arxiv.org/abs/1810.04805): uncased, accents stripped, `##` inside words.
"""

from collections.abc import Iterable
from pathlib import Path

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNK, CLS, SEP, MASK = range(5)
ALPHABET_LIMIT = 300  # characters; rarer ones become [UNK]
LONGEST_WORD = 100  # characters, as in BERT


def train_tokenizer(text: Iterable[str], *, size: int, whole_words: Iterable[str]) -> Tokenizer:
    """Train on `text`; `whole_words` are made single tokens, in place of the rarest ones.

    WordPiece takes the longest match first, so an added word needs no merges of its own.
    """
    tokenizer = _empty(models.WordPiece(unk_token="[UNK]"))
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL_TOKENS),
        limit_alphabet=ALPHABET_LIMIT,
        continuing_subword_prefix="##",
        show_progress=False,
    )
    tokenizer.train_from_iterator(text, trainer)
    learnt = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    ranked = [token for token, _ in learnt]  # in the order in which they were learnt
    wanted = {tokenizer.normalizer.normalize_str(word) for word in whole_words}
    kept = ranked
    missing = sorted(wanted - set(kept))
    while len(kept) + len(missing) > size:
        kept = kept[: size - len(missing)]
        missing = sorted(wanted - set(kept))
    vocabulary = {token: index for index, token in enumerate(kept + missing)}
    return _empty(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=LONGEST_WORD)
    )


def _empty(model: models.WordPiece) -> Tokenizer:
    """BERT's pipeline around a WordPiece model: normalise, split, `[CLS] A [SEP] B [SEP]`."""
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)],
    )
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))  # so that a written [MASK] is one token
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path, *, max_length: int) -> None:
    """Write tokenizer.json and tokenizer_config.json, which `AutoTokenizer` reads."""
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
