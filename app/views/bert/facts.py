"""What the prose says of the chosen model, as its card was measured; nothing for others."""

from app.services import training_history
from app.style.markdown_escape import plain
from app.style.number_format import measured
from core.catalog import ModelCard


def modest(card: ModelCard) -> str:
    """What an embedded model can do with masked words."""
    figures = training_history.figures(card)
    if "masked_top_1" not in figures:
        return ""
    top_1, top_5 = (measured(figures[f"masked_top_{k}"], None) for k in (1, 5))
    return (
        f"{plain(card.title)} is small: of words masked in unseen articles it guesses {top_1} "
        f"(the right one is among its first five for {top_5}). It knows some facts, and grammar "
        "better than the world."
    )


def next_sentence_accuracy(card: ModelCard) -> str:
    """How often an embedded model is right on pairs of sentences."""
    share = training_history.figures(card).get("next_sentence")
    if not share:
        return ""
    return (
        f"{plain(card.title)} is right on {measured(share, None)} of single-sentence pairs from "
        "unseen articles; half of them follow."
    )


def model_line(card: ModelCard) -> str:
    return f"Model: {plain(card.title)}, {card.size} parameters. {plain(card.paper)}"
