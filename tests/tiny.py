"""Checkpoints of a few kilobytes: every family the tests compare, with random weights."""

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

torch.set_num_threads(1)  # matrices this small only make threads wait for each other

WORDS = (
    *("the", "a", "cat", "dog", "animal", "street", "sat", "ran", "did", "n't", "cross"),
    *("because", "it", "was", "too", "tired", "to", "on", ".", ",", "!"),
)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
VOCABULARY = {token: i for i, token in enumerate([*SPECIAL, *WORDS, *LETTERS])}

COMMON = {
    "vocab_size": len(VOCABULARY),
    "pad_token_id": 0,
    "bos_token_id": 2,
    "eos_token_id": 3,
}
BERT_LIKE = COMMON | {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
}
SEQ2SEQ = COMMON | {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
    "decoder_start_token_id": 0,
    "forced_eos_token_id": None,
}
OPT = COMMON | {
    "hidden_size": 32,
    "word_embed_proj_dim": 32,
    "ffn_dim": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
}

FAMILIES = {
    "bert": ("BertForPreTraining", "BertConfig", BERT_LIKE),
    "roberta": ("RobertaForMaskedLM", "RobertaConfig", BERT_LIKE),
    "distilbert": (
        "DistilBertForMaskedLM",
        "DistilBertConfig",
        COMMON
        | {"dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 48, "max_position_embeddings": 64},
    ),
    "albert": ("AlbertForMaskedLM", "AlbertConfig", BERT_LIKE | {"embedding_size": 16}),
    "electra": ("ElectraForMaskedLM", "ElectraConfig", BERT_LIKE | {"embedding_size": 16}),
    "deberta": (
        "DebertaV2ForMaskedLM",
        "DebertaV2Config",
        BERT_LIKE | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]},
    ),
    "gpt2": (
        "GPT2LMHeadModel",
        "GPT2Config",
        COMMON | {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64},
    ),
    "llama": (
        "LlamaForCausalLM",
        "LlamaConfig",
        BERT_LIKE | {"num_key_value_heads": 2},
    ),
    "opt": ("OPTForCausalLM", "OPTConfig", OPT),
    "opt_projected": ("OPTForCausalLM", "OPTConfig", OPT | {"word_embed_proj_dim": 16}),
    "gpt_oss": (
        "GptOssForCausalLM",
        "GptOssConfig",
        BERT_LIKE
        | {
            "num_hidden_layers": 2,
            "num_key_value_heads": 2,
            "head_dim": 8,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "layer_types": ["sliding_attention", "full_attention"],
        },
    ),
    "gpt_neox": ("GPTNeoXForCausalLM", "GPTNeoXConfig", BERT_LIKE),
    "marian": ("MarianMTModel", "MarianConfig", SEQ2SEQ),
    "bart": ("BartForConditionalGeneration", "BartConfig", SEQ2SEQ),
    "t5": (
        "T5ForConditionalGeneration",
        "T5Config",
        COMMON
        | {
            "d_model": 32,
            "d_kv": 8,
            "d_ff": 48,
            "num_layers": 2,
            "num_decoder_layers": 3,
            "num_heads": 4,
            "decoder_start_token_id": 0,
        },
    ),
}
ENCODERS = ("bert", "roberta", "distilbert", "albert", "electra", "deberta")
DECODERS = ("gpt2", "llama")
TRANSLATORS = ("marian", "bart", "t5")


def tiny_config(family: str) -> transformers.PreTrainedConfig:
    _, config_class, arguments = FAMILIES[family]
    return getattr(transformers, config_class)(**arguments)


def tiny_model(family: str) -> transformers.PreTrainedModel:
    """A fresh random model; weights are spread so that attention is far from uniform."""
    torch.manual_seed(0)
    model_class, _, _ = FAMILIES[family]
    model = getattr(transformers, model_class)(tiny_config(family)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim > 1 and "lm_head" not in name:
                parameter.normal_(0, 0.25)
            if name.endswith("sinks"):
                parameter.normal_(0, 1)
    return model


def tiny_tokenizer(family: str) -> transformers.PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.WordPiece(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if family in ENCODERS:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    elif family in TRANSLATORS:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="$A [SEP]", special_tokens=[("[SEP]", 3)]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=10**9,
    )


def save_tiny(family: str, folder: Path) -> Path:
    """Save a checkpoint directory in transformers' layout."""
    tiny_model(family).save_pretrained(folder)
    tiny_tokenizer(family).save_pretrained(folder)
    return folder
