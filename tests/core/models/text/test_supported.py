"""Models of transformers that can't be shown are refused with words that help, never raw."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers as hf

import core
from core.limits import TOKENS
from core.trace import AttentionKind
from tests.tiny import BERT_LIKE, VOCABULARY, tiny_config, tiny_tokenizer

TEXT = "the cat sat on a street ."
SIZE = {"vocab_size": len(VOCABULARY), "hidden_size": 32, "num_hidden_layers": 2}
SOUND = {
    "vocab_size": len(VOCABULARY),
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_source_positions": 20,
    "max_target_positions": 20,
    "bos_token_id": 2,
    "eos_token_id": 3,
    "pad_token_id": 0,
    "decoder_start_token_id": 2,
}
SEES = {**BERT_LIKE, "image_size": 32, "patch_size": 8}
PERCEIVER = {"d_model": 32, "d_latents": 32, "num_latents": 8, "num_self_attention_heads": 4}
STOPS = {"num_landmarks": 4, "segment_means_seq_len": 64}

AT_LOADING: dict[str, tuple[Callable[[], Any], str]] = {
    "mamba": (lambda: hf.MambaForCausalLM(hf.MambaConfig(**SIZE, state_size=4)), "no attention"),
    "rwkv": (
        lambda: hf.RwkvForCausalLM(hf.RwkvConfig(**SIZE, attention_hidden_size=32)),
        "rwkv names no attention heads in its config, for it mixes tokens in another way",
    ),
    "fnet": (
        lambda: hf.FNetForMaskedLM(hf.FNetConfig(**SIZE, intermediate_size=48)),
        "so there is no attention to show. Choose a Transformer",
    ),
    "clip": (  # whose picture tower opens by itself, where there is an image processor
        lambda: hf.CLIPModel(
            hf.CLIPConfig(text_config=BERT_LIKE, vision_config=SEES, projection_dim=16)
        ),
        r"has no preprocessor_config\.json, .* Save the image processor beside the model",
    ),
    "blip": (
        lambda: hf.BlipModel(
            hf.BlipConfig(text_config=BERT_LIKE, vision_config=SEES, projection_dim=16)
        ),
        r"several models in one \(text_config, vision_config\). Save the part that you want",
    ),
    "canine": (
        lambda: hf.CanineModel(hf.CanineConfig(**BERT_LIKE, num_hash_buckets=64)),
        "doesn't look tokens up in one table of embeddings",
    ),
    "perceiver": (
        lambda: hf.PerceiverForMaskedLM(
            hf.PerceiverConfig(
                **PERCEIVER,
                vocab_size=len(VOCABULARY),
                num_cross_attention_heads=4,
                num_self_attends_per_block=1,
            )
        ),
        r"which reads bytes or arrays of its own \(inputs\), not the tokens of a text",
    ),
    "whisper": (
        lambda: hf.WhisperForConditionalGeneration(hf.WhisperConfig(**SOUND, num_mel_bins=8)),
        r"which reads sound \(input_features\), not the tokens",
    ),
    "speech2text": (
        lambda: hf.Speech2TextForConditionalGeneration(
            hf.Speech2TextConfig(**SOUND, conv_channels=16, input_feat_per_channel=8)
        ),
        r"which reads sound \(input_features\), not the tokens",
    ),
}
AT_TRACING: dict[str, tuple[Callable[[], Any], str]] = {
    "nystromformer": (
        lambda: hf.NystromformerForMaskedLM(hf.NystromformerConfig(**BERT_LIKE, **STOPS)),
        "stopped at this text .* try a longer or shorter text, or another model",
    ),
    "xmod": (
        lambda: hf.XmodForMaskedLM(hf.XmodConfig(**BERT_LIKE)),
        "stopped at this text .*language unknown",
    ),
    "t5": (
        lambda: hf.T5ForConditionalGeneration(
            hf.T5Config(
                **{
                    **tiny_config("t5").to_diff_dict(),
                    "decoder_start_token_id": None,
                    "bos_token_id": None,
                }
            )
        ),
        r"names no decoder_start_token_id .* Write them into the checkpoint's config.json",
    ),
}


def save(make: Callable[[], Any], folder: Path, like: str = "bert") -> Path:
    make().save_pretrained(folder)
    tiny_tokenizer(like).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("family", AT_LOADING)
def test_at_loading(family: str, tmp_path: Path):
    make, reason = AT_LOADING[family]
    with pytest.raises(core.InputError, match=reason):
        core.load(save(make, tmp_path))


@pytest.mark.parametrize("family", AT_TRACING)
def test_at_tracing(family: str, tmp_path: Path):
    make, reason = AT_TRACING[family]
    model = core.load(save(make, tmp_path, "t5" if family == "t5" else "bert"))
    with pytest.raises(core.InputError, match=reason):
        model.trace(TEXT)


def test_a_model_without_a_limit_reads_on(tmp_path: Path):
    config = hf.XLNetConfig(vocab_size=len(VOCABULARY), d_model=32, n_layer=2, n_head=4, d_inner=48)
    model: Any = core.load(save(lambda: hf.XLNetLMHeadModel(config), tmp_path))
    assert model.token_limit == TOKENS
    assert model.trace(TEXT).attention(1).weights.shape == (4, 9, 9)
    with pytest.raises(core.InputError, match=r"takes up to 512, .* Shorten it"):
        model.trace("cat " * 600)


def test_two_stacks_with_a_config_each(tmp_path: Path):
    config = hf.EncoderDecoderConfig.from_encoder_decoder_configs(
        hf.BertConfig(**BERT_LIKE), hf.BertConfig(**{**BERT_LIKE, "num_hidden_layers": 2})
    )
    config.decoder_start_token_id = 2
    model = core.load(save(lambda: hf.EncoderDecoderModel(config), tmp_path, "marian"))
    trace = model.trace(TEXT, target="a dog ran")
    assert (model.card.layers, model.card.heads, model.card.d_model) == (3, 4, 32)
    assert [trace.n_layers(kind) for kind in AttentionKind] == [3, 2, 2]


def test_rows_that_pad_the_vocabulary_have_a_name(tmp_path: Path):
    padded = hf.GPT2Config(
        vocab_size=len(VOCABULARY) + 3, n_embd=32, n_layer=1, n_head=4, n_positions=64
    )
    model: Any = core.load(save(lambda: hf.GPT2LMHeadModel(padded), tmp_path, "gpt2"))
    named = [one.token for one in model.next_token("the cat", top_k=len(VOCABULARY) + 3)]
    assert {"⟨unused 52⟩", "⟨unused 54⟩", "cat"} <= set(named)
