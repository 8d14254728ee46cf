"""A tiny random model of every text configuration that transformers has, as a checkpoint.

Nothing is downloaded: a configuration's own defaults are made small by the names that
configurations share; a family that needs more says so in PARTICULAR.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import transformers
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import core
from core.trace.attention_layer import softmax
from tests.benchmarks.parity.outcome import Outcome, Verdict, array, compared, raw, refused
from tests.tiny import VOCABULARY, tiny_tokenizer

CAUSAL: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
MASKED: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
TO_TEXT: Final[Mapping[Any, Any]] = modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
LIBRARY: Final = "transformers, texts"
TEXT: Final = "the cat sat on a street because it was too tired ."
SCORES: Final = ("squeezebert",)  # what it returns as attentions is not yet a softmax
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
    "num_experts_per_token moe_topk moe_k bos_token_id decoder_start_token_id",
    0: "pad_token_id",
}
SMALL: Final = {name: value for value, names in SHARED.items() for name in names.split()}
MLA: Final = {"num_key_value_heads": 4, "head_dim": DROP}  # latent keys: as many heads as queries
OWN_LAYERS: Final = {"layer_types": DROP}
STARTED: Final = {"decoder_start_token_id": 0}
PARTICULAR: Final[Mapping[str, Mapping[str, Any]]] = {
    **dict.fromkeys(("axk1", "axk2", "deepseek_v2", "deepseek_v3", "deepseek_v32"), MLA),
    **dict.fromkeys(("glm4_moe_lite", "glm_moe_dsa", "longcat_flash", "minicpm3", "youtu"), MLA),
    **dict.fromkeys(("falcon_mamba", "jamba", "mamba", "mamba2"), OWN_LAYERS),
    **dict.fromkeys(("t5", "longt5", "switch_transformers", "plbart"), STARTED),
    "axk1": MLA | {"n_group": 1, "topk_group": 1, "n_routed_experts": 4},
    "longcat_flash": MLA | {"head_dim": 8},
    "dots1": {"n_shared_experts": 1, "first_k_dense_replace": 1},
    "esmc": {"num_key_value_heads": 4},
    "falcon": {"head_dim": DROP},
    "funnel": {"num_hidden_layers": DROP, "block_sizes": [1, 1, 1], "d_head": 8},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "prophetnet": {"num_hidden_layers": DROP, "bos_token_id": 1, "max_position_embeddings": 128},
    "qwen2": {"vocab_size": len(VOCABULARY) + 1},
    "qwen3_5_moe_text": {"vocab_size": len(VOCABULARY) + 1},
    "reformer": {
        "axial_pos_embds_dim": (16, 16),
        "axial_pos_shape": (8, 8),
        "attn_layers": ["local", "lsh"],
        "attention_head_size": 8,
        "feed_forward_size": 48,
    },
    "xlnet": {"max_position_embeddings": DROP, "d_head": 8},
    "xlstm": {"v_head_dim": DROP},
    "xmod": {"default_language": "en_XX"},
    "zaya": {"num_experts_per_tok": 1},
    "roc_bert": {
        "pronunciation_vocab_size": 8,
        "shape_vocab_size": 8,
        "pronunciation_embed_dim": 8,
        "shape_embed_dim": 8,
    },
    "neomme": {"layer_types": ["full_attention", "full_attention"]},
    "olmo_hybrid": {"layer_types": ["linear_attention", "full_attention"]},
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
                parameter.normal_(0, 0.2)  # attention far from uniform
    module.save_pretrained(folder)
    tiny_tokenizer(_reads_like(model_type, kind.__name__)).save_pretrained(folder)
    return True


def _reads_like(model_type: str, name: str) -> str:
    """Whose special tokens stand around its texts."""
    if name == text_families().get(model_type) and model_type in TO_TEXT:
        return "marian"
    return "bert" if model_type in MASKED else "gpt2"


def text_outcome(model_type: str, folder: Path) -> Outcome:
    """A family of texts against its own eager model."""
    try:
        if not save_text(model_type, folder):
            detail = "large even with a tiny text part: it reads pictures or sound as well"
            return Outcome(LIBRARY, model_type, Verdict.LEFT_OUT, detail)
    except Exception as error:  # its configuration can't be made small by shared names
        detail = f"not made small here ({type(error).__name__})"
        return Outcome(LIBRARY, model_type, Verdict.LEFT_OUT, detail)
    model: Any = None
    try:
        model = core.load(folder, device="cpu")
        trace = model.trace(TEXT)
    except core.InputError as error:
        if "stopped at" in str(error):
            watched = _runs(model)
            detail = "runs by itself, but not watched" if watched else f"stops by itself: {error}"
            verdict = Verdict.WRONG if watched else Verdict.LEFT_OUT
            return Outcome(LIBRARY, model_type, verdict, detail.replace(folder.name, model_type))
        return refused(LIBRARY, model_type, error, folder)
    except Exception as error:  # what a reader should never see
        return raw(LIBRARY, model_type, error)
    found = [layer.weights for of_kind in trace.layers.values() for layer in of_kind]
    return compared(LIBRARY, model_type, found, _own_maps(model_type, folder, model, trace))


def _own_maps(model_type: str, folder: Path, model: Any, trace: Any) -> list[np.ndarray]:
    """Of transformers' eager model, encoder, decoder, cross."""
    eager = type(model.module).from_pretrained(folder, attn_implementation="eager").eval()
    returned: list[Any] = []
    given = model.tensors([(trace.encoding, trace.target_encoding)])
    with torch.inference_mode():
        eager(**given)  # BigBird takes other modules for a short text when it first sees one
    for path, part in eager.named_modules():
        if path.endswith(".attention.self"):
            part.register_forward_hook(lambda _m, _g, made: returned.append(made[1]))
    with torch.inference_mode():
        output = eager(**given, output_attentions=True)
    names = ("encoder_attentions", "decoder_attentions", "cross_attentions")
    stacks = names if trace.target_encoding is not None else ("attentions",)
    maps = [one for name in stacks for one in output.get(name) or () if one is not None]
    made = [array(one)[0] for one in maps or returned]  # BigBird's output keeps none
    return [softmax(one) for one in made] if model_type in SCORES else made


def _runs(model: Any) -> bool:
    """Whether transformers' model answers this text when nothing watches."""
    if model is None:
        return False
    try:
        with torch.inference_mode():
            model.module(**model.tensors([model.prepare(TEXT)]), output_hidden_states=True)
    except Exception:  # its own, or a refusal
        return False
    return True
