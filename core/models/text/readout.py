"""From the last layer's hidden states to logits, as each family's own class goes."""

from collections.abc import Callable
from typing import Any, Final

from torch import Tensor, nn

from core.catalog import ModelCard
from core.errors import InputError

FINAL_NORMS: Final = (  # GPT-2, Llama, OPT/NeoX/T5, others, mBART
    *("ln_f", "norm", "final_layer_norm", "final_norm", "layer_norm"),
)
Head = Callable[[Tensor], Tensor]


def final_norm(module: nn.Module) -> Head:
    """What the last stack does to its last layer's output before the head sees it."""
    base: Any = getattr(module, "base_model", module)
    stack = base.decoder if isinstance(getattr(base, "decoder", None), nn.Module) else base
    parts = [getattr(stack, name, None) for name in (*FINAL_NORMS, "project_out")]
    return nn.Sequential(*(part for part in parts if isinstance(part, nn.Module)))


def vocabulary_head(card: ModelCard, network: nn.Module) -> Head:
    """From the normed states to logits. Raises InputError for a model without such a head."""
    module: Any = network
    if hasattr(module, "cls") and hasattr(module.cls, "predictions"):  # BERT, DeBERTa
        return module.cls.predictions
    if hasattr(module, "vocab_projector"):  # DistilBERT
        return lambda states: module.vocab_projector(
            module.vocab_layer_norm(module.activation(module.vocab_transform(states)))
        )
    if hasattr(module, "generator_lm_head"):  # ELECTRA
        return lambda states: module.generator_lm_head(module.generator_predictions(states))
    if isinstance(getattr(module, "predictions", None), nn.Module):  # ALBERT
        return module.predictions
    if hasattr(module, "final_logits_bias"):  # Marian, BART
        return lambda states: module.lm_head(states) + module.final_logits_bias
    if getattr(module.config, "scale_decoder_outputs", False):  # T5
        return lambda states: module.lm_head(states * module.model_dim**-0.5)
    if isinstance(getattr(module, "lm_head", None), nn.Module):  # RoBERTa; all decoders
        return module.lm_head
    raise InputError(
        f"{card.title} has no head over the vocabulary that could read its layers; choose a model "
        "with a masked-LM or a next-token head."
    )
