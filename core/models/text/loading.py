"""From the files of a transformers checkpoint to a text model of its family."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from core.capture.module_path import module_paths
from core.catalog import Family, ModelCard, Origin
from core.catalog.checkpoints import files_below
from core.catalog.hub import TOKENIZERS
from core.errors import InputError
from core.models.text.folded import folded_weights
from core.models.text.supported import embedding_rows, refuse_unsupported, stacks_of

if TYPE_CHECKING:
    from core.models.text.decoder import TextDecoder
    from core.models.text.encoder import TextEncoder
    from core.models.translation.model import Translator


def load_pretrained(
    card: ModelCard, folder: Path, device: torch.device
) -> tuple[ModelCard, nn.Module, Any]:
    """The module and the tokenizer of a transformers checkpoint, in fp32 and eval mode.

    Raises InputError if the files don't make a whole model of a class that transformers has.
    """
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    below = files_below(card)
    words = next((place for place in (folder, *below) if _has_tokenizer(place)), None)
    if words is None:
        raise InputError(
            f"{card.id} has no tokenizer ({', '.join(TOKENIZERS)}). Save it beside the model."
        )
    try:
        config, model_class = promised(card, folder)
        own: dict[str, Any] = {"pretrained_model_name_or_path": folder}
        if below:
            prefix = f"{model_class.base_model_prefix}."
            own = {
                "pretrained_model_name_or_path": None,
                "state_dict": folded_weights(*below, folder, prefix=prefix),
            }
        loaded: Any = model_class.from_pretrained(
            **own,
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
        )
        module, report = loaded
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            words, local_files_only=True, trust_remote_code=False
        )
    except InputError:
        raise
    except Exception as error:  # whatever a broken checkpoint makes transformers raise
        raise InputError(
            f"{card.id} can't be opened as a transformers checkpoint: "
            f"{type(error).__name__}: {error}"
        ) from error
    lacking = sorted(report["missing_keys"]) + sorted(str(key) for key in report["mismatched_keys"])
    if lacking:
        raise InputError(
            f"{card.id} lacks {len(lacking)} weights of {model_class.__name__} "
            f"({', '.join(lacking[:3])}, …); they would be random. Save the whole model again."
        )
    rows = embedding_rows(card.id, module)
    if len(tokenizer) > rows:
        raise InputError(
            f"{card.id}: the tokenizer has {len(tokenizer)} tokens, but the model has embeddings "
            f"for {rows}. They don't belong together."
        )
    module.eval().requires_grad_(requires_grad=False).to(device)
    if card.origin == Origin.DIRECTORY or not card.parameters:
        card = _counted(card, module)
    return card, module, tokenizer


def _has_tokenizer(folder: Path) -> bool:
    return any(any(folder.glob(name)) for name in TOKENIZERS)


def promised(card: ModelCard, folder: Path) -> tuple[Any, Any]:
    """The config and the class that config.json names; no weights are read.

    Raises InputError for what could not be shown.
    """
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
    name = card.architecture or (config.architectures or [""])[0]
    model_class = getattr(transformers, name, None)
    if model_class is None or not issubclass(model_class, transformers.PreTrainedModel):
        raise InputError(f"{card.id}: transformers has no model class “{name}”.")
    refuse_unsupported(card.id, config, model_class)
    return config, model_class


def load_text_model(
    card: ModelCard, folder: Path, device: torch.device
) -> "TextEncoder | TextDecoder | Translator":
    """Open a checkpoint of one of the three text families."""
    from core.models.text.decoder import TextDecoder
    from core.models.text.encoder import TextEncoder
    from core.models.translation.model import Translator

    families = {
        Family.TEXT_ENCODER: TextEncoder,
        Family.TEXT_DECODER: TextDecoder,
        Family.TRANSLATOR: Translator,
    }
    card, module, tokenizer = load_pretrained(card, folder, device)
    return families[card.family](card, module, tokenizer, module_paths(module))


def _counted(card: ModelCard, module: nn.Module) -> ModelCard:
    config, _ = stacks_of(module.config)
    return replace(
        card,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        d_model=config.hidden_size,
        parameters=sum(parameter.numel() for parameter in module.parameters()),
    )
