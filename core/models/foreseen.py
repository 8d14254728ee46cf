"""Whether a model can be shown, as far as its config.json tells: asked before its weights come."""

from pathlib import Path
from typing import Any

from core.catalog import Family, ModelCard
from core.catalog.directory_card import read_json
from core.errors import InputError


def refuse_unshowable(card: ModelCard, folder: Path) -> None:
    """`folder` holds config.json. Raises InputError for what no view could show.

    What can be known only once the model has run (a layer that attends to no keys) is refused by
    the trace.
    """
    config = read_json(folder / "config.json")
    if "architecture" in config:
        _refuse_timm(card, str(config["architecture"]))
        return
    try:
        if card.family == Family.VISION:
            from core.models.vision.transformers_layout import refuse_unshowable_pictures

            refuse_unshowable_pictures(card, folder)
        else:
            from core.models.text.loading import promised

            promised(card, folder)
    except InputError:
        raise
    except Exception as error:  # whatever transformers makes of a config that it does not know
        raise InputError(_unknown(card, config)) from error


def _refuse_timm(card: ModelCard, architecture: str) -> None:
    import timm

    if not timm.is_model(architecture.split(".")[0]):
        raise InputError(
            f"{card.id} is a “{architecture}”, which timm {timm.__version__} does not know. Choose "
            "another model of pictures."
        )


def _unknown(card: ModelCard, config: dict[str, Any]) -> str:
    kind = config.get("model_type", "")
    if "auto_map" in config:
        return (
            f"{card.id} ({kind or 'of no named type'}) comes with code of its own, which is never "
            "run here. Choose a model of a class that transformers has."
        )
    return (
        f"{card.id} is of the type “{kind}”, which transformers does not know as a model of texts "
        "or pictures. Choose a Transformer, such as a BERT, a GPT or a ViT."
    )
