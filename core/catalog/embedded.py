"""The models trained here: what the recipe wrote into card.json, as a catalog entry.

The catalog says only that a model exists, what can be asked of it and what it began with; all
that was counted or measured stands once, beside its weights.
"""

import json
from pathlib import Path
from typing import Any, Final

from core.catalog.card import Family, ModelCard, Origin

EMBEDDED_MODELS: Final = Path(__file__).parents[2] / "assets" / "models"


def embedded(model_id: str, family: Family, *, starts_from: str = "", base: str = "") -> ModelCard:
    """The entry of a model of `assets/models`; without its files, an entry that says so."""
    folder = EMBEDDED_MODELS / model_id
    facts = _facts(folder / "card.json")
    return ModelCard(
        id=model_id,
        title=facts.get("title", f"{model_id} (not on board)"),
        family=family,
        task=facts.get("task", ""),
        layers=facts.get("layers", 0),
        heads=facts.get("heads", 0),
        d_model=facts.get("d_model", 0),
        parameters=facts.get("parameters", 0),
        licence=facts.get("licence", ""),
        paper=facts.get("paper", ""),
        origin=Origin.EMBEDDED,
        architecture=_facts(folder / "config.json").get("architecture"),
        metrics=facts.get("metrics", {}),
        starts_from=starts_from,
        base=base,
    )


def _facts(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
