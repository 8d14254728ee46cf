"""A tiny random model of every text configuration that transformers has, as a checkpoint.

Nothing is downloaded: a configuration's own defaults are made small by the names that
configurations share; a family that needs more says so in PARTICULAR.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
import transformers
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from tests.tiny import VOCABULARY, tiny_tokenizer

CAUSAL: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
MASKED: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
TO_TEXT: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
LARGEST: Final = 4_000_000  # parameters: what stays larger (whole picture towers) is left out
DROP: Final = object()  # a shared name that this configuration computes itself

SHARED: Final = {  # a small value: the names under which configurations keep it
    len(VOCABULARY): "vocab_size src_vocab_size tgt_vocab_size vocab_size_per_layer_input "
    "entity_vocab_size",
    64: "max_position_embeddings n_positions n_ctx max_sequence_length max_seq_len",
    48: "intermediate_size encoder_ffn_dim decoder_ffn_dim ffn_dim d_ff n_inner hidden_dim d_inner "
    "dff dim_ff moe_intermediate_size ffn_hidden_size shared_expert_intermediate_size "
    "mlp_hidden_size expert_ffn_hidden_size dense_intermediate_size shared_intermediate_size "
    "moe_shared_expert_intermediate_size intermediate_size_mlp ffn_intermediate_size "
    "prefix_dense_intermediate_size dense_ffn_hidden_size",
    32: "hidden_size d_model n_embd dim emb_dim word_embed_proj_dim embedding_size d_embed "
    "dim_model entity_emb_size attention_hidden_size",
    16: "q_lora_rank kv_lora_rank",
    8: "head_dim d_kv dim_head global_head_dim qk_nope_head_dim qk_rope_head_dim v_head_dim",
    4: "num_attention_heads encoder_attention_heads decoder_attention_heads n_head n_heads "
    "num_heads num_encoder_attention_heads num_decoder_attention_heads num_experts "
    "num_local_experts n_routed_experts moe_num_experts rotary_dim",
    3: "eos_token_id",
    2: "num_hidden_layers encoder_layers decoder_layers n_layer n_layers num_layers "
    "num_decoder_layers num_encoder_layers num_key_value_heads num_kv_heads num_experts_per_tok "
    "num_experts_per_token moe_topk moe_k bos_token_id",
    0: "pad_token_id",
}
SMALL: Final = {name: value for value, names in SHARED.items() for name in names.split()}
PARTICULAR: Final[Mapping[str, Mapping[str, Any]]] = {
    "prophetnet": {"num_hidden_layers": DROP, "bos_token_id": 1},
}


def text_families() -> dict[str, str]:
    """The model class of every configuration that reads text and writes or fills it."""
    named = {**CAUSAL, **MASKED, **TO_TEXT}
    return {kind: one if isinstance(one, str) else one[0] for kind, one in named.items()}


def tiny_config(model_type: str) -> Any:
    """The family's configuration, a few layers and channels small."""
    kind = CONFIG_MAPPING[model_type]
    usual, aliases = kind(), getattr(kind, "attribute_map", {})
    given: dict[str, Any] = {
        name: value for name, value in SMALL.items() if hasattr(usual, name) and name not in aliases
    }
    if getattr(usual, "layer_types", None):
        given["layer_types"] = list(usual.layer_types)[:2]
    given |= PARTICULAR.get(model_type, {})
    return kind(**{name: value for name, value in given.items() if value is not DROP})


def save_text(model_type: str, folder: Path, name: str | None = None) -> bool:
    """Write a checkpoint directory; False where even a tiny configuration is a large model."""
    config = tiny_config(model_type)
    kind = getattr(transformers, name or text_families()[model_type])
    with torch.device("meta"):
        if sum(parameter.numel() for parameter in kind(config).parameters()) > LARGEST:
            return False
    torch.manual_seed(0)
    module: Any = kind(config).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1 and parameter.is_floating_point():
                parameter.normal_(0, 0.25)  # attention far from uniform
    module.save_pretrained(folder)
    tiny_tokenizer(_reads_like(model_type, kind.__name__)).save_pretrained(folder)
    return True


def _reads_like(model_type: str, name: str) -> str:
    """Whose special tokens stand around its texts."""
    if name == text_families().get(model_type) and model_type in TO_TEXT:
        return "marian"
    return "bert" if model_type in MASKED else "gpt2"
