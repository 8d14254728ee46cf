"""This view's own sentences, made of its numbers."""

from collections.abc import Mapping
from typing import Final

from app.content.prose import prose
from app.services import training_history
from app.style.markdown_escape import plain
from app.views.vision.inputs import Chosen
from app.views.vision.mae import params
from core.catalog import ModelCard
from core.outputs.autoencoder import Reconstruction

SMALL: Final = "mae-mini"


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:.3g}"


def settings(chosen: Chosen, made: Reconstruction) -> str:
    """Model, picture and mask in one line."""
    hidden = int(made.hidden.sum())
    how = (
        "painted mask"
        if params.PAINTED.value is not None
        else f"random mask, draw {params.SEED.value}"
    )
    return (
        f"{chosen.card.title} · {chosen.picture.name} · {hidden} of {made.hidden.size} patches "
        f"hidden ({how})"
    )


def facts(card: ModelCard, made: Reconstruction) -> Mapping[str, str]:
    """What the prose says of this model; of mae-mini, how it does on pictures it never saw."""
    found = training_history.figures(card)
    small = (
        {
            "error": number(found["hidden_error"]),
            "flat": number(found["mean_colour_error"]),
            "trained": training_history.trained(training_history.sheet(card)),
        }
        if card.id == SMALL
        else {}
    )
    return {
        "pixels": str(len(made.picture) // made.grid.rows),
        "small": prose("vision/mae").columns(SMALL, small)[0] if small else "",
        "model": plain(card.title),
        "paper": plain(card.paper),
    }
